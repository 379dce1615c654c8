"""Scenarios and their figures as files: of a saved scenario, or of the one in the body."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from app.api.bodies import JSON, YAML, Body, BodyDep, read_body
from app.api.conditional import etag, is_known
from app.api.documented import (
    ETAG,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    OF_A_BODY,
    problem_answers,
    query_parameter,
    scenario_body,
)
from app.api.parameters import only, parameter_problem
from app.api.problem_types import (
    DATABASE_BUSY,
    INVALID_PARAMETER,
    INVALID_SCENARIO,
    NOT_FOUND,
    NOT_READY,
    TOO_BUSY,
    TOOK_TOO_LONG,
)
from app.api.problems import ProblemError
from app.api.saved.declared import Id
from app.api.saved.saving import PRIVATE
from app.api.saved.scenarios import SCENARIOS
from app.api.services import Services, ServicesDep
from app.exports.file_name import content_disposition
from app.exports.formats import FORMATS, NAMES, WHATS, Format, format_of
from app.exports.work import Work, saved_work
from app.scenarios.errors import ScenarioError, shorten
from app.scenarios.load import build_scenario
from app.scenarios.nearest import nearest_names

router = APIRouter(tags=["exports"])

LARGEST_REVISION = 1_000_000_000
FORMAT = query_parameter(
    "format", "The kind of file.", {"type": "string", "enum": list(NAMES), "default": "json"}
)
WHAT = query_parameter(
    "what",
    "The scenario, or the figures of its evaluation. Without it YAML and JSON are of the scenario, CSV and XLSX "
    "of its figures, the only ones that they can hold; YAML holds the scenario only.",
    {"type": "string", "enum": list(WHATS)},
)
REVISION = query_parameter(
    "revision",
    "A revision, with the catalog values of its time. Without it the newest, with those of today.",
    {"type": "integer", "minimum": 1, "maximum": LARGEST_REVISION},
)
Name = Annotated[
    str, Path(description="The kind of file.", json_schema_extra={"enum": list(NAMES)}, examples=["json"])
]
GivenSaved = Annotated[dict[str, str], only("format", "what", "revision")]
GivenPosted = Annotated[dict[str, str], only("what")]


def _file_answer() -> dict[str, Any]:
    disposition = {"description": "attachment, with a name for the file.", "schema": {"type": "string"}}
    content = {one.media_type.partition(";")[0]: {"schema": {"type": "string"}} for one in FORMATS}
    content[JSON] = {"schema": {"type": "object"}}
    content[YAML] = {"schema": {"type": "object"}}
    return {
        "description": "The file.",
        "content": content,
        "headers": {**ETAG, "Content-Disposition": disposition},
    }


@router.get(
    "/scenarios/{id}/export",
    summary="Export a saved scenario",
    responses={
        200: _file_answer(),
        304: NOT_MODIFIED,
        **problem_answers(
            INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG, NOT_READY, DATABASE_BUSY
        ),
    },
    openapi_extra={"parameters": [FORMAT, WHAT, REVISION, IF_NONE_MATCH]},
)
async def export_saved_scenario(id: Id, request: Request, found: ServicesDep, given: GivenSaved) -> Response:
    """The scenario as a file that Podwright reads again, or every figure of its evaluation. Saved designs that
    the scenario names are put in, so that the file means the same everywhere. One revision always gives the
    same file.
    """
    with _of_a_parameter():
        chosen = format_of(given.get("format", "json"), given.get("what"))
    revision = _revision(given.get("revision"))
    return await found.workers.run(_saved_file, found, id, revision, chosen, request)


@router.post(
    "/exports/{format}",
    summary="Export a scenario",
    responses={
        200: _file_answer(),
        **problem_answers(INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body(), "parameters": [WHAT]},
)
async def export_scenario(format: Name, body: BodyDep, found: ServicesDep, given: GivenPosted) -> Response:
    """The scenario of the body in another form, or every figure of its evaluation as a file. Nothing is saved."""
    if format not in NAMES:
        detail = f"There is no format {shorten(format)}. Nearest: {nearest_names(format[:80], NAMES)}."
        raise ProblemError(NOT_FOUND, detail)
    with _of_a_parameter():
        chosen = format_of(format, given.get("what"))
    return await found.workers.run(_posted_file, found, body, chosen)


def _saved_file(found: Services, id: str, revision: int | None, chosen: Format, request: Request) -> Response:
    SCENARIOS.find(found, id)
    return _file(saved_work(found.saved, id, revision), chosen, request)


def _posted_file(found: Services, body: Body, chosen: Format) -> Response:
    read = read_body(body, found.limits)
    document = build_scenario(read.values, read.positions)
    return _file(Work(document, lambda: found.evaluated(document)), chosen)


def _file(work: Work, chosen: Format, request: Request | None = None) -> Response:
    content = chosen.write(work)
    tag = etag(hashlib.sha256(content).hexdigest())
    headers = {"etag": tag, "cache-control": PRIVATE}
    if request is not None and is_known(request, tag):
        return Response(status_code=304, headers=headers)
    headers["content-disposition"] = content_disposition(work.written.name, chosen.suffix)
    return Response(content, headers=headers, media_type=chosen.media_type)


@contextmanager
def _of_a_parameter() -> Iterator[None]:
    try:
        yield
    except ScenarioError as error:
        fault = error.errors[0]
        raise parameter_problem(fault.path, fault.rule, fault.message, fault.hint) from None


def _revision(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 1 <= int(text) <= LARGEST_REVISION):
        message = f"{shorten(text)} is not the number of a revision."
        raise parameter_problem("revision", "range", message, "They count from 1.")
    return int(text)
