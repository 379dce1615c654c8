"""The end of a server in order: it says so, streams are closed, requests finish, then what it holds is given back."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType
from typing import Any

logger = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Ending:
    """One an application. The server lets requests finish; this tells it when to begin, and cleans up after it."""

    def __init__(self, notice_s: float = 0.0) -> None:
        """`notice_s` lie between the signal and the end of accepting, so that a proxy can turn elsewhere."""
        self.has_begun = False
        self._notice_s = notice_s
        self._closing: asyncio.Event | None = None
        self._first: list[Callable[[], object]] = []
        self._last: list[tuple[str, Callable[[], object]]] = []

    def at_first_do(self, begin: Callable[[], object]) -> None:
        """When the server starts, do this."""
        self._first.append(begin)

    def finally_do(self, name: str, close: Callable[[], object]) -> None:
        """When all requests are answered, do this too; what was named last is done first."""
        self._last.append((name, close))

    async def closing(self) -> None:
        """Returns when nothing that has no end of its own may go on."""
        if self._closing is None:  # the application was not told that it was started
            await asyncio.Future()
        else:
            await self._closing.wait()

    @asynccontextmanager
    async def lifespan(self, _app: Any) -> AsyncIterator[None]:
        """From start to end of the server."""
        self._closing, self.has_begun = asyncio.Event(), False
        with self._listening(asyncio.get_running_loop(), self._closing):
            for begin in self._first:
                begin()
            yield
        self._closing.set()
        for name, close in reversed(self._last):
            try:
                await asyncio.to_thread(close)
            except Exception:
                logger.exception("%s could not be ended", name)

    @contextmanager
    def _listening(self, loop: asyncio.AbstractEventLoop, closing: asyncio.Event) -> Iterator[None]:
        """Hear of signals before the server does, which would wait for streams that never end."""
        if threading.current_thread() is not threading.main_thread():
            yield  # as in tests: only the main thread is sent signals
            return
        servers = {number: signal.getsignal(number) for number in SIGNALS}

        def stop(number: int) -> None:
            closing.set()
            handler = servers[signal.Signals(number)]
            if callable(handler):
                handler(number, None)

        def heard(number: int, _frame: FrameType | None) -> None:
            notice_s = 0.0 if self.has_begun or number == signal.SIGINT else self._notice_s
            self.has_begun = True
            loop.call_soon_threadsafe(loop.call_later, notice_s, stop, number)

        for number in SIGNALS:
            signal.signal(number, heard)
        try:
            yield
        finally:
            for number, handler in servers.items():
                signal.signal(number, handler)
