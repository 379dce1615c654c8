"""Writers of one process take turns, in the order in which they came.

SQLite lets one writer in at a time and has the others poll, which is not fair: under load one
can poll past its timeout. Standing in line before the database costs nothing and starves no one.
Other processes still meet in the database itself.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, Pool

PATIENCE_S = 30.0


class TurnTimeoutError(TimeoutError):
    """Another writer of this process did not finish in time."""


class Turns:
    """A lock that is handed over in the order of asking."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False

    @contextmanager
    def turn(self, patience_s: float = PATIENCE_S) -> Iterator[None]:
        """Wait for those who came before, and hold the turn.

        Raises
        ------
        TurnTimeoutError : they did not finish within `patience_s`
        """
        self._take(patience_s)
        try:
            yield
        finally:
            self._give()

    def _take(self, patience_s: float) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=patience_s):
            return  # the thread that gave it up left it taken, for this one
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
                raise TurnTimeoutError(f"another writer has been busy for {patience_s:g} s")
        # it was handed over between the two lines

    def _give(self) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


_turns: weakref.WeakKeyDictionary[Pool, Turns] = weakref.WeakKeyDictionary()
_guard = threading.Lock()


def turns_of(engine: Engine) -> Turns:
    """The line before one database; engines with other options share its pool, and so its line."""
    with _guard:
        return _turns.setdefault(engine.pool, Turns())
