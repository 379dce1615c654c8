"""The job of a scenario on several systems: time to finish against cost of the run."""

from __future__ import annotations

import dataclasses
from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.economics.cost_against_time import CostAgainstTime
from app.views.economics.cost_against_time_options import CostAgainstTimeOptions
from app.views.plain import without_unknown

router = APIRouter()

TITLE = "CostAgainstTime"
REQUEST = "CostAgainstTimeRequest"


@router.post(
    "/cost_against_time",
    summary="Compare systems for a job",
    responses={200: json_answer(TITLE, "A curve a system, the scenario's own first."), **PROBLEMS},
    openapi_extra=options_body(
        REQUEST, "A scenario, and how systems are compared.", systems=["dgx_h100"], paid="on_demand"
    ),
    dependencies=[only()],
)
async def compare_systems(body: BodyDep, found: ServicesDep) -> Response:
    """The job of the scenario on its own SuperNode and on other systems, each in pods from a quarter to four times
    the accelerators, with the fastest layout found: time to finish, and cost of the run owned, rented on demand and
    reserved. `on_front` marks pods that no other beats in time and cost at once, `picked` one pod of each system by
    what they share. What nobody published is null, and listed under `unknown` with the scenario field that states
    it. An equal request is answered from memory until the catalog changes.
    """
    return await found.workers.run(_compare, body, found)


def _compare(body: Body, found: Services) -> Response:
    options, scenario = asked(CostAgainstTimeOptions, body, found)
    answer = found.searches.cost_against_time(scenario, found.catalog(), options)
    return json_response(without_unknown(dataclasses.asdict(answer)))


def cost_against_time_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {
        **with_unknown(answer_shapes(TITLE, CostAgainstTime)),
        **request_shapes(REQUEST, CostAgainstTimeOptions),
    }
