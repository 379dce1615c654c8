"""The timeline of one training step."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, options_and_evaluation, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes
from app.views.plain import report_json
from app.views.timeline import TimelineView, timeline_view
from app.views.view import NoOptions

router = APIRouter(tags=["evaluations"])
TITLE, REQUEST = "StepTimeline", "StepTimelineRequest"


@router.post(
    "/step-timelines",
    summary="Simulate a training step",
    responses={200: json_answer(TITLE, "Stages, and the operations of each."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario that trains a model on one kind of SuperNode."),
    dependencies=[only()],
)
async def simulate_step_timeline(body: BodyDep, found: ServicesDep) -> Response:
    """When every pipeline stage computes, waits and sends in one step: an event simulation in the order of the
    schedule, beside the closed form that the step time is predicted with. `operations` has a list for each field, up to
    about 30,000 operations; a longer step is shown with fewer micro-batches.
    """
    return await found.workers.run(_timeline, body, found)


def _timeline(body: Body, found: Services) -> Response:
    _, scenario = options_and_evaluation(NoOptions, body, found)
    return json_response(report_json(timeline_view(scenario)))


def step_timeline_schemas() -> dict[str, Any]:
    """JSON Schemas of request and answer, by name."""
    return {**answer_shapes(TITLE, TimelineView), **request_shapes(REQUEST, NoOptions)}
