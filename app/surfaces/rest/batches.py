"""Many unlike scenarios in one request, each answered on its own and as soon as it is computed, in the order sent.

A batch has one worker at a time, so that others have their turn between two of its scenarios. A scenario is computed
when the reader has taken the answer before it, and none after the reader has left.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from app.catalog.lookup import Catalog, CatalogLookupError
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.evaluation.summary import figure_values
from app.scenarios.fields import Part
from app.scenarios.load import build_document, build_scenario
from app.surfaces.rest.bodies import JSON, BatchBodyDep, Body, read_body
from app.surfaces.rest.evaluations import evaluation_answer
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INTERNAL_ERROR, NOT_FOUND, TOO_BUSY
from app.surfaces.rest.problems import ProblemError, json_bytes, problem_content
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.scenario_requests import PROBLEMS, examples_body, small_scenario
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import REFERENCE, SCENARIO

logger = logging.getLogger(__name__)
router = APIRouter(tags=["evaluations"])

LINES = "application/x-ndjson"
HEADERS = {"cache-control": PRIVATE, "x-accel-buffering": "no"}  # proxies send on what they get at once
REQUEST = "EvaluationBatch"
LINE = "EvaluationBatchLine"
SCENARIOS = "scenarios"
MOST_SCENARIOS = 1_000
SCENARIOS_PER_REQUEST = 10
"""Number of scenarios of a batch that count as one request where a server limits requests."""


class BatchOptions(Part):
    """Options of every scenario of a batch."""

    figures: list[str] = Field(
        default=[],
        max_length=100,
        description="Places of the figures to return, such as performance.mfu; without any, whole evaluations.",
    )


@dataclass
class _Batch:
    """Scenarios that wait, and answers that a later one has in common."""

    scenarios: list[Any]
    figures: tuple[str, ...]
    catalog: Catalog
    keys: list[bytes | None]
    left: Counter[bytes]
    kept: dict[bytes, bytes] = field(default_factory=dict)
    kept_bytes: int = 0


@router.post(
    "/evaluations:batch",
    summary="Evaluate many scenarios",
    response_class=Response,
    responses={
        200: {
            "description": "The answers in the order of the scenarios; or a line of JSON for each where Accept asks "
            "for application/x-ndjson.",
            "content": {
                JSON: {"schema": {"type": "array", "items": {"$ref": REFERENCE.format(model=LINE)}}},
                LINES: {"schema": {"type": "string", "description": f"Lines of JSON, each {LINE}."}},
            },
        },
        **PROBLEMS,
    },
    openapi_extra=examples_body(
        REQUEST,
        "Up to 1,000 scenarios of any kind, and the figures to return.",
        {
            "edge_node": {
                "summary": "Two figures of two scenarios",
                "value": {
                    "scenarios": [small_scenario(), {**small_scenario(), "name": "The same again"}],
                    "figures": ["cost.tco_usd", "power.utility_mean_w"],
                },
            }
        },
    ),
    dependencies=[only()],
)
async def evaluate_batch(request: Request, body: BatchBodyDep, found: ServicesDep) -> Response:
    """Up to 1,000 scenarios, which may differ in everything, each answered as soon as it is computed, in the order sent: its
    `index` with its `evaluation`, with the `figures` that were chosen, or with the `problem` that keeps it from being
    evaluated, which leaves the others as they are. Chosen figures take less time than whole evaluations and equal
    theirs. Scenarios that are identical are computed once. The answer is a list; with `Accept: application/x-ndjson` it
    is a line of JSON for each scenario. Closing the connection stops the work.
    """
    batch = await found.workers.run(_batch, body, found)
    if spend := getattr(request.state, "spend", None):
        spend((len(batch.scenarios) - 1) // SCENARIOS_PER_REQUEST)
    lines = _lines(request, found, batch)
    if LINES in request.headers.get("accept", ""):
        return StreamingResponse(lines, media_type=LINES, headers=HEADERS)
    return StreamingResponse(_list(lines), media_type=JSON, headers=HEADERS)


def _batch(body: Body, found: Services) -> _Batch:
    values = read_body(body, found.limits, found.limits.most_batch_values).values
    if not isinstance(values, dict):
        raise ScenarioError([_fault("", "mapping", "The body is not a mapping.", "It has scenarios.")])
    scenarios = values.pop(SCENARIOS, None)
    faults = []
    if not isinstance(scenarios, list):
        faults.append(_fault(SCENARIOS, "required", "must be a list of scenarios.", "Send 1 to 1,000."))
    elif not 1 <= len(scenarios) <= MOST_SCENARIOS:
        message = f"has {len(scenarios):,} scenarios; 1 to {MOST_SCENARIOS:,} are evaluated in one request."
        faults.append(_fault(SCENARIOS, "length", message, "Send the others in further requests."))
    try:
        options = build_document(BatchOptions, values)
    except ScenarioError as error:
        faults += error.errors
    if faults:
        raise ScenarioError(faults)
    keys = [_key(scenario) for scenario in scenarios]
    return _Batch(
        scenarios=scenarios,
        figures=tuple(dict.fromkeys(options.figures)),
        catalog=found.catalog(),
        keys=keys,
        left=Counter(key for key in keys if key is not None),
    )


async def _lines(request: Request, found: Services, batch: _Batch) -> AsyncIterator[bytes]:
    for index in range(len(batch.scenarios)):
        if await request.is_disconnected():
            return
        try:
            members = await _in_a_worker(found, batch, index)
        except Exception as error:  # the answer has begun, and the other scenarios are to have theirs
            members = json_bytes({"problem": _problem(request, found, error, index)})
        # what precedes is the index, so that scenarios may have the rest in common
        yield b'{"index":%d,%s\n' % (index, members[1:])


async def _list(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same lines as one JSON list."""
    before = b"[\n"
    async for line in lines:
        yield before + line.rstrip(b"\n")
        before = b",\n"
    yield b"\n]\n"


