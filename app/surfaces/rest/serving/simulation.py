"""Requests simulated one by one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.files.serving_files import view_json
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.serving.bodies import served_body
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.serving.simulated import SimulatedView, SimulationOptions, simulated_view

router = APIRouter()

TITLE, REQUEST = "ServingSimulation", "ServingSimulationRequest"


@router.post(
    "/simulation",
    summary="Simulate requests one by one",
    responses={
        200: json_answer(TITLE, "Latencies of the simulated requests beside the formulas."),
        **PROBLEMS,
    },
    openapi_extra=served_body(REQUEST, "A scenario that serves a model.", minutes=10, seed=1),
    dependencies=[only()],
)
async def simulate_requests(body: BodyDep, found: ServicesDep) -> Response:
    """Requests of some minutes through one replica: random or bursty arrivals, prompts in passes with a token budget,
    answers among them. `rows` are mean and percentiles, simulated and by the formulas; `within_promise` is the share of
    the requests that see all that is promised. A time with more than 60,000 requests is cut, and `cut_from_minutes` says
    what was asked.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    options, scenario = asked(SimulationOptions, body, found)
    return json_response(view_json(simulated_view(scenario, options)))


def simulated_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, SimulatedView)), **request_shapes(REQUEST, SimulationOptions)}
