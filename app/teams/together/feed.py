"""The feed of one process: one thread follows the log of changes and tells every open stream.

The thread starts with the first stream and ends with the last. Streams hold no session: whatever is read of
the database is read here, once for all.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from app.db.session import read_session
from app.db.turns import TurnTimeoutError
from app.teams.together.changes import Change, changes_after, clear_old_changes, newest_id
from app.teams.together.presence import REFRESHED_EVERY_S, Here, present, refresh, write_presence

logger = logging.getLogger(__name__)

AT_ONCE = 500  # changes that are read at a time
MOST_WAITING = 1_000  # items that wait for a reader who does not read; then the stream is ended
PRESENCE_EVERY_S = 1.0
CLEARED_EVERY_S = 3600.0

Present = tuple[Here, ...]
Item = Change | Present


class TooManyStreamsError(Exception):
    """This process, or this caller, has as many streams open as may be."""


@dataclass(eq=False)
class Subscription:
    """What one stream is told, in order. Filled by the feed's thread, emptied by the stream's loop."""

    here: Here
    caller: str
    loop: asyncio.AbstractEventLoop
    is_closed: bool = False
    _waiting: deque[Item] = field(default_factory=deque)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def next(self, within_s: float) -> list[Item]:
        """What came since it was asked last; nothing where nothing comes in time, or it is closed."""
        try:
            async with asyncio.timeout(within_s):
                await self._news.wait()
        except TimeoutError:
            return []
        self._news.clear()
        items = list(self._waiting)
        self._waiting.clear()
        return items

    def tell(self, items: Collection[Item]) -> None:
        """Hand items over. Called in the stream's loop."""
        self._waiting.extend(items)
        if len(self._waiting) > MOST_WAITING:
            self.close()
        self._news.set()

    def close(self) -> None:
        """End the stream; its reader opens another one, and misses nothing. Called in the stream's loop."""
        self.is_closed = True
        self._news.set()


class Feed:
    """One a process and database."""

    def __init__(self, engine: Callable[[], Engine], *, every_s: float, most: int, most_of_one: int) -> None:
        """`most` streams in all, `most_of_one` of one caller."""
        self._engine = engine
        self._every_s = every_s
        self._most = most
        self._most_of_one = most_of_one
        self._lock = threading.Lock()
        self._by_saved: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._of_caller: Counter[str] = Counter()
        self._came: list[Here] = []
        self._left: set[str] = set()
        self._told: dict[str, Present] = {}
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()
        self._position = 0

    def __len__(self) -> int:
        with self._lock:
            return sum(len(each) for each in self._by_saved.values())

    def subscribe(self, here: Here, caller: str, loop: asyncio.AbstractEventLoop) -> Subscription:
        """A stream of what happens from now on; "" is a caller who may have any number. Reads the database.

        Raises
        ------
        TooManyStreamsError : there are as many as may be
        """
        subscription = Subscription(here, caller, loop)
        with self._lock:
            if sum(self._of_caller.values()) >= self._most:
                raise TooManyStreamsError(f"This server has {self._most:,} streams open, and takes no more.")
            if caller and self._of_caller[caller] >= self._most_of_one:
                raise TooManyStreamsError(f"You have {self._most_of_one:,} streams open; close some first.")
            if self._thread is None:
                with read_session(self._engine()) as session:
                    self._position = newest_id(session)
                self._thread = threading.Thread(target=self._follow, name="change feed", daemon=True)
                self._thread.start()
            self._of_caller[caller] += 1
            self._by_saved[here.saved_id].add(subscription)
            self._came.append(here)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """The stream has ended."""
        saved_id = subscription.here.saved_id
        with self._lock:
            others = self._by_saved.get(saved_id)
            if others is None or subscription not in others:
                return
            others.remove(subscription)
            if not others:
                del self._by_saved[saved_id]
                self._told.pop(saved_id, None)
            self._of_caller[subscription.caller] -= 1
            self._of_caller += Counter()  # forgets those who have none
            self._left.add(subscription.here.id)
            if not self._by_saved:
                self._wake.set()

    def people_at(self, saved_id: str) -> Present | None:
        """Who was there when the feed last looked; None before it has."""
        with self._lock:
            return self._told.get(saved_id)

    def close_all(self) -> None:
        """End every stream, and the thread with the last. From any thread."""
        with self._lock:
            open_now = [one for each in self._by_saved.values() for one in each]
            thread = self._thread
        for one in open_now:
            _in_loop(one, one.close)
        if not open_now and thread is not None:
            self._wake.set()
            thread.join(timeout=5)

    def _follow(self) -> None:
        """The thread's work: look at the database again and again, until no one listens."""
        looked_at = cleared_at = float("-inf")
        refreshed_at = time.monotonic()
        told = ""
        while True:
            moment = time.monotonic()
            try:
                self._write_presence()
                self._tell_changes()
                if moment - looked_at >= PRESENCE_EVERY_S:
                    looked_at = moment
                    self._tell_presence()
                if moment - refreshed_at >= REFRESHED_EVERY_S:
                    refreshed_at = moment
                    self._refresh()
                if moment - cleared_at >= CLEARED_EVERY_S:
                    cleared_at = moment
                    clear_old_changes(self._engine())
            except Exception as error:  # whatever it is, those who listen are not to be left in silence
                if told != type(error).__name__:  # once, not as often as it is tried
                    told = type(error).__name__
                    logger.warning(
                        "the log of changes could not be followed, and is tried again", exc_info=error
                    )
            self._wake.wait(self._every_s)
            self._wake.clear()
            with self._lock:
                if not self._by_saved and not self._left:
                    self._thread = None
                    return

    def _write_presence(self) -> None:
        with self._lock:
            came, left = self._came, self._left
            self._came, self._left = [], set()
        if came or left:
            try:
                write_presence(self._engine(), came, left)
            except (SQLAlchemyError, TurnTimeoutError, OSError) as error:
                # a database that cannot be written can still be followed; rows grow stale by themselves
                logger.warning("who has what open could not be written: %s", error)

    def _refresh(self) -> None:
        with self._lock:
            here = {one.here.id: one.here for each in self._by_saved.values() for one in each}
        refresh(self._engine(), here)

    def _tell_changes(self) -> None:
        while True:
            with read_session(self._engine()) as session:
                changes = changes_after(session, self._position, AT_ONCE)
            by_saved = defaultdict[str, list[Change]](list)
            for change in changes:
                by_saved[change.saved_id].append(change)
            with self._lock:
                for saved_id, those in by_saved.items():
                    self._tell(saved_id, those)
                if changes:
                    self._position = changes[-1].id
            if len(changes) < AT_ONCE:
                return

    def _tell_presence(self) -> None:
        with self._lock:
            followed = set(self._by_saved)
        with read_session(self._engine()) as session:
            found = present(session, followed)
        with self._lock:
            for saved_id in followed & set(self._by_saved):
                here = found.get(saved_id, ())
                if self._told.get(saved_id) != here:
                    self._told[saved_id] = here
                    self._tell(saved_id, [here])

    def _tell(self, saved_id: str, items: Collection[Any]) -> None:
        for one in self._by_saved.get(saved_id, ()):
            _in_loop(one, one.tell, items)


def _in_loop(subscription: Subscription, call: Callable[..., None], *arguments: Any) -> None:
    with suppress(RuntimeError):  # its loop has ended, and the stream with it
        subscription.loop.call_soon_threadsafe(call, *arguments)