async def _in_a_worker(found: Services, batch: _Batch, index: int) -> bytes:
    """The members of a line; a busy server is waited for as long as an evaluation may take."""
    until = time.monotonic() + found.limits.time_limit_s
    while True:
        try:
            return await found.workers.run(_members, found, batch, index)
        except ProblemError as error:
            if error.kind is not TOO_BUSY or time.monotonic() > until:
                raise
        await asyncio.sleep(found.limits.retry_after_s)


def _members(found: Services, batch: _Batch, index: int) -> bytes:
    key, values = batch.keys[index], batch.scenarios[index]
    batch.scenarios[index] = None  # it is needed no longer
    if key is None:
        return _computed(found, batch, values)
    batch.left[key] -= 1
    members = batch.kept.get(key) or _computed(found, batch, values)
    if not batch.left[key]:
        batch.kept_bytes -= len(batch.kept.pop(key, b""))
    elif key not in batch.kept and batch.kept_bytes + len(members) <= found.limits.most_batch_kept_bytes:
        batch.kept[key] = members
        batch.kept_bytes += len(members)
    return members


def _computed(found: Services, batch: _Batch, values: Any) -> bytes:
    scenario = evaluate_scenario(found.expanded(build_scenario(values)), batch.catalog)
    if not batch.figures:
        return json_bytes({"evaluation": evaluation_answer(scenario)})
    evaluation = scenario.evaluation
    try:
        chosen = figure_values(batch.figures, evaluation.sections, field="figures")
    except ScenarioError as error:  # of the request, not of the scenario
        raise scenario_problem(error, found.limits) from None
    return json_bytes({"name": scenario.document.name, "feasible": evaluation.feasible, "figures": chosen})


def _problem(request: Request, found: Services, error: Exception, index: int) -> dict[str, Any]:
    """Why a scenario has no evaluation, in the shape of every problem of the API."""
    request_id = getattr(request.state, "request_id", "")
    if isinstance(error, ScenarioError):
        problem = scenario_problem(error, found.limits, above=f"/{SCENARIOS}/{index}")
    elif isinstance(error, ProblemError):
        problem = error
    elif isinstance(error, CatalogLookupError):
        problem = ProblemError(NOT_FOUND, f"{str(error)[:1].upper()}{str(error)[1:]}.")
    elif (said := found.storage_problem(error)) is not None:
        problem = said
    else:
        logger.error("scenario %d of a batch failed", index, exc_info=error)
        problem = ProblemError(INTERNAL_ERROR, f"The server log says why, under {request_id}.")
    return problem_content(
        problem.kind,
        problem.detail,
        instance=request.url.path,
        request_id=request_id,
        errors=problem.errors,
    )


def _key(scenario: Any) -> bytes | None:
    """Key common to identical scenarios; None for what cannot be a scenario, such as 1e999."""
    try:
        return hashlib.sha256(orjson.dumps(scenario, option=orjson.OPT_SORT_KEYS)).digest()
    except TypeError:
        return None


def _fault(path: str, rule: str, message: str, hint: str) -> InputError:
    return InputError(path=path, value=None, rule=rule, message=message, hint=hint)


def batch_schemas() -> dict[str, Any]:
    """JSON Schemas of a batch and of a line of its answer, by name."""
    asked = BatchOptions.model_json_schema(ref_template=REFERENCE)
    scenarios = {
        "type": "array",
        "items": SCENARIO,
        "minItems": 1,
        "maxItems": MOST_SCENARIOS,
        "description": "Scenarios of any kind.",
    }
    asked["properties"] = {SCENARIOS: scenarios, **asked["properties"]}
    line = {
        "type": "object",
        "title": LINE,
        "description": "The answer to one scenario: evaluation, figures or problem.",
        "properties": {
            "index": {"type": "integer", "description": "Place of the scenario in the request, from 0."},
            "evaluation": {"$ref": REFERENCE.format(model="Evaluation")},
            "name": {"type": "string"},
            "feasible": {"type": "boolean"},
            "figures": {
                "type": "object",
                "description": "Values of the chosen figures by place; null where unknown or not applicable.",
                "additionalProperties": {"type": ["number", "array", "null"], "items": {}},
            },
            "problem": {"$ref": REFERENCE.format(model="Problem")},
        },
        "required": ["index"],
    }
    return {REQUEST: asked | {"title": REQUEST, "required": [SCENARIOS]}, LINE: line}
