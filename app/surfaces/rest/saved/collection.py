"""The list of what is saved, and saving something new."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.saved.records import WORDS, Saved
from app.scenarios.errors import refuse
from app.surfaces.rest.bodies import Body, BodyDep, read_body
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, page_answer
from app.surfaces.rest.parameters import given_parameters, only
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY, required_precondition
from app.surfaces.rest.saved.changes import change_body, read_change
from app.surfaces.rest.saved.declared import (
    IF_MATCH,
    NOTE,
    TAGS,
    Id,
    body_problems,
    changing,
    deleting,
    making,
    reading,
)
from app.surfaces.rest.saved.saving import (
    PRIVATE,
    Once,
    changed,
    given_note,
    given_tags,
    in_a_worker,
    made,
    yaml_etag,
)
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep


def add_collection(router: APIRouter, shelf: Shelf) -> None:
    """GET and POST of the address of the shelf itself."""

    @router.get(
        "",
        name=f"list_{shelf.many}",
        summary=f"List saved {shelf.many}",
        description=f"Saved {shelf.many}, the last changed first, one page at a time. The Link header leads to "
        "the next page; `after` keeps its meaning when others save in between.",
        responses=reading(shelf.page, f"A page of {shelf.many}, without their documents.", LINK),
        openapi_extra={"parameters": [*shelf.filters, LIMIT, AFTER, IF_NONE_MATCH]},
        dependencies=[only(*(one["name"] for one in shelf.filters), "limit", "after")],
    )
    def list_saved(request: Request, found: ServicesDep) -> Response:
        given = given_parameters(request)
        page = shelf.listed(found, given)
        content, headers = page_answer(
            [shelf.item_of(one) for one in page.items], page.next, shelf.address, given
        )
        tag = content_etag(content)
        return conditional(request, tag, lambda: (content, headers), cache_control=PRIVATE)

    @router.post(
        "",
        name=f"create_{shelf.one}",
        status_code=201,
        summary=f"Save a new {shelf.one}",
        description=f"The {shelf.one} in the body becomes revision 1 of a new one, under the name that stands "
        "in it.",
        responses=making(shelf.answer, f"The saved {shelf.one}.", body_problems(shelf.invalid)),
        openapi_extra={
            "requestBody": shelf.making_body,
            "parameters": [NOTE, TAGS, IDEMPOTENCY_KEY],
        },
        dependencies=[only("note", repeated=("tag",))],
    )
    async def create(request: Request, body: BodyDep, found: ServicesDep) -> Response:
        note, tags = given_note(request), given_tags(request)
        once = Once.of(request, body)
        return await in_a_worker(found, _create, shelf, found, body, once, note, tags)


def _create(
    shelf: Shelf, found: Services, body: Body, once: Once, note: str, tags: tuple[str, ...]
) -> Response:
    def work() -> Saved:
        read = read_body(body, found.limits)
        with shelf.faults(found.limits):
            return found.saved.create(shelf.check(read), read.values, note=note, tags=tags)

    return made(shelf, *once.done(found, work))


def add_changes(router: APIRouter, shelf: Shelf) -> None:
    """PUT, PATCH and DELETE of one thing on a shelf."""

    @router.put(
        "/{id}",
        name=f"replace_{shelf.one}",
        summary=f"Save a new revision of a {shelf.one}",
        description=f"The {shelf.one} in the body replaces the newest revision, which stays readable under its "
        "number. If-Match is strict: after a newer save the answer is 412 and nothing is written; POST to "
        "/merges takes changes of both sides.",
        responses=changing(shelf.answer, f"The {shelf.one} as it is now.", body_problems(shelf.invalid)),
        openapi_extra={"requestBody": shelf.changing_body, "parameters": [NOTE, IF_MATCH]},
        dependencies=[only("note")],
    )
    async def replace(id: Id, request: Request, body: BodyDep, found: ServicesDep) -> Response:
        note = given_note(request)
        return await in_a_worker(found, _replace, shelf, found, id, request, body, note)

    @router.patch(
        "/{id}",
        name=f"change_{shelf.one}",
        summary=f"Rename or tag a {shelf.one}",
        description="Other tags make no revision; another name makes one with the same figures, noted "
        "Renamed.",
        responses=changing(shelf.answer, f"The {shelf.one} as it is now.", body_problems(shelf.invalid)),
        openapi_extra={"requestBody": change_body(), "parameters": [IF_MATCH]},
        dependencies=[only()],
    )
    async def change(id: Id, request: Request, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _change, shelf, found, id, request, body)

    @router.delete(
        "/{id}",
        name=f"delete_{shelf.one}",
        status_code=204,
        summary=f"Delete a {shelf.one}",
        description=f"The {shelf.one} is put away with all its revisions; POST to its address with /restore "
        "brings it back.",
        responses=deleting(),
        openapi_extra={"parameters": [IF_MATCH]},
        dependencies=[only()],
    )
    def delete(id: Id, request: Request, found: ServicesDep) -> Response:
        saved = shelf.find(found, id)
        found.saved.delete(saved.kind, id, version=_version_seen(saved, request))
        return Response(status_code=204)


def _replace(shelf: Shelf, found: Services, id: str, request: Request, body: Body, note: str) -> Response:
    merge = (
        f"POST it to {shelf.address}/{id}/merges with the revision that you read: other fields are merged."
    )
    saved = shelf.find(found, id)
    read = read_body(body, found.limits)
    with shelf.faults(found.limits):
        kind = shelf.check(read)
        version = _version_seen(saved, request, advice=merge)
        if kind != saved.kind:
            raise refuse(
                f"This is a {WORDS[saved.kind]}, and the body a {WORDS[kind]}.",
                rule="kind",
                path=kind,
                hint="Save it as a new one.",
            )
        return changed(shelf, found.saved.replace(kind, id, read.values, version=version, note=note))


def _change(shelf: Shelf, found: Services, id: str, request: Request, body: Body) -> Response:
    saved = shelf.find(found, id)
    read = read_body(body, found.limits)
    with shelf.faults(found.limits):
        change = read_change(read)
        version = _version_seen(saved, request)
        return changed(shelf, found.saved.update(saved.kind, id, version=version, **change))


def _version_seen(saved: Saved, request: Request, *, advice: str = "") -> int | None:
    """The version that a change is held to; None for whatever it is. Asked last: RFC 9110, 13.2.1."""
    seen = required_precondition(request)
    seen.check(saved.etag, yaml_etag(saved), advice=advice)
    return None if seen.anything else saved.version
