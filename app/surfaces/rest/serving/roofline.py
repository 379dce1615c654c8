"""Prefill and decode on the roofline of the accelerator."""

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
from app.views.serving.roofline import RooflineView, roofline_view
from app.views.view import NoOptions

router = APIRouter()

TITLE, REQUEST = "ServingRoofline", "ServingRooflineRequest"


@router.post(
    "/roofline",
    summary="Put prefill and decode on the roofline",
    responses={200: json_answer(TITLE, "The roof, and points of both phases."), **PROBLEMS},
    openapi_extra=served_body(REQUEST, "A scenario that serves a model."),
    dependencies=[only()],
)
async def show_roofline(body: BodyDep, found: ServicesDep) -> Response:
    """Arithmetic intensity and FLOP/s of one accelerator for decode, by sequences of an instance, and for prefill, by
    prompts that share a pass; `attainable_flop_per_s` is what the memory bandwidth of the data sheet and the dense peak
    allow there.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(view_json(roofline_view(scenario)))


def roofline_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, RooflineView)), **request_shapes(REQUEST, NoOptions)}
