"""Names of revisions: given, changed and taken off."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.saved.names import RevisionName
from app.saved.naming import name_revision, unname_revision
from app.scenarios.load import build_document
from app.surfaces.rest.bodies import JSON, Body, BodyDep, read_body
from app.surfaces.rest.documented import problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_bytes
from app.surfaces.rest.saved.answers import NamedRevision, named_revision
from app.surfaces.rest.saved.declared import WRITING, Id, Number, body_problems
from app.surfaces.rest.saved.revisions import address_of
from app.surfaces.rest.saved.saving import PRIVATE, in_a_worker
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep

BODY: dict[str, Any] = {
    "required": True,
    "description": "What the revision is called, and why.",
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
