"""Uncertainty of the figures of a scenario: as JSON, as lines of progress with the report last, or the
samples as CSV.

The work is done a block at a time by the workers that serve everybody, so a long answer waits its turn like the
others. It ends with its reader: what is not asked for is not computed, and nothing is kept in the process.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from app.scenarios.errors import ScenarioError
from app.surfaces.files.file_name import content_disposition
from app.surfaces.rest.bodies import JSON, Body, BodyDep
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import TOOK_TOO_LONG
from app.surfaces.rest.problems import ProblemError, json_bytes, json_response, problem_content
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.scenario_requests import PROBLEMS, options_and_evaluation, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes
from app.views.plain import report_json
from app.views.uncertainty.answer import Step, uncertainty_steps
from app.views.uncertainty.report import Answered, UncertaintyOptions, UncertaintyReport, samples_csv

router = APIRouter()

TITLE = "Uncertainty"
REQUEST = "UncertaintyRequest"
CSV = "text/csv"
LINES = "application/x-ndjson"
ANSWERS = {
    JSON: {"schema": {"$ref": f"#/components/schemas/{TITLE}"}},
    LINES: {
        "schema": {"type": "string", "description": "Lines of JSON: progress, and the report as the last."}
    },
    CSV: {"schema": {"type": "string", "description": "A row a sample."}},
}
HEADERS = {"cache-control": PRIVATE, "vary": "accept"}
STREAMED = {"x-accel-buffering": "no"}  # proxies send on what they get at once


@router.post(
    "/uncertainty",
    summary="Quantify the uncertainty of a scenario",
    response_class=Response,
    responses={
        200: {
            "description": "Percentiles, probabilities, and what makes the figures unsure.",
            "content": ANSWERS,
        },
        **PROBLEMS,
    },
    openapi_extra=options_body(
        REQUEST, "A scenario, with its ranges, and what is asked.", samples=512, sobol=False
    ),
    dependencies=[only()],
)
async def show_uncertainty(request: Request, body: BodyDep, found: ServicesDep) -> Response:
    """Every input that is a range is sampled, and the whole evaluation runs on the samples: P10, P50 and P90 of the
    figures, the probability of holding to each limit, what each input does alone (tornado, spider) and to the variance
    (Sobol indices), and the value of information for deciding to own or rent. `Accept: application/x-ndjson`
    answers with a line of JSON after each block, `{"done": ..., "total": ...}`, and `{"report": ...}` as the last;
    closing the connection stops the work. `Accept: text/csv` answers with the samples. The same seed draws the same.
    """
    steps = await found.workers.run(_steps, body, found)
    accept = request.headers.get("accept", "")
    if LINES in accept:
        # whatever cannot be used is refused before the first line
        first = await found.workers.run(next, steps)
        lines = _lines(request, found, steps, first)
        return StreamingResponse(lines, media_type=LINES, headers=HEADERS | STREAMED)
    answered = await _answered(request, found, steps)
    if CSV in accept and JSON not in accept:
        name = content_disposition(f"{answered.report.name} samples", ".csv")
        return StreamingResponse(
            samples_csv(answered.samples),
            media_type="text/csv; charset=utf-8",
            headers=HEADERS | {"content-disposition": name},
        )
    return json_response(report_json(answered.report), HEADERS)


def _steps(body: Body, found: Services) -> Iterator[Step]:
    options, scenario = options_and_evaluation(UncertaintyOptions, body, found)
    return uncertainty_steps(scenario, found.catalog(), options)


async def _answered(request: Request, found: Services, steps: Iterator[Step]) -> Answered:
    """The answer in one go, within the time that one request may take.

    Raises
    ------
    ProblemError : it takes longer, or too much is under way
    """
    until = time.monotonic() + found.limits.time_limit_s
    while True:
        step = await found.workers.run(next, steps)
        if isinstance(step, Answered):
            return step
        if time.monotonic() > until or await request.is_disconnected():
            raise ProblemError(
                TOOK_TOO_LONG,
                f"{step.done:,} of {step.total:,} designs were evaluated in {found.limits.time_limit_s:g} s. Ask for "
                f"fewer samples, or with Accept: {LINES}, which has no such limit.",
                headers={"retry-after": str(found.limits.retry_after_s)},
            )


async def _lines(
    request: Request, found: Services, steps: Iterator[Step], first: Step
) -> AsyncIterator[bytes]:
    """A line a step. The next one is computed when the reader has taken this one, and none after it has left."""
    step = first
    try:
        while not isinstance(step, Answered):
            yield json_bytes({"done": step.done, "total": step.total}) + b"\n"
            if await request.is_disconnected():
                return
            step = await found.workers.run(next, steps)
        yield json_bytes({"report": report_json(step.report)}) + b"\n"
    except (ProblemError, ScenarioError) as error:  # the answer has begun, so the problem is its last line
        problem = error if isinstance(error, ProblemError) else scenario_problem(error, found.limits)
        content = problem_content(
            problem.kind,
            problem.detail,
            instance=request.url.path,
            request_id=getattr(request.state, "request_id", ""),
            errors=problem.errors,
        )
        yield json_bytes({"problem": content}) + b"\n"


def uncertainty_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**answer_shapes(TITLE, UncertaintyReport), **request_shapes(REQUEST, UncertaintyOptions)}
