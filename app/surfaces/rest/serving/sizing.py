"""From a demand to hardware."""

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
from app.views.serving.sizing import SizingView, sizing_view
from app.views.view import NoOptions

router = APIRouter()

TITLE, REQUEST = "ServingSizing", "ServingSizingRequest"


@router.post(
    "/sizing",
    summary="Size a pod for a demand",
    responses={200: json_answer(TITLE, "Steps from the demand to SuperNodes."), **PROBLEMS},
    openapi_extra=served_body(REQUEST, "A scenario that serves a model."),
    dependencies=[only()],
)
async def size_pod(body: BodyDep, found: ServicesDep) -> Response:
    """From `workload.demand` and `workload.service_level` to replicas, accelerators and SuperNodes, with growth, the
    busiest hour, and spares for failures; `rows` spells every step out. `split` is the ratio of prefill to decode
    instances that keeps both busy, `binds` what ends the load of a replica (ttft, tpot, memory, prefill or none), `relaxed` what it would answer if one thing
    were otherwise; `demand_hours` the hours of a demand that states them, and what instances that follow it save. Without a
    demand what is needed is null.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(view_json(sizing_view(scenario)))


def sizing_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, SizingView)), **request_shapes(REQUEST, NoOptions)}
