"""Edge against cloud."""

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
from app.views.serving.edge import edge_view
from app.views.serving.edge_options import EdgeOptions
from app.views.serving.edge_report import EdgeView

router = APIRouter()

TITLE, REQUEST = "ServingEdge", "ServingEdgeRequest"


@router.post(
    "/edge",
    summary="Compare edge and cloud",
    responses={200: json_answer(TITLE, "Places with their latency budgets, and both sites."), **PROBLEMS},
    openapi_extra=served_body(
        REQUEST,
        "A scenario that serves a model, and an edge site.",
        edge_distance_km=50,
        latency_budget_s=0.02,
    ),
    dependencies=[only()],
)
async def compare_edge(body: BodyDep, found: ServicesDep) -> Response:
    """From the question to the first token for every region of the demand, from the pod and from an edge site: the network
    there and back, the queue, the prefill, and the rest, against the budget of the place. `distances` is what light in
    fibre leaves of `budget_s`.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    options, scenario = asked(EdgeOptions, body, found)
    return json_response(view_json(edge_view(scenario, found.catalog(), options, found.evaluated)))


def edge_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, EdgeView)), **request_shapes(REQUEST, EdgeOptions)}
