"""Asking for a fleet: it is run by a job, whose address is given; and its answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.jobs.fleets import FleetPlan, answer_of, document_of
from app.jobs.records import Job, NoSuchJobError
from app.jobs.store import Key
from app.scenarios.errors import ScenarioError
from app.scenarios.fields import Line, Part
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.surfaces.rest.bodies import JSON, BatchBodyDep, Body, read_body
from app.surfaces.rest.documented import OF_A_BODY, RETRY_AFTER, json_answer, problem_answers
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.jobs import ADDRESS, JobAnswer, started
from app.surfaces.rest.parameters import only
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY, REPLAYED, idempotency_key, request_hash
from app.surfaces.rest.problem_types import INVALID_FLEET, NOT_FOUND
from app.surfaces.rest.problems import ProblemError, json_response
from app.surfaces.rest.saved.declared import LOCATION, MAKING, READING
from app.surfaces.rest.saved.saving import PRIVATE, in_a_worker
from app.surfaces.rest.scenario_requests import examples_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, with_unknown
from app.views.fleet.answer import FleetAnswer
from app.views.fleet.asked import asked_fleet
from app.views.fleet.compared import MOST, FleetComparison, compared_fleets
from app.views.fleet.used import with_utilisation
from app.views.plain import report_json

router = APIRouter(prefix="/fleets", tags=["jobs"])
ANSWER, COMPARISON = "FleetAnswer", "FleetComparison"
EXAMPLE_FLEET = "f1ee7f1ee7f1ee7f1ee7f1ee7f1ee7f1"
EXAMPLE_OTHER = "f1ee7f1ee7f1ee7f1ee7f1ee7f1ee7f2"
Id = Annotated[str, Path(description="id of its job.", examples=[EXAMPLE_FLEET])]

EXAMPLES: dict[str, Any] = {
    "classes": {
        "summary": "Two classes on one pod",
        "value": {
            "name": "A shared pod",
            "days": 4,
            "warmup_days": 1,
            "replications": 2,
            "classes": [
                {"name": "Research", "jobs_per_hour": 2, "sizes": [1, 2, 4, 8], "duration_hours": 2},
                {
                    "name": "Training",
                    "jobs_per_hour": 0.1,
                    "sizes": [32],
                    "duration_hours": 10,
                    "priority": 5,
                },
            ],
            "pods": [{"name": "Pod", "supernodes": 8, "accelerators": 8}],
            "policies": ["fifo", "preemption"],
        },
    },
    "trace": {
        "summary": "Recorded jobs",
        "value": {
            "trace": {"csv": "arrival_s,accelerators,duration_s\n0,4,3600\n60,8,600\n"},
            "pods": [{"supernodes": 1, "accelerators": 8}],
            "policies": ["easy"],
            "replications": 1,
        },
    },
}


@router.post(
    "",
    status_code=202,
    summary="Start a fleet",
    response_model=JobAnswer,
    response_description="The job that runs it.",
    responses={
        202: {"headers": {**LOCATION, **RETRY_AFTER, **REPLAYED}},
        **problem_answers(*dict.fromkeys((*MAKING, *OF_A_BODY, INVALID_FLEET))),
    },
    openapi_extra={
        **examples_body("FleetDocument", "Jobs, pods and policies.", EXAMPLES),
        "parameters": [IDEMPOTENCY_KEY],
    },
    dependencies=[only()],
)
async def start_fleet(request: Request, body: BatchBodyDep, found: ServicesDep) -> Response:
    """A stream of jobs on one or several pods, under each of its policies, with replications. The fleet is
    checked at once and run by a job: its address is in `Location`, to be asked for its state after the
    seconds of `Retry-After`.
    """
    key = idempotency_key(request)
    once = None if key is None else Key(key=key, request_hash=request_hash(request, body.content))
    return await in_a_worker(found, _start, found, body, once)


@router.get(
    "/{id}",
    name="read_fleet_answer",
    summary="Read the answer of a fleet",
    response_class=Response,
    responses={200: json_answer(ANSWER, "Policies, waiting and findings."), **problem_answers(*READING)},
    dependencies=[only()],
)
def read_fleet(id: Id, found: ServicesDep) -> Response:
    """Utilisation, waiting by class, deadlines, energy, carbon and cost of each policy with 95 % intervals,
    and what was looked for. A job that still runs gives what is stored so far. Null is unknown, or without
    end.
    """
    return json_response(report_json(_answer(found, id)), {"cache-control": PRIVATE})


class UseBody(Part):
    """A design that takes the utilisation of a fleet."""

    design: Line = Field(description="Key of an example or id of a saved scenario.")


@router.post(
    "/{id}/use",
    summary="Use the utilisation of a fleet in a design",
    response_class=Response,
    responses={
        200: json_answer("ScenarioDocument", "The scenario, to be evaluated or saved."),
        **problem_answers(*dict.fromkeys((*READING, *OF_A_BODY, INVALID_FLEET))),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": "The design.",
            "content": {
                JSON: {
                    "schema": UseBody.model_json_schema(),
                    "examples": {"edge": {"summary": "An example", "value": {"design": "edge_node"}}},
                }
            },
        }
    },
    dependencies=[only()],
)
async def use_fleet(id: Id, body: BatchBodyDep, found: ServicesDep) -> Response:
    """The document of a design with the productive share of the fleet, under its last policy, as
    `economics.utilisation`. Nothing is saved. A study takes the same number in its `economics`.
    """
    return await in_a_worker(found, _use, found, id, body)


def _use(found: Services, id: str, body: Body) -> Response:
    answer = _answer(found, id)
    read = read_body(body, found.limits)
    try:
        wanted = build_document(UseBody, read.values, read.positions)
        scenario = with_utilisation(found.named(wanted.design).document, answer.utilisation)
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_FLEET) from None
    return json_response(scenario.as_dict(), {"cache-control": PRIVATE})


@router.get(
    "/{id}/comparison",
    summary="Compare fleets",
    response_class=Response,
    responses={200: json_answer(COMPARISON, "Figures side by side, and inputs that differ."), **problem_answers(*READING, INVALID_FLEET)},
    dependencies=[only("with", "policy")],
    openapi_extra={
        "parameters": [
            {"name": "with", "in": "query", "required": True, "description": "Ids of one to five other runs, with commas.",
             "schema": {"type": "string", "maxLength": 200}, "example": EXAMPLE_OTHER},
            {"name": "policy", "in": "query", "required": False, "description": "Key of a policy; the last of each when left out.",
             "schema": {"type": "string", "maxLength": 40}, "example": "easy"},
        ]
    },
)  # fmt: skip
def compare_fleets(id: Id, request: Request, found: ServicesDep) -> Response:
    """Figures of two to six runs, each under one policy, and the fields in which their documents differ."""
    others = [one for one in request.query_params.get("with", "").split(",") if one]
    try:
        each = [
            (one, job.name, document_of(job).as_dict(), answer_of(found.jobs, job))
            for one in dict.fromkeys((id, *others[:MOST]))
            for job in (_job(found, one),)
        ]
        comparison = compared_fleets(each, request.query_params.get("policy", ""))
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_FLEET) from None
    return json_response(report_json(comparison), {"cache-control": PRIVATE})


def _answer(found: Services, id: str) -> FleetAnswer:
    return answer_of(found.jobs, _job(found, id))


def _job(found: Services, id: str) -> Job:
    try:
        job = found.jobs.get(id)
    except NoSuchJobError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None
    if job.kind != "fleet":
        raise ProblemError(NOT_FOUND, f"Job {id} is no fleet: its results are at {ADDRESS}/{id}/results.")
    return job


def _start(found: Services, body: Body, once: Key | None) -> Response:
    found.jobs.require("write")
    read = read_body(body, found.limits)
    try:
        document = build_document(FleetDocument, read.values, read.positions)
        whole = asked_fleet(document, found.named)
        job, before = found.jobs.start(FleetPlan(whole, found.catalog()), key=once)
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_FLEET) from None
    return started(job, before=bool(before), retry_after_s=found.limits.retry_after_s)


def fleet_schemas() -> dict[str, Any]:
    """JSON Schemas of the answer, by name."""
    shapes = {**answer_shapes(ANSWER, FleetAnswer, {}), **answer_shapes(COMPARISON, FleetComparison, {})}
    return {name: with_unknown(shape) for name, shape in shapes.items()}
