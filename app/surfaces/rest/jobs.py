"""Jobs: how far they are, what came of them, and stopping one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from app.jobs.records import Job, NoSuchJobError, State
from app.jobs.results import Results, csv_parts, job_values, json_parts
from app.scenarios.errors import shorten
from app.surfaces.rest.bodies import JSON
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.documented import RETRY_AFTER, problem_answers, query_parameter
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, bad_cursor, page_answer, read_limit
from app.surfaces.rest.parameters import given_parameters, only, parameter_problem
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    FOREIGN_SITE,
    INVALID_PARAMETER,
    NOT_FOUND,
    NOT_READY,
    READ_ONLY,
)
from app.surfaces.rest.problems import ProblemError, json_bytes, json_response
from app.surfaces.rest.saved.answers import time_text
from app.surfaces.rest.saved.declared import READING, Id
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.services import Services, ServicesDep

router = APIRouter(prefix="/jobs", tags=["jobs"])

CSV = "text/csv"
MOST_ROWS = 100_000
USUAL_ROWS = 10_000
START = query_parameter(
    "start", "Index of the first design.", {"type": "integer", "minimum": 0, "maximum": 10**9, "default": 0}
)
ROWS = query_parameter(
    "limit",
    f"Designs in the answer. JSON has {USUAL_ROWS:,} without it; CSV has all.",
    {"type": "integer", "minimum": 1, "maximum": MOST_ROWS},
)


class JobAnswer(Answer):
    """A sweep or fleet that was asked for."""

    id: str
    kind: Literal["sweep", "fleet"]
    name: str
    state: State
    total: int = Field(description="Designs of a sweep, or tasks of a fleet.")
    done: int = Field(description="Those whose results are stored.")
    feasible: int = Field(description="Those of them that can be built as they are.")
    cancel_requested: bool
    error: str = Field(description="Why it failed, empty where it did not.")
    axes: list[str] = Field(description="Fields that vary; none of a fleet.")
    outputs: list[str] = Field(description="Figures that are kept of each design.")
    created_at: str
    started_at: str | None
    finished_at: str | None
    engine_version: str
    catalog_revision: str
    results: str = Field(description="Address of the results.")


class JobsAnswer(Answer):
    """A page of jobs, the newest first."""

    items: list[JobAnswer]
    next: str | None


class JobResultsAnswer(Answer):
    """Results as columns: every list has one entry a design, in the order of index."""

    job: str
    name: str
    total: int
    start: int
    stored: int = Field(description="Designs of the job whose results are stored.")
    index: list[int]
    inputs: dict[str, list[bool | float | str]] = Field(description="Values of each axis, by field.")
    outputs: dict[str, list[float | None]] = Field(description="Figures by place; null where unknown.")
    feasible: list[bool]
    limit: list[str] = Field(
        description="First limit violated by each design, such as memory; empty where it is feasible."
    )


def job_answer(job: Job) -> dict[str, Any]:
    """A job as plain values, with its axes and the address of its results."""
    times = {"created_at": job.created_at, "started_at": job.started_at, "finished_at": job.finished_at}
    return job_values(job) | {
        **{name: time_text(time) if time else None for name, time in times.items()},
        "axes": [axis["field"] for axis in job.document.get("axes", [])],
        "results": f"/api/v1/fleets/{job.id}" if job.kind == "fleet" else f"{ADDRESS}/{job.id}/results",
    }


ADDRESS = "/api/v1/jobs"


def started(job: Job, *, before: bool, retry_after_s: float) -> Response:
    """The answer to a request that started a job, or whose like had started it `before`."""
    headers = {
        "location": f"{ADDRESS}/{job.id}",
        "retry-after": str(retry_after_s),
        "cache-control": PRIVATE,
    }
    if before:
        headers["idempotency-replayed"] = "true"
    return Response(json_bytes(job_answer(job)), 202, headers=headers, media_type=JSON)


@router.get(
    "",
    summary="List jobs",
    response_model=JobsAnswer,
    response_description="A page of jobs, the newest first.",
    responses={200: {"headers": LINK}, **problem_answers(*READING)},
    openapi_extra={"parameters": [LIMIT, AFTER]},
    dependencies=[only("limit", "after")],
)
def list_jobs(request: Request, found: ServicesDep) -> Response:
    """Sweeps and fleets of the workspace that wait, run, or are over; the Link header leads to the next
    page."""
    given = given_parameters(request)
    try:
        page = found.jobs.listed(limit=read_limit(given, found.limits), after=given.get("after"))
    except NoSuchJobError:
        raise bad_cursor() from None
    content, headers = page_answer([job_answer(job) for job in page.items], page.next, ADDRESS, given)
    return json_response(content, {**headers, "cache-control": PRIVATE})


@router.get(
    "/{id}",
    summary="Read a job",
    response_model=JobAnswer,
    response_description="The job as it is now.",
    responses={200: {"headers": RETRY_AFTER}, **problem_answers(*READING)},
    dependencies=[only()],
)
def read_job(id: Id, found: ServicesDep) -> Response:
    """Progress of a job. While it is not over, `Retry-After` says when to ask again."""
    job = _job(found, id)
    headers = {} if job.is_over else {"retry-after": str(found.limits.retry_after_s)}
    return json_response(job_answer(job), {**headers, "cache-control": PRIVATE})


@router.delete(
    "/{id}",
    summary="Cancel a job",
    response_model=JobAnswer,
    response_description="The job; a running one is cancelled within a second or two.",
    responses=problem_answers(
        INVALID_PARAMETER, NOT_FOUND, FOREIGN_SITE, READ_ONLY, DATABASE_BUSY, NOT_READY
    ),
    dependencies=[only()],
)
def cancel_job(id: Id, found: ServicesDep) -> Response:
    """Stops a job; what is stored of it stays. One that is over stays as it is."""
    try:
        return json_response(job_answer(found.jobs.cancel(id)), {"cache-control": PRIVATE})
    except NoSuchJobError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None


@router.get(
    "/{id}/results",
    summary="Read the results of a job",
    response_model=JobResultsAnswer,
    responses={
        200: {
            "description": "Columns as JSON, or rows as CSV where Accept asks for text/csv.",
            "content": {CSV: {"schema": {"type": "string"}}},
            "headers": LINK,
        },
        **problem_answers(*READING),
    },
    openapi_extra={"parameters": [START, ROWS]},
    dependencies=[only("start", "limit")],
)
def read_job_results(id: Id, request: Request, found: ServicesDep) -> Response:
    """Designs by their axes, and their results. A job that still runs gives what is stored so far.
    Columns come a page at a time: the Link header leads to the next. CSV comes whole, as it is read.
    """
    given = given_parameters(request)
    start = _whole(given, "start", 0, 10**9) or 0
    rows = _whole(given, "limit", 1, MOST_ROWS)
    job = _job(found, id)
    if job.kind != "sweep":
        raise ProblemError(NOT_FOUND, f"Job {id} is no sweep: its results are at /api/v1/fleets/{id}.")
    results = Results(found.jobs, job)
    headers = {"cache-control": PRIVATE, "vary": "accept"}
    if _prefers_csv(request):
        stop = None if rows is None else start + rows
        return StreamingResponse(
            _unbroken(csv_parts(results, start, stop)), media_type=CSV, headers=headers | _named(job)
        )
    stop = start + (rows or USUAL_ROWS)
    if stop < job.total:
        following = f"{ADDRESS}/{job.id}/results?start={stop}&limit={stop - start}"
        headers["link"] = f'<{following}>; rel="next"'
    return Response(b"".join(json_parts(results, start, stop)), media_type=JSON, headers=headers)


def _job(found: Services, id: str) -> Job:
    try:
        return found.jobs.get(id)
    except NoSuchJobError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None


def _prefers_csv(request: Request) -> bool:
    """Return whether an Accept header asks for CSV. Only an explicit wish does: */* is for what is the default."""
    accept = request.headers.get("accept", "")
    return CSV in accept and JSON not in accept


def _named(job: Job) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="sweep-{job.id[:8]}.csv"'}


def _unbroken(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The same parts, the first made at once: a failure before it is still a problem answer."""
    first = next(parts)

    def rest() -> Iterator[bytes]:
        yield first
        yield from parts

    return rest()


def _whole(given: dict[str, str], name: str, least: int, most: int) -> int | None:
    """A whole number of the address.

    Raises
    ------
    ProblemError : it is none, or out of range
    """
    text: Any = given.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        message = f"{shorten(text)} is not a whole number from {least:,} to {most:,}."
        raise parameter_problem(name, "range", message)
    return int(text)
