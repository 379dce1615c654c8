"""Memory of an accelerator that serves, against batch."""

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
from app.views.serving.memory import MemoryView, memory_view
from app.views.view import NoOptions

router = APIRouter()

TITLE, REQUEST = "ServingMemory", "ServingMemoryRequest"


@router.post(
    "/memory",
    summary="Show memory against batch",
    responses={200: json_answer(TITLE, "Parts by batch, and what fits."), **PROBLEMS},
    openapi_extra=served_body(REQUEST, "A scenario that serves a model."),
    dependencies=[only()],
)
async def show_memory(body: BodyDep, found: ServicesDep) -> Response:
    """Memory of an accelerator of a decode instance by part, against the sequences that the instance holds, up to more
    than fit. `batch_limit` sequences fit into `usable_bytes`, what the engine takes of the memory that is fitted.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(view_json(memory_view(scenario)))


def memory_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, MemoryView)), **request_shapes(REQUEST, NoOptions)}
