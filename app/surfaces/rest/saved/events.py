"""Streams of events about one thing that is saved, and where its readers say which field they are at."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable

import orjson
from anyio.to_thread import run_sync
from fastapi import APIRouter, Request, Response
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from app.saved.records import Saved
from app.surfaces.rest.documented import header_parameter, problem_answers, query_parameter
from app.surfaces.rest.live import Live, LiveDep, caller_of
from app.surfaces.rest.parameters import beyond_schema, given_parameters, only, parameter_problem
from app.surfaces.rest.problem_types import TOO_MANY_STREAMS
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.saved.declared import EXAMPLE_ID, READING, WRITING, Id
from app.surfaces.rest.saved.shelf import ID, Shelf
from app.surfaces.rest.services import Services, ServicesDep
from app.teams.asking import Asking
from app.teams.comments.anchors import LONGEST, is_field
from app.teams.together.feed import TooManyStreamsError
from app.teams.together.stream import Event, Opened, events_of, may_read, move_to, open_stream

NUMBER = re.compile("[0-9]{1,18}")
LONGEST_S = 86_400
RETRY_MS = (1_000, 5_000)  # readers whose server has ended do not all come back at once
RETRY_AFTER_S = 30
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}  # proxies send on what they get at once
ABOUT = (
    "Server-sent events: saved, merged, renamed, tagged, deleted, restored, named, shared, commented, each with who "
    "did it, the revision and the version; and presence, who else has it open. The first is hello, with the present "
    "revision and version. Ids grow; a stream opened with the last one as Last-Event-ID, or as `after`, tells first "
    "what came in between, unless hello says that some of it was missed. It ends when the reader may no longer see it."
)
STREAM = {
    "description": "A stream of events. `data` of each is JSON.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "string",
                "description": "Events, each with event, data (JSON), id (of the change; presence has none), and in the "
                "first retry, the milliseconds to wait before coming back.",
            }
        }
    },
}


def add_events(router: APIRouter, shelf: Shelf) -> None:
    """Live events of one saved item."""

    @router.get(
        "/{id}/events",
        name=f"follow_{shelf.one}",
        summary=f"Stream the events of a {shelf.one}",
        description=ABOUT,
        response_class=Response,  # a stream by its own class: it may still be refused before it begins
        responses={200: STREAM, **problem_answers(*READING, TOO_MANY_STREAMS)},
        openapi_extra={"parameters": [
            query_parameter("after", "Id of the last event that is known, where no header can be sent.", {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}),
            query_parameter("seconds", "End the stream after so long; 0 ends it after what is there already.", {"type": "integer", "minimum": 0, "maximum": LONGEST_S}),
            header_parameter("Last-Event-ID", "Id of the last event that is known; browsers send it when they come back.", {"type": "string", "pattern": f"^(?:{NUMBER.pattern})?$"}),
        ]},
        dependencies=[only("after", "seconds")],
    )  # fmt: skip
    async def follow(id: Id, request: Request, found: ServicesDep, live: LiveDep) -> Response:
        given = given_parameters(request)
        last = request.headers.get("last-event-id")  # empty where a browser knows of none yet
        known = _whole("Last-Event-ID", last, 10**18 - 1) if last else None
        after = _whole("after", given["after"], 10**18 - 1) if "after" in given else known
        ends_s = _whole("seconds", given["seconds"], LONGEST_S) if "seconds" in given else None
        loop = asyncio.get_running_loop()
        opened, saved = await run_sync(_opened, shelf, found, live, id, request, after, ends_s, loop)

        def may_still_read() -> bool:
            return may_read(found.of(live.asking_again(request)).saved.sessions, saved.kind, id)

        return EventSourceResponse(_sent(live, opened, may_still_read), headers=HEADERS)

    @router.post(
        "/{id}/presence",
        name=f"move_in_{shelf.one}",
        status_code=204,
        summary="Report presence in a field",
        description="Others who have it open see it beside the field. `page` is what hello gave as presence; an "
        "empty place is no field. No body is read.",
        responses={204: {"description": "Others are told."}, **problem_answers(*WRITING)},
        openapi_extra={"parameters": [
            query_parameter("page", "presence of the hello event.", {"type": "string", "pattern": f"^{ID.pattern}$"}, required=True, example=EXAMPLE_ID),
            query_parameter("place", "Path of the field.", {"type": "string", "maxLength": LONGEST}),
        ]},
        dependencies=[only("page", "place")],
    )  # fmt: skip
    def move_in(id: Id, request: Request, found: ServicesDep, live: LiveDep) -> Response:
        given = given_parameters(request)
        saved = shelf.find(found, id)
        page, place = given.get("page", ""), given.get("place", "")
        if not ID.fullmatch(page):
            raise parameter_problem("page", "id", "page is not what a hello event gave as presence.")
        if place and not is_field(saved.kind, place):
            raise beyond_schema("place", "field", f"{place[:80]!r} is no field of a {shelf.one}.")
        move_to(found.saved.sessions, saved.kind, id, page, place)
        return Response(status_code=204)


async def _sent(live: Live, opened: Opened, may_still_read: Callable[[], bool]) -> AsyncIterator[bytes]:
    first = True
    async for event in events_of(live.feed, opened, may_still_read):
        yield _line(event, random.randint(*RETRY_MS) if first else None)
        first = False


def _line(event: Event, retry: int | None) -> bytes:
    if not event.name:
        return KEEPALIVE_COMMENT
    id = None if event.id is None else str(event.id)
    return format_sse_event(data_str=orjson.dumps(event.data).decode(), event=event.name, id=id, retry=retry)


def _opened(
    shelf: Shelf,
    found: Services,
    live: Live,
    id: str,
    request: Request,
    after: int | None,
    ends_s: int | None,
    loop: asyncio.AbstractEventLoop,
) -> tuple[Opened, Saved]:
    saved = shelf.find(found, id)
    try:
        opened = open_stream(
            live.feed,
            found.saved.sessions,
            saved.kind,
            id,
            after=after,
            caller=caller_of(request, getattr(request.state, "asking", Asking())),
            loop=loop,
            ends_s=ends_s,
        )
    except TooManyStreamsError as error:
        headers = {"retry-after": str(RETRY_AFTER_S)}
        raise ProblemError(TOO_MANY_STREAMS, str(error), headers=headers) from None
    return opened, saved


def _whole(name: str, text: str, most: int) -> int:
    if not (NUMBER.fullmatch(text) and int(text) <= most):
        raise parameter_problem(name, "range", f"{name} is not a whole number from 0 to {most:,}.")
    return int(text)
