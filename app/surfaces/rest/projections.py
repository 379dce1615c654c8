"""Scaling laws, and what they say of a model and of the design that trains it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, json_answer, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked_of_any, examples_body, small_scenario
from app.surfaces.rest.services import Services, ServicesDep
from app.views.projecting.laws import laws_answer
from app.views.projecting.options import ProjectionOptions
from app.views.projecting.project import project

router = APIRouter(tags=["projections"])


def _examples() -> dict[str, Any]:
    return {
        "compute": {"summary": "The best model for some compute", "value": {"flops": 5.76e23}},
        "deadline": {
            "summary": "The best model that a design trains in 90 days",
            "value": {"scenario": small_scenario(), "deadline_days": 90},
        },
    }


@router.get(
    "/scaling-laws",
    summary="List the scaling laws",
    responses={
        200: json_answer("ScalingLaws", "Every law, the default first.", headers=ETAG),
        304: NOT_MODIFIED,
        **problem_answers(INVALID_PARAMETER),
    },
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_scaling_laws(request: Request) -> Response:
    """Every scaling law with its formula, constants, intervals, source, and where it was fitted."""
    content = laws_answer()
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.post(
    "/projections",
    summary="Project a model by a scaling law",
    responses={
        200: json_answer("Projection", "The model, the best one for its compute, and the design."),
        **PROBLEMS,
    },
    openapi_extra=examples_body(
        "ProjectionRequest",
        "What is known of the model, and a scenario where a deadline or a budget is.",
        _examples(),
    ),
    dependencies=[only()],
)
async def project_model(body: BodyDep, found: ServicesDep) -> Response:
    """From one or two of `parameters`, `tokens`, `flops` and `loss` the others: from one, the compute-optimal
    model. With a `scenario`, the days and the cost on its design; `deadline_days` and `budget_usd` then
    stand for the compute that they leave. Where the law was not fitted, `beyond_fit` says so.
    """
    return await found.workers.run(_projection, body, found)


def _projection(body: Body, found: Services) -> Response:
    return json_response(project(*asked_of_any(ProjectionOptions, body, found)))
