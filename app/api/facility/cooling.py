"""The cooling of a scenario: loops, units, checks, and every plant beside the chosen one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.api.bodies import Body, BodyDep
from app.api.documented import json_answer
from app.api.parameters import only
from app.api.problems import json_response
from app.api.scenario_requests import PROBLEMS, asked, options_body
from app.api.services import Services, ServicesDep
from app.api.shapes import REFERENCE, answer_shapes, request_shapes, with_unknown
from app.scenarios.facility.cooling import CoolingAnswer, CoolingOptions, cooling_answer, report_json

router = APIRouter()

TITLE = "CoolingInDetail"
REQUEST = "CoolingRequest"


@router.post(
    "/cooling",
    summary="Draw up the cooling",
    responses={
        200: json_answer(
            TITLE, "Loops from the racks to the sky, CDUs, checks, and all plants side by side."
        ),
        **PROBLEMS,
    },
    openapi_extra=options_body(REQUEST, "A scenario, and what is added to its plant.", tank_m3=50),
    dependencies=[only()],
)
async def draw_up_cooling(body: BodyDep, found: ServicesDep) -> Response:
    """Temperatures, flows and approaches of both loops with every SuperNode at its rating; headers, CDUs and their
    exchangers at and off the design; ASHRAE's classes of water and air, and the dew points of a closed hall and of
    outdoor air; how long loops last when flow or chillers are lost, and what has to be on the UPS; what a network
    takes of the heat; and PUE, water and chillers of every plant for the same design at the same site.
    """
    return await found.workers.run(_cooling, body, found)


def _cooling(body: Body, found: Services) -> Response:
    options, scenario = asked(CoolingOptions, body, found)
    return json_response(report_json(cooling_answer(scenario, found.catalog(), options)))


def cooling_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    parts = answer_shapes(TITLE, CoolingAnswer)
    parts[TITLE]["properties"]["problems"]["items"] = {"$ref": REFERENCE.format(model="DesignProblem")}
    own = {
        name: with_unknown(shape)
        for name, shape in parts.items()
        if name not in ("Problem", "Fix", "Suggestion")
    }
    return {**own, **request_shapes(REQUEST, CoolingOptions)}
