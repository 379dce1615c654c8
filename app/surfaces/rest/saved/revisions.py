"""The revisions of what is saved, and what differs between two of them."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.saved.records import Revision
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, page_answer, read_limit
from app.surfaces.rest.parameters import given_parameters, only
from app.surfaces.rest.saved.answers import RevisionAnswer, RevisionsPage, named_revision, revision_item
from app.surfaces.rest.saved.declared import Id, Number, reading
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import ServicesDep

FOR_EVER = "private, max-age=31536000, immutable"


def add_revisions(router: APIRouter, shelf: Shelf) -> None:
    """The list of revisions, and one of them."""

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
