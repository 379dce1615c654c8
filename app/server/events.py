"""Application events for metrics; without subscribers on the command line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[float], None]


class Happening:
    """Something that happens again and again, with the seconds that it took."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def heard_by(self, listener: Listener) -> None:
        """Tell this one as well from now on."""
        self._listeners.append(listener)

    def tell(self, seconds: float) -> None:
        """It happened."""
        for listener in self._listeners:
            listener(seconds)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time the block and report its duration; a block that fails is not reported."""
        start = time.perf_counter()
        yield
        self.tell(time.perf_counter() - start)


EVALUATED = Happening()
"""A scenario was computed, not only looked up."""

SAVED = Happening()
"""A change of saved work was committed."""
