"""The answer of a study: as JSON, as CSV, or as lines of progress with rows as they are found and the answer
last.

The work is done a few pods at a time by the workers that serve everybody, and ends with its reader.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.surfaces.files.file_name import content_disposition
from app.surfaces.rest.bodies import JSON, Body, BodyDep, read_body
from app.surfaces.rest.documented import OF_A_BODY, problem_answers
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_STUDY, TOO_BUSY, TOOK_TOO_LONG
from app.surfaces.rest.problems import ProblemError, json_bytes, json_response, problem_content
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.scenario_requests import examples_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, with_unknown
from app.views.plain import report_json
from app.views.study.answer import StudyProgress
from app.views.study.report import StudyAnswer
from app.views.study.text import study_csv

router = APIRouter(tags=["searches"])

TITLE = "StudyAnswer"
CSV = "text/csv"
LINES = "application/x-ndjson"
ANSWERS = {
    JSON: {"schema": {"$ref": f"#/components/schemas/{TITLE}"}},
    LINES: {
        "schema": {
            "type": "string",
            "description": "Lines of JSON: progress with the rows so far, and the answer as the last.",
        }
    },
    CSV: {"schema": {"type": "string", "description": "A row a candidate."}},
}
HEADERS = {"cache-control": PRIVATE, "vary": "accept"}
STREAMED = {"x-accel-buffering": "no"}  # proxies send on what they get at once
EXAMPLES: dict[str, Any] = {
    "small": {
        "summary": "A small model by a date",
        "value": {
            "name": "8B in three weeks",
            "workload": {
                "training": {
                    "kind": "training",
                    "model": "llama_3_1_8b",
                    "tokens": 1e12,
                    "sequence_length": 8192,
                    "global_batch_sequences": 512,
                }
            },
            "limits": {"finish_within_days": 21, "finish_probability": 0.8, "capex_usd": 20e6},
            "candidates": {
                "systems": ["dgx_h100"],
                "supernodes": {"from": 4, "to": 16},
                "sites": ["ashburn"],
            },
        },
    }
}
Step = StudyProgress | StudyAnswer


@router.post(
    "/study",
    summary="Answer a study",
    response_class=Response,
    responses={
        200: {"description": "Ranked alternatives, and what was looked at.", "content": ANSWERS},
        **problem_answers(INVALID_STUDY, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra=examples_body("StudyDocument", "A question, its limits and its candidates.", EXAMPLES),
    dependencies=[only()],
)
async def answer_study(request: Request, body: BodyDep, found: ServicesDep) -> Response:
    """The designs that keep every limit with the probability asked for, ranked, and the nearest misses;
    counts are exact to one SuperNode. `Accept: application/x-ndjson` answers with a line of JSON after each
    block, `{"done": ..., "total": ..., "rows": [...]}`, and `{"answer": ...}` as the last; closing the
    connection stops the work. `Accept: text/csv` answers with the rows.
    """
    steps = await found.workers.run(_steps, body, found)
    accept = request.headers.get("accept", "")
    first = await _next(steps, found)
    if LINES in accept:
        lines = _lines(request, found, steps, first)
        return StreamingResponse(lines, media_type=LINES, headers=HEADERS | STREAMED)
    answer = await _answered(request, found, steps, first)
    if CSV in accept and JSON not in accept:
        name = content_disposition(answer.name, ".csv")
        return Response(
            study_csv(answer.rows), media_type=CSV, headers=HEADERS | {"content-disposition": name}
        )
    return json_response(report_json(answer), HEADERS)


async def answered_body(request: Request, body: Body, found: Services) -> StudyAnswer:
    """The answer of the study of a body in one go, within the time that one request may take.

    Raises
    ------
    ProblemError : it cannot be answered, takes longer, or too much is under way
    """
    steps = await found.workers.run(_steps, body, found)
    return await _answered(request, found, steps, await _next(steps, found))


def _steps(body: Body, found: Services) -> Iterator[Step]:
    read = read_body(body, found.limits)
    try:
        study = build_document(StudyDocument, read.values, read.positions)
        return found.studies.steps(study, found.catalog())
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_STUDY) from None


async def _next(steps: Iterator[Step], found: Services) -> Step:
    try:
        return await found.workers.run(next, steps)
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_STUDY) from None


async def _answered(request: Request, found: Services, steps: Iterator[Step], first: Step) -> StudyAnswer:
    """The answer in one go, within the time that one request may take.

    Raises
    ------
    ProblemError : it takes longer, or too much is under way
    """
    until, step = time.monotonic() + found.limits.time_limit_s, first
    while not isinstance(step, StudyAnswer):
        if time.monotonic() > until or await request.is_disconnected():
            raise ProblemError(
                TOOK_TOO_LONG,
                f"{step.done:,} of {step.total:,} numbers of SuperNodes were evaluated in {found.limits.time_limit_s:g} s. "
                f"Ask for fewer candidates, or with Accept: {LINES}, which has no such limit.",
                headers={"retry-after": str(found.limits.retry_after_s)},
            )
        step = await _next(steps, found)
    return step


async def _lines(
    request: Request, found: Services, steps: Iterator[Step], first: Step
) -> AsyncIterator[bytes]:
    """A line a step.

    The next one is computed when the reader has taken this one, and none after it has left.
    """
    step = first
    try:
        while not isinstance(step, StudyAnswer):
            yield json_bytes({"done": step.done, "total": step.total, "rows": report_json_rows(step)}) + b"\n"
            if await request.is_disconnected():
                return
            step = await _next(steps, found)
        yield json_bytes({"answer": report_json(step)}) + b"\n"
    except ProblemError as problem:  # the answer has begun, so the problem is its last line
        content = problem_content(
            problem.kind,
            problem.detail,
            instance=request.url.path,
            request_id=getattr(request.state, "request_id", ""),
            errors=problem.errors,
        )
        yield json_bytes({"problem": content}) + b"\n"


def report_json_rows(step: StudyProgress) -> list[Any]:
    """The rows so far as plain values."""
    return [report_json(row) for row in step.rows]


def study_schemas() -> dict[str, Any]:
    """JSON Schemas of the answer and its parts, by name."""
    return {
        name: with_unknown(schema, known=("rank", "supernodes", "search_time_s"))
        for name, schema in answer_shapes(TITLE, StudyAnswer).items()
    }
