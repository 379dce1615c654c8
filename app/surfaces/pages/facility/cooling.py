"""The cooling tab: both loops, all plants side by side, units, checks, and what happens without flow."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.facility.cooling_loops import cooling_loops_figure
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.facility.cooling_lines import (
    air_class_line,
    exchanger_lines,
    fact_lines,
    header_line,
    lost_line,
    plant_line,
    reuse_lines,
    surface_line,
    unit_line,
)
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.cooling import CoolingOptions, cooling_answer

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422


@router.get("/facility/{key}/cooling")
def cooling(opened: OpenedDep, page: TemplatesDep, tank: str = "0") -> HTMLResponse:
    """The cooling of a design; `tank` is the cold water that is added to the plant, m3."""
    if opened.scenario is None:
        return page.page("facility/cooling.html", opened=opened)
    typed, fault, options = tank.strip()[:20], "", CoolingOptions()
    try:
        options = build_document(CoolingOptions, {"tank_m3": _as_number(typed)})
    except ScenarioError as error:
        fault = error.errors[0].words
    answer = cooling_answer(opened.scenario, opened.catalog, options)
    return page.page(
        "facility/cooling.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        answer=answer,
        figure=cooling_loops_figure(answer.sides),
        plants=[plant_line(one) for one in answer.plants],
        units=[unit_line(one) for one in answer.cdus],
        headers=[header_line(one) for one in answer.headers],
        exchanger=exchanger_lines(answer),
        surfaces=[surface_line(one) for one in answer.surfaces],
        lost=[lost_line(one) for one in answer.lost],
        air_classes=[air_class_line(one) for one in answer.air_classes],
        facts=fact_lines(answer),
        reuse=reuse_lines(answer),
        tank=typed,
        fault=fault,
    )


def _as_number(typed: str) -> float | str:
    """What is no number stays text, to be refused by its name."""
    try:
        return float(typed)
    except ValueError:
        return typed
