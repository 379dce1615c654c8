"""Every kind of rack of a scenario against what its hall can power, cool and carry."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.api.bodies import Body, BodyDep
from app.api.documented import json_answer
from app.api.parameters import only
from app.api.problems import json_response
from app.api.scenario_requests import PROBLEMS, asked, options_body
from app.api.services import Services, ServicesDep
from app.api.shapes import answer_shapes, request_shapes
from app.scenarios.facility.racks import RacksOptions, racks_answer
from app.scenarios.facility.racks_report import RacksReport, racks_report, report_json

router = APIRouter()

TITLE = "FacilityRacks"


@router.post(
    "/racks",
    summary="Check the racks",
    responses={200: json_answer(TITLE, "Every kind of rack with its checks, the fullest first."), **PROBLEMS},
    openapi_extra=options_body(
        "FacilityRacksRequest", "A scenario, a rack of its floor, and rules for feeds.", rack="R01-01"
    ),
    dependencies=[only()],
)
async def check_racks(body: BodyDep, found: ServicesDep) -> Response:
    """Power against the class of cooling, heat to air, coolant, feeds, weight, floor and height of every kind of rack;
    how many more servers fit until which limit, and the way out; heat by height unit, to air and to liquid; and the
    air flow that carries what liquid leaves. Nothing is saved.
    """
    return await found.workers.run(_racks, body, found)


def _racks(body: Body, found: Services) -> Response:
    options, scenario = asked(RacksOptions, body, found)
    return json_response(report_json(racks_report(racks_answer(scenario, options))))


def racks_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**answer_shapes(TITLE, RacksReport), **request_shapes("FacilityRacksRequest", RacksOptions)}
