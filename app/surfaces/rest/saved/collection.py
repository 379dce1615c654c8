"""The list of what is saved, and saving something new."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.saved.records import Saved
from app.surfaces.rest.bodies import Body, BodyDep, read_body
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH
from app.surfaces.rest.idempotency import IDEMPOTENCY_KEY
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, page_answer
from app.surfaces.rest.parameters import given_parameters, only
from app.surfaces.rest.saved.declared import NOTE, TAGS, body_problems, making, reading
from app.surfaces.rest.saved.saving import PRIVATE, Once, given_note, given_tags, in_a_worker, made
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
