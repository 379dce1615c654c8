"""Scenarios and their figures as files: of a saved scenario, or of the one in the body."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.likeness import nearest_names
from app.saved.documents import build_saved
from app.saved.imports import import_json, import_yaml
from app.saved.records import Saved
from app.saved.team_catalog.received import Conflicts, Received
from app.scenarios.errors import ScenarioError, shorten
from app.scenarios.load import build_scenario
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.formats import FORMATS, NAMES, WHATS, Format, format_of
from app.surfaces.files.work import Work, saved_work, work_of
from app.surfaces.rest.bodies import JSON, YAML, Body, BodyDep, body_text, read_body
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import etag, is_known
from app.surfaces.rest.documented import (
    ETAG,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    OF_A_BODY,
    problem_answers,
    query_parameter,
    scenario_body,
)
from app.surfaces.rest.parameters import only, parameter_fault, parameter_problem
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    FORBIDDEN,
    INVALID_PARAMETER,
    INVALID_SCENARIO,
    NOT_FOUND,
    NOT_READY,
    TOO_BUSY,
    TOOK_TOO_LONG,
)
from app.surfaces.rest.problems import ProblemError, json_bytes, json_response
from app.surfaces.rest.saved.answers import ScenarioAnswer
from app.surfaces.rest.saved.declared import CONFLICT, NOTE, OWN_PRICES, TAGS, Id, body_problems, making
from app.surfaces.rest.saved.filters import flag
from app.surfaces.rest.saved.saving import PRIVATE, Once, conflicts_of, given_note, given_tags, in_a_worker
from app.surfaces.rest.saved.scenarios import SCENARIOS
from app.surfaces.rest.services import Services, ServicesDep

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
DRY_RUN = query_parameter(
    "dry_run", "Dry run: report the outcome of the own rows.", {"type": "string", "enum": ["true", "false"]}
)
GivenSaved = Annotated[dict[str, str], only("format", "what", "revision", "own_prices")]
GivenPosted = Annotated[dict[str, str], only("what", "own_prices")]
GivenImport = Annotated[dict[str, str], only("note", "conflicts", "dry_run", repeated=("tag",))]


class ReceivedRows(Answer):
    """Outcome of the own rows of a file, each as kind/key."""

    added: list[str]
    overriding: list[str] = Field(description="Of the added, those that stand over built-in rows.")
    same: list[str] = Field(description="Rows that the workspace had already.")
    kept: list[str] = Field(description="Rows of which the workspace kept its own values.")
    renamed: dict[str, str] = Field(
        description="Rows that were added under a new key, by the key of the file."
    )
    left_out: list[str] = Field(description="Prices that were left out when the file was made.")
    not_carried: list[str] = Field(description="Rows that could not be written into the file, and why.")
    differing: list[str] = Field(
        description="Own rows that count here and did not come with the file: figures may differ."
    )


class ImportedAnswer(Answer):
    """A file that was imported; `scenario` is null for a dry run."""

    scenario: ScenarioAnswer | None
    own_rows: ReceivedRows | None = Field(description="null for a file without own rows.")
    messages: list[str] = Field(description="Outcome of the own rows, in sentences.")


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
            FORBIDDEN,
            INVALID_PARAMETER,
            NOT_FOUND,
            INVALID_SCENARIO,
            TOO_BUSY,
            TOOK_TOO_LONG,
            NOT_READY,
            DATABASE_BUSY,
        ),
    },
    openapi_extra={"parameters": [FORMAT, WHAT, REVISION, OWN_PRICES, IF_NONE_MATCH]},
)
async def export_saved_scenario(id: Id, request: Request, found: ServicesDep, given: GivenSaved) -> Response:
    """The scenario as a file that Podwright reads again, or every figure of its evaluation. Saved designs that
    the scenario names are put in, and own rows of the catalog that it rests on come along, so that the file means
    the same everywhere. One revision always gives the same file.
    """
    with _of_a_parameter():
        chosen = format_of(given.get("format", "json"), given.get("what"))
    revision = _revision(given.get("revision"))
    prices = bool(flag(given, "own_prices"))
    return await found.workers.run(_saved_file, found, id, revision, chosen, request, prices)


@router.post(
    "/exports/{format}",
    summary="Export a scenario",
    responses={
        200: _file_answer(),
        **problem_answers(FORBIDDEN, INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body(), "parameters": [WHAT, OWN_PRICES]},
)
async def export_scenario(format: Name, body: BodyDep, found: ServicesDep, given: GivenPosted) -> Response:
    """The scenario of the body in another form, or every figure of its evaluation as a file. Nothing is saved."""
    if format not in NAMES:
        detail = f"There is no format {shorten(format)}. Nearest: {nearest_names(format[:80], NAMES)}."
        raise ProblemError(NOT_FOUND, detail)
    with _of_a_parameter():
        chosen = format_of(format, given.get("what"))
    return await found.workers.run(_posted_file, found, body, chosen, bool(flag(given, "own_prices")))


def _exported_body() -> dict[str, Any]:
    declared = scenario_body()
    declared["description"] = "An exported scenario, or an exported evaluation as JSON, as it is."
    for content in declared["content"].values():
        content["schema"] = {"type": "object"}
        content["examples"] = dict(list(content["examples"].items())[:1])
    return declared


@router.post(
    "/imports",
    summary="Import an exported scenario",
    responses={
        **{
            status: answer
            for status, answer in making(ImportedAnswer, "", body_problems(INVALID_SCENARIO)).items()
            if status != 201
        },
        200: {"description": "Outcome of the file, or of the dry run.", "model": ImportedAnswer},
    },
    openapi_extra={
        "requestBody": _exported_body(),
        "parameters": [NOTE, TAGS, CONFLICT, DRY_RUN, IDEMPOTENCY_KEY],
    },
)
async def import_scenario(
    request: Request, body: BodyDep, found: ServicesDep, given: GivenImport
) -> Response:
    """The scenario becomes revision 1 of a new one. Own rows of the catalog that came with it are added to the
    catalog of the workspace, all or none, after the checks of any own row.
    """
    conflicts = conflicts_of(given.get("conflicts", "refuse"))
    note, tags, once = given_note(request), given_tags(request), Once.of(request, body)
    dry_run = bool(flag(given, "dry_run"))
    return await in_a_worker(found, _imported, found, body, once, note, tags, conflicts, dry_run)


def _imported(
    found: Services,
    body: Body,
    once: Once,
    note: str,
    tags: tuple[str, ...],
    conflicts: Conflicts,
    dry_run: bool,
) -> Response:
    received: list[Received] = []
    found.saved.require("write")

    def receive() -> dict[str, Any]:
        """The scenario, its own rows added."""
        text = body_text(body, found.limits)
        document, rows = import_json(text) if body.format == "json" else import_yaml(text)
        build_saved("scenario", document.model_dump(mode="json", exclude_unset=True))
        if rows is None:
            return document.as_dict()
        team = found.team_catalog
        received.append(team.receive(rows, document.as_dict(), conflicts=conflicts, dry_run=dry_run))
        return received[-1].document

    def work() -> Saved:
        values = receive()
        words = note or "; ".join(["Imported", *received[-1].notes] if received else [])
        return found.saved.create("scenario", values, note=words, tags=tags)

    with SCENARIOS.faults(found.limits), _of_any_object():
        if dry_run:
            receive()
            return json_response(_import_answer(None, received))
        saved, replayed = once.done(found, work)
    headers = {"etag": saved.etag, "cache-control": PRIVATE, "location": f"{SCENARIOS.address}/{saved.id}"}
    if replayed:
        headers["idempotency-replayed"] = "true"
    content = json_bytes(_import_answer(SCENARIOS.answer_of(saved), received))
    return Response(content, headers=headers, media_type=JSON)


@contextmanager
def _of_any_object() -> Iterator[None]:
    """The schema of an import lets any object through, as it may be of one of several kinds."""
    try:
        yield
    except ScenarioError as error:
        raise ScenarioError(replace(fault, stated=False) for fault in error.errors) from None


def _import_answer(scenario: dict[str, Any] | None, received: list[Received]) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "own_rows": received[-1].as_dict() if received else None,
        "messages": list(received[-1].sentences) if received else [],
    }


def _saved_file(
    found: Services, id: str, revision: int | None, chosen: Format, request: Request, own_prices: bool
) -> Response:
    SCENARIOS.find(found, id, number=revision)
    return _file(saved_work(found.saved, id, revision, own_prices=own_prices), chosen, request)


def _posted_file(found: Services, body: Body, chosen: Format, own_prices: bool) -> Response:
    read = read_body(body, found.limits)
    document = build_scenario(read.values, read.positions)
    work = work_of(document, found.saved, own_prices=own_prices)
    return _file(dataclasses.replace(work, evaluate=lambda: found.evaluated(document)), chosen)


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
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None


def _revision(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 1 <= int(text) <= LARGEST_REVISION):
        message = f"{shorten(text)} is not the number of a revision."
        raise parameter_problem("revision", "range", message, "They count from 1.")
    return int(text)
