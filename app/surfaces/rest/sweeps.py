"""Asking for a sweep: it is made by a job, whose address is given."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.jobs.asked import asked_sweep
from app.jobs.store import Key
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import SweepDocument
from app.surfaces.rest.bodies import Body, BodyDep, read_body
from app.surfaces.rest.documented import OF_A_BODY, RETRY_AFTER, problem_answers
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.jobs import JobAnswer, started
from app.surfaces.rest.parameters import only
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY, REPLAYED, idempotency_key, request_hash
from app.surfaces.rest.problem_types import INVALID_SWEEP
from app.surfaces.rest.saved.declared import LOCATION, MAKING
from app.surfaces.rest.saved.saving import in_a_worker
from app.surfaces.rest.scenario_requests import examples_body
from app.surfaces.rest.services import Services, ServicesDep

router = APIRouter(tags=["jobs"])

EXAMPLES: dict[str, Any] = {
    "prices": {
        "summary": "Two prices of an example",
        "value": {
            "name": "Price of capital and of power",
            "scenario": "edge_node",
            "axes": [
                {"field": "economics.wacc", "values": [0.05, 0.1, 0.15]},
                {"field": "economics.electricity_price_usd_per_kwh", "from": 0.04, "to": 0.2, "steps": 5},
            ],
            "outputs": ["cost.tco_usd", "cost.usd_per_million_tokens"],
        },
    },
    "sample": {
        "summary": "A sample in place of every combination",
        "value": {
            "scenario": "edge_node",
            "axes": [
                {"field": "economics.utilisation", "from": 0.4, "to": 1},
                {"field": "economics.supernode_price_usd", "from": 1e5, "to": 1e6, "scale": "log"},
            ],
            "sample": {"kind": "latin_hypercube", "count": 100, "seed": 7},
        },
    },
}


@router.post(
    "/sweeps",
    status_code=202,
    summary="Start a sweep",
    response_model=JobAnswer,
    response_description="The job that makes it.",
    responses={
        202: {"headers": {**LOCATION, **RETRY_AFTER, **REPLAYED}},
        **problem_answers(*dict.fromkeys((*MAKING, *OF_A_BODY, INVALID_SWEEP))),
    },
    openapi_extra={
        **examples_body("SweepDocument", "A scenario, and the fields of it that vary.", EXAMPLES),
        "parameters": [IDEMPOTENCY_KEY],
    },
    dependencies=[only()],
)
async def start_sweep(request: Request, body: BodyDep, found: ServicesDep) -> Response:
    """Every combination of the values of some fields of a scenario, or a seeded sample of them, each evaluated.
    The sweep is checked at once and made by a job: its address is in `Location`, to be asked for its state after
    the seconds of `Retry-After`.
    """
    key = idempotency_key(request)
    once = None if key is None else Key(key=key, request_hash=request_hash(request, body.content))
    return await in_a_worker(found, _start, found, body, once)


def _start(found: Services, body: Body, once: Key | None) -> Response:
    found.jobs.require("write")
    read = read_body(body, found.limits)
    try:
        document = build_document(SweepDocument, read.values, read.positions)
        job, before = found.jobs.start(asked_sweep(document, found.saved), key=once)
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_SWEEP) from None
    return started(job, before=bool(before), retry_after_s=found.limits.retry_after_s)
