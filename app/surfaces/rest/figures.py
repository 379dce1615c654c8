"""The charts of a design, as Plotly figures with their words and their data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response

from app.catalog.view import CatalogView
from app.charts import FIGURES, STUDY_FIGURES
from app.charts.figure import Figure
from app.charts.step_timeline import MOST_DRAWN
from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.conditional import etag
from app.surfaces.rest.documented import ETAG, OF_A_BODY, json_answer, problem_answers, scenario_body
from app.surfaces.rest.parameters import only, parameter_problem
from app.surfaces.rest.problem_types import INVALID_PARAMETER, INVALID_SCENARIO, NOT_FOUND, TOO_BUSY
from app.surfaces.rest.problems import ProblemError, json_response
from app.surfaces.rest.services import Services, ServicesDep
from app.views.colours import THEMES, in_colours
from app.views.plain import report_json
from app.views.searching.domains import domain_study
from app.views.timeline import timeline_view

router = APIRouter(tags=["figures"])
NAMES = [*FIGURES, *STUDY_FIGURES]
STUDIES: dict[str, Callable[[EvaluatedScenario, CatalogView], dict[str, Any]]] = {
    "domain_sizes": domain_study,
    "step_timeline": lambda scenario, _: report_json(timeline_view(scenario, MOST_DRAWN)),
}
"""Charts of studies."""

Name = Annotated[
    str,
    Path(
        description="Which chart.",
        json_schema_extra={"enum": NAMES},
        examples=["step_time"],
    ),
]
GivenTheme = Annotated[dict[str, str], only("theme")]


THEME = {
    "name": "theme",
    "in": "query",
    "required": False,
    "description": "Colours for a light or a dark ground.",
    "schema": {"type": "string", "enum": list(THEMES), "default": "light"},
}


@router.post(
    "/figures/{name}",
    summary="Draw a chart",
    responses={
        200: json_answer("Figure", "A chart with its takeaway, caption and table.", headers=ETAG),
        **problem_answers(INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body(), "parameters": [THEME]},
)
async def draw_figure(name: Name, body: BodyDep, found: ServicesDep, given: GivenTheme) -> Response:
    """One chart of a scenario's evaluation: `plot` has `data` and `layout` for Plotly, or is null where what
    it would show is unknown; `takeaway` says in a sentence what it shows; `table` has the same data in words.
    """
    if name not in NAMES:
        detail = f"There is no figure {shorten(name)}. Nearest: {nearest_names(name[:80], NAMES)}."
        raise ProblemError(NOT_FOUND, detail)
    theme = given.get("theme", "light")
    if theme not in THEMES:
        raise parameter_problem(
            "theme", "one_of", f"{shorten(theme)} is not a theme.", "Themes: light, dark."
        )
    return await found.workers.run(_figure, name, theme, body, found)


def _figure(name: str, theme: str, body: Body, found: Services) -> Response:
    scenario = found.evaluated(found.document(body))
    content = scenario.as_json
    tag = etag(content["provenance"]["inputs_hash"], name, theme)
    drawn = (
        FIGURES[name](content)
        if name in FIGURES
        else STUDY_FIGURES[name](STUDIES[name](scenario, found.catalog()))
    )
    return json_response(figure_answer(drawn, theme), {"etag": tag})


def figure_answer(drawn: Figure, theme: str) -> dict[str, Any]:
    """A chart as plain values, its colours filled in."""
    rows = [{"cells": list(row.cells), "path": row.path, "total": row.total} for row in drawn.rows]
    return {
        "name": drawn.name,
        "title": drawn.eyebrow,
        "takeaway": drawn.takeaway,
        "caption": drawn.caption,
        "plot": in_colours(drawn.plot, theme),
        "table": {"columns": [dataclasses.asdict(column) for column in drawn.columns], "rows": rows},
    }
