"""Charts as parts of pages."""

from __future__ import annotations

from app.charts import Figure
from app.surfaces.pages.templating import Templates


def chart_html(templates: Templates, figure: Figure, *, before: str, after: str = "", id: str = "") -> str:
    """One chart as HTML, for an answer that puts it into a page: `update` of static/js/charts.js takes it.

    Parameters
    ----------
    before, after : the path of a figure, in the address of its explanation
    id : of the element, where a page shows the figure twice; else "figure-" and its name
    """
    return templates.text("_chart.html", figure=figure, explain={"before": before, "after": after}, id=id)
