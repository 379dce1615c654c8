"""One thing that is saved: read, duplicated, and brought back when it was deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.saved.names import RevisionName
from app.saved.naming import name_revision, unname_revision
from app.saved.records import Revision, Saved
from app.saved.team_catalog.own_rows import OwnRows
from app.saved.team_catalog.received import Conflicts, Received
from app.scenarios.document.scenario import OWN_ROWS
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import write_yaml
from app.surfaces.rest.bodies import JSON, YAML, Body, BodyDep, read_body
from app.surfaces.rest.conditional import conditional, content_etag, is_known, prefers_yaml
from app.surfaces.rest.documented import IF_NONE_MATCH, problem_answers
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, page_answer, read_limit
from app.surfaces.rest.parameters import given_parameters, only, parameter_fault
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY
from app.surfaces.rest.problem_types import FORBIDDEN
from app.surfaces.rest.problems import json_bytes
from app.surfaces.rest.saved.answers import (
    NamedRevision,
    RevisionAnswer,
    RevisionsPage,
    named_revision,
    revision_item,
)
from app.surfaces.rest.saved.declared import (
    CONFLICT,
    NAME,
    OWN_PRICES,
    WRITING,
    Id,
    Number,
    body_problems,
    making,
    reading,
    restoring,
)
from app.surfaces.rest.saved.filters import flag
from app.surfaces.rest.saved.saving import PRIVATE, Once, changed, conflicts_of, in_a_worker, made, yaml_etag
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep


def add_items(router: APIRouter, shelf: Shelf) -> None:
    """Read operations on one saved item, and its restoration."""
    of_own_rows = [OWN_PRICES, CONFLICT] if "scenario" in shelf.kinds else []
    read_answers = reading(shelf.answer, f"The {shelf.one}; as YAML only its document.")
    read_answers[200]["content"] = {YAML: {"schema": {"type": "string", "description": "The document."}}}

    @router.get(
        "/{id}",
        name=f"read_{shelf.one}",
        summary=f"Read a saved {shelf.one}",
        description="The newest revision. With `Accept: application/yaml` the answer is its document alone, "
        f"ready to be sent again. The ETag is what a change of the {shelf.one} needs as If-Match.",
        responses=read_answers,
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    def read(id: Id, request: Request, found: ServicesDep) -> Response:
        saved = shelf.find(found, id)
        if prefers_yaml(request.headers.get("accept", "")):
            return _document(request, saved)
        return conditional(
            request, saved.etag, lambda: (shelf.answer_of(saved), {"vary": "accept"}), cache_control=PRIVATE
        )

    @router.post(
        "/{id}/duplicate",
        name=f"duplicate_{shelf.one}",
        status_code=201,
        summary=f"Duplicate a saved {shelf.one}",
        description="The newest revision becomes revision 1 of a new one, which knows where it comes from. "
        "It is made in the workspace that is asked for, wherever the original is; designs that this workspace does "
        "not have are written out in it, own rows of the catalog that it rests on are added to that of the workspace, and "
        "its note says so. No body is read.",
        responses=making(shelf.answer, "The duplicate."),
        openapi_extra={"parameters": [NAME, *of_own_rows, IDEMPOTENCY_KEY]},
        dependencies=[only("name", *(one["name"] for one in of_own_rows))],
    )
    async def duplicate(id: Id, request: Request, found: ServicesDep) -> Response:
        given = request.query_params
        conflicts = conflicts_of(given.get("conflicts", "refuse"))
        prices = bool(flag(given, "own_prices"))
        return await in_a_worker(
            found, _duplicate, shelf, found, id, Once.of(request), given.get("name"), prices, conflicts
        )

    @router.post(
        "/{id}/restore",
        name=f"restore_{shelf.one}",
        summary=f"Bring a deleted {shelf.one} back",
        description="As it was when it was deleted, all its revisions included. What was not deleted stays as "
        "it is. No body is read.",
        responses=restoring(shelf.answer, f"The {shelf.one}."),
        dependencies=[only()],
    )
    def restore(id: Id, found: ServicesDep) -> Response:
        deleted = shelf.find(found, id, deleted=True)
        return changed(shelf, found.saved.restore(deleted.kind, id))

    @router.post(
        "/{id}/erase",
        name=f"erase_{shelf.one}",
        status_code=204,
        summary=f"Delete a {shelf.one} for good",
        description=f"A {shelf.one} that was deleted goes with its revisions, comments, tags, links and shares; "
        "only a backup brings it back. It needs the role owner, and is refused while other saved work names it. "
        "No body is read.",
        responses={
            204: {"description": "It is gone."},
            **problem_answers(*dict.fromkeys((*WRITING, FORBIDDEN, shelf.invalid))),
        },
        dependencies=[only()],
    )
    def erase(id: Id, found: ServicesDep) -> Response:
        saved = shelf.find(found, id, deleted=True)
        with shelf.faults(found.limits):
            found.saved.erase(saved.kind, id)
        return Response(status_code=204)


def _document(request: Request, saved: Saved) -> Response:
    headers = {"etag": yaml_etag(saved), "cache-control": PRIVATE, "vary": "accept"}
    if is_known(request, headers["etag"]):
        return Response(status_code=304, headers=headers)
    return Response(write_yaml(saved.document), headers=headers, media_type=YAML)


def _duplicate(
    shelf: Shelf,
    found: Services,
    id: str,
    once: Once,
    name: str | None,
    own_prices: bool,
    conflicts: Conflicts,
) -> Response:
    def receive(rows: OwnRows, document: dict[str, Any]) -> Received:
        return found.team_catalog.receive(rows, document, conflicts=conflicts)

    def work() -> Saved:
        source = shelf.find(found, id)
        try:
            return found.saved.duplicate(source.kind, id, name=name, receive=receive, own_prices=own_prices)
        except ScenarioError as error:
            fault = error.errors[0]
            parameter = "workspace" if fault.path == "workspace" else "name"
            parameter = "conflicts" if fault.path.startswith(OWN_ROWS) else parameter
            raise parameter_fault(parameter, fault) from None

    return made(shelf, *once.done(found, work))


BODY: dict[str, Any] = {
    "required": True,
    "description": "Name of the revision and its reason.",
    "content": {
        JSON: {
            "schema": RevisionName.model_json_schema(),
            "examples": {"ordered": {"summary": "A milestone", "value": {"name": "As ordered"}}},
        },
    },
}


def add_names(router: APIRouter, shelf: Shelf) -> None:
    """PUT and DELETE of the name of a revision."""

    @router.put(
        "/{id}/revisions/{number}/name",
        name=f"name_{shelf.one}_revision",
        summary=f"Name a revision of a {shelf.one}",
        description="In place of the name it had. No two revisions of one thing have the same. The revision itself "
        "never changes; lists of revisions show the name as label.",
        responses={
            200: {"model": NamedRevision, "description": "The revision."},
            **problem_answers(*dict.fromkeys((*WRITING, *body_problems(shelf.invalid)))),
        },
        openapi_extra={"requestBody": BODY},
        dependencies=[only()],
    )
    async def put(id: Id, number: Number, request: Request, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _put, shelf, found, id, number, body)

    @router.delete(
        "/{id}/revisions/{number}/name",
        name=f"unname_{shelf.one}_revision",
        status_code=204,
        summary=f"Remove the name of a revision of a {shelf.one}",
        description="A revision without one stays as it is.",
        responses={204: {"description": "It has no name."}, **problem_answers(*WRITING)},
        dependencies=[only()],
    )
    def take(id: Id, number: Number, found: ServicesDep) -> Response:
        unname_revision(found.saved, shelf.find(found, id).kind, id, number)
        return Response(status_code=204)


def _put(shelf: Shelf, found: Services, id: str, number: int, body: Body) -> Response:
    saved = shelf.find(found, id)
    read = read_body(body, found.limits)
    with shelf.faults(found.limits):
        wanted = build_document(RevisionName, read.values, read.positions)
        revision = name_revision(found.saved, saved.kind, id, number, wanted.name, wanted.note)
    content = named_revision(revision, address_of(shelf, revision))
    return Response(json_bytes(content), headers={"cache-control": PRIVATE}, media_type=JSON)


FOR_EVER = "private, max-age=31536000, immutable"


def add_revisions(router: APIRouter, shelf: Shelf) -> None:
    """The list of revisions, and one."""

    @router.get(
        "/{id}/revisions",
        name=f"list_{shelf.one}_revisions",
        summary=f"List the revisions of a {shelf.one}",
        description="Every save with its note, its name if it has one, its key figures, and with which engine and "
        "catalog it was computed; the newest first, one page at a time.",
        responses=reading(RevisionsPage, "A page of revisions.", LINK),
        openapi_extra={"parameters": [LIMIT, AFTER, IF_NONE_MATCH]},
        dependencies=[only("limit", "after")],
    )
    def list_revisions(id: Id, request: Request, found: ServicesDep) -> Response:
        given = given_parameters(request)
        saved = shelf.find(found, id)
        limit = read_limit(given, found.limits)
        page = found.saved.revisions(saved.kind, id, limit=limit, after=given.get("after"))
        items = [named_revision(revision, address_of(shelf, revision)) for revision in page.items]
        content, headers = page_answer(items, page.next, f"{shelf.address}/{id}/revisions", given)
        tag = content_etag(content)
        return conditional(request, tag, lambda: (content, headers), cache_control=PRIVATE)

    @router.get(
        "/{id}/revisions/{number}",
        name=f"read_{shelf.one}_revision",
        summary=f"Read a revision of a {shelf.one}",
        description="The document as it was saved, its note, and with which engine and catalog it was "
        "computed. A revision never changes, and may be kept for ever.",
        responses=reading(RevisionAnswer, "The revision."),
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    def read_revision(id: Id, number: Number, request: Request, found: ServicesDep) -> Response:
        revision = found.saved.revision(shelf.find(found, id, number=number).kind, id, number)
        content = {**revision_item(revision, address_of(shelf, revision)), "document": revision.document}
        tag = content_etag(content)
        return conditional(request, tag, lambda: (content, {}), cache_control=FOR_EVER)


def address_of(shelf: Shelf, revision: Revision) -> str:
    """Where a revision is read."""
    return f"{shelf.address}/{revision.id}/revisions/{revision.revision}"
