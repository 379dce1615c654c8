"""The carbon of a scenario's run in detail."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.economics.carbon.answer import carbon_answer
from app.views.economics.carbon.options import CarbonOptions
from app.views.economics.carbon.report import CarbonReport
from app.views.plain import report_json

router = APIRouter()

TITLE = "RunCarbon"
REQUEST = "RunCarbonRequest"
EXAMPLE = {"building_embodied_kg": 20_000, "intensity_by_hour": [0.02] * 8 + [0.05] * 16, "sites": False}


@router.post(
    "/carbon",
    summary="Account for the carbon of a run",
    responses={
        200: json_answer(TITLE, "Boundaries, factors, parts, waiting, hours and other sites."),
        **PROBLEMS,
    },
    openapi_extra=options_body(REQUEST, "A scenario, and what is known beside it.", **EXAMPLE),
    dependencies=[only()],
)
async def account_for_carbon(body: BodyDep, found: ServicesDep) -> Response:
    """The run by four boundaries, from accelerator design power as model cards count it to all of it at the meter, with
    the making of the hardware and with the hours of waiting; the factors that multiply to the ratio of the first two;
    every part of it; contracts of clean energy by the year and hour by hour; a profile of the grid where
    `intensity_by_hour` states one; and the same run at every site of the catalog. `left_out` says what no source
    gives. Unknown is null, nothing is saved.
    """
    return await found.workers.run(_carbon, body, found)


def _carbon(body: Body, found: Services) -> Response:
    options, scenario = asked(CarbonOptions, body, found)
    return json_response(report_json(carbon_answer(scenario, found.catalog(), options)))


def carbon_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, CarbonReport)), **request_shapes(REQUEST, CarbonOptions)}
