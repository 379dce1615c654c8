"""Latency of a served model against load."""

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
from app.views.serving.latency import LatencyView, latency_view
from app.views.view import NoOptions

router = APIRouter()

TITLE, REQUEST = "ServingLatency", "ServingLatencyRequest"


@router.post(
    "/latency",
    summary="Show latency against load",
    responses={
        200: json_answer(TITLE, "Loads, the knee, and the most that keeps what is promised."),
        **PROBLEMS,
    },
    openapi_extra=served_body(REQUEST, "A scenario that serves a model."),
    dependencies=[only()],
)
async def show_latency(body: BodyDep, found: ServicesDep) -> Response:
    """Time to first token and time per output token of the pod against requests in flight, as means and as what the
    promised share of the requests stays within. `here` is the scenario's own load, `knee` where throughput over response
    time is greatest, `at_most` the most that keeps what is promised, null where no load does; `breaks` says what ends it:
    `ttft`, `tpot`, `prefill` where prompts come as fast as they can be prefilled, `memory`, or `none` where not
    even one request keeps it. `token_times` is a token's time by part against the batch of an instance, `guess_lengths` what each number of tokens guessed ahead gains at the scenario's load. A scenario that serves no model is refused.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(view_json(latency_view(scenario)))


def latency_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, LatencyView)), **request_shapes(REQUEST, NoOptions)}
