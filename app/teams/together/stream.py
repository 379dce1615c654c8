"""One stream of events about something saved: what it begins with, and what it goes on to tell."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from anyio.to_thread import run_sync
from sqlmodel import Session

from app.db.tables.saved import new_id
from app.saved.access import Actor, ForbiddenError
from app.saved.errors import NotSavedError
from app.saved.records import Kind
from app.saved.sessions import Sessions
from app.teams.together.changes import MOST_REPLAYED, Change, changes_after, newest_id, oldest_id
from app.teams.together.feed import Feed, Present, Subscription
from app.teams.together.presence import Here, here_of, move, told_to

KEPT_ALIVE_EVERY_S = 15.0
ASKED_AGAIN_EVERY_S = 30.0
"""How often it is asked whether the reader may still see what the stream is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What is sent. `id` is where a reader who comes back goes on; without a name it only keeps the line open."""

    name: str = ""
    data: Any = None
    id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A stream that is ready to be read: `begins` is sent first, and holds the changes up to `told`."""

    subscription: Subscription
    kind: Kind
    actor: Actor
    begins: tuple[Event, ...]
    told: int
    ends_s: float | None


def open_stream(
    feed: Feed,
    sessions: Sessions,
    kind: Kind,
    id: str,
    *,
    after: int | None,
    caller: str,
    loop: asyncio.AbstractEventLoop,
    ends_s: float | None = None,
) -> Opened:
    """A stream of what happens to something that the actor may read. Reads the database.

    It is listened to before it is read, so nothing falls between: what comes twice is left out later.

    Raises
    ------
    NotSavedError : it is not there, or the actor may not see it
    TooManyStreamsError : as many streams are open as may be
    """
    with sessions.reading() as session:
        sessions.head(session, kind, id)
    actor = sessions.actor
    subscription = feed.subscribe(here_of(new_id(), id, actor), caller, loop)
    try:
        with sessions.reading() as session:
            head = sessions.head(session, kind, id)
            newest = newest_id(session, id)
            missed = _missed(session, id, newest, after)
    except BaseException:
        feed.unsubscribe(subscription)
        raise
    hello = {
        "event": "hello",
        "revision": head.revision,
        "version": head.version,
        "presence": subscription.here.id,
        "missed": missed is None,
    }
    # who comes back goes on from where they were, even if the line breaks before they are told the rest
    begun = Event(name="hello", data=hello, id=newest if not missed or after is None else after)
    events = [begun, *(_event(change, actor) for change in missed or () if change.kind == kind)]
    here = feed.people_at(id)
    if here is not None:
        events.append(_presence(subscription.here, here))
    return Opened(
        subscription=subscription, kind=kind, actor=actor, begins=tuple(events), told=newest, ends_s=ends_s
    )


async def events_of(feed: Feed, opened: Opened, may_still_read: Callable[[], bool]) -> AsyncIterator[Event]:
    """What a stream tells, until its reader goes, may no longer read it, or the server ends."""
    subscription = opened.subscription
    start = asked_at = time.monotonic()
    told, last_others = opened.told, opened.begins[-1]
    try:
        for event in opened.begins:
            yield event
        while not subscription.is_closed:
            moment = time.monotonic()
            left_s = KEPT_ALIVE_EVERY_S
            if opened.ends_s is not None:
                left_s = min(left_s, start + opened.ends_s - moment)
                if left_s <= 0:
                    return
            items = await subscription.next(left_s)
            for item in items:
                if not isinstance(item, Change):
                    others = _presence(subscription.here, item)
                    if others != last_others:
                        yield others
                    last_others = others
                elif item.id > told and item.kind == opened.kind:
                    told = item.id
                    yield _event(item, opened.actor)
            if not items:
                yield Event()
            if time.monotonic() - asked_at >= ASKED_AGAIN_EVERY_S:
                if not await run_sync(may_still_read):
                    return
                asked_at = time.monotonic()
    finally:
        feed.unsubscribe(subscription)


def may_read(sessions: Sessions, kind: Kind, id: str) -> bool:
    """Return whether the actor may read something; those of its workspace also when it was deleted, as it can be restored."""
    try:
        with sessions.reading() as session:
            sessions.head(session, kind, id, deleted=True)
    except (NotSavedError, ForbiddenError):
        return False
    return True


def move_to(sessions: Sessions, kind: Kind, id: str, page: str, place: str) -> None:
    """Tell others which field the actor is at, in the page that a stream calls `page`.

    Raises
    ------
    NotSavedError : it is not there, or the actor may not see it
    """
    with sessions.reading() as session:
        sessions.head(session, kind, id)
    with sessions.writing() as session:
        move(session, page, id, here_of(page, id, sessions.actor).account_id, place)


def _missed(session: Session, id: str, newest: int, after: int | None) -> list[Change] | None:
    """What came after the change that a reader saw last; None where that cannot be told any more."""
    if after is None or after == newest:
        return []
    if after > newest:
        return None  # of another database, such as one that was restored since
    if after + 1 < oldest_id(session):
        return None
    changes = changes_after(session, after, MOST_REPLAYED + 1, id)
    return changes if len(changes) <= MOST_REPLAYED else None


def _event(change: Change, actor: Actor) -> Event:
    return Event(name=change.event, data=change.told_to(actor), id=change.id)


def _presence(me: Here, here: Present) -> Event:
    return Event(name="presence", data={"event": "presence", **told_to(me, here)})
