"""Requests that compute for long, answered by processes of their own: bounded in time and memory, and stopped when
no one waits any longer.

A worker is the whole application in another process. It gets a request as it came and sends back the answer;
a caller that disconnects, or a request that takes too long or too much memory, ends the process, and the next
request finds a new one. Pages that are cheap are answered alongside it, at a higher priority.
"""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import os
import re
import resource
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any, Final, NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.rates import TokenBuckets, caller_of, network_of
from app.server.refusals import Answering, Reason, Refusal, refuse
from app.server.routes import ROUTED, route_of

logger = logging.getLogger(__name__)

HEAVY: Final = re.compile(
    r"/api/v1/(searches|domain-studies|evaluations:batch|calibrations|projections|imports|model-descriptions"
    r"|step-timelines|catalog/imports|catalog/climate/.+|(fabric|facility|economics|operations|serving|exports|figures)/.+)"
    r"|/(explore|economics|facility|operations|serving|fabric|calibrate|sweep)/.+"
    r"|/studies/(answer|[0-9a-f]{32}/review)|/studio/(timeline|export/.+)|/designs/[^/]+/export(/.+)?|/import|/catalog/own/(import|model|climate)(/.+)?"
)
"""Addresses whose work grows with what is sent."""
LONG: Final = re.compile(
    r"/studies/.*|.*/(searches|explore|domain-studies|evaluations:batch|calibrations|calibrate|imports?|climate|sweep|uncertainty"
    r"|simulation|sizing|faults|utilisation|sharing|growth|sizes|savings|sites|runs?|cost_against_time)(/.*)?"
)
"""Of those, the ones that may take seconds. They leave a worker to the others, where there are two or more."""
NICENESS: Final = 5
"""Of workers: pages go first."""
MOST_WAITING: Final = 64
MOST_WAITING_OF_ONE: Final = 8
SECONDS_SAVED: Final = 120.0
"""Of computing that a caller who has been quiet may use at once."""
WATCHED_S: Final = 1.0
CONTEXT: Final = multiprocessing.get_context("forkserver")
LONGEST_S: Final = 300.0
"""From the beginning to the end of an answer; how long it may take to begin is limited elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeavyLimits:
    """What heavy requests may take."""

    workers: int
    of_one_caller: int  # requests that are computed at once
    seconds_per_minute: float  # of computing, of one account or address; 0 is any number


class HeavyWork:
    """Inside of all that finds out who asks. Hands heavy requests on, one a worker, callers by turns."""

    def __init__(self, app: ASGIApp, pool: Workers, limits: HeavyLimits, answering: Answering) -> None:
        self.app = app
        self._pool = pool
        self._turns = Turns(limits.workers, limits.of_one_caller, max(1, limits.workers - 1))
        self._answering = answering
        per_minute = limits.seconds_per_minute
        self._seconds = TokenBuckets(per_minute, SECONDS_SAVED) if per_minute else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not HEAVY.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        callers = {caller_of(scope), network_of(scope)}
        wait_s = (
            math.ceil(max(self._seconds.owed_s(one) for one in callers)) if self._seconds is not None else 0
        )
        if wait_s:
            detail = f"You used more computing time than one caller may. Wait {wait_s:,} s."
            await self._refuse("too-much-computing", 429, detail, wait_s, scope, receive, send)
            return
        turn = Turn(caller_of(scope), LONG.fullmatch(scope["path"]) is not None)
        try:
            await self._turns.wait(turn)
        except TooManyWaitingError as error:
            if error.of_one:
                detail = "Too many of your requests wait to be computed."
                await self._refuse("too-much-computing", 429, detail, 2, scope, receive, send)
            else:
                detail = "Too many requests wait to be computed."
                await self._refuse("too-busy", 503, detail, 2, scope, receive, send)
            return
        start = time.monotonic()
        try:
            answered = await self._pool.answer(scope, receive, send)
        finally:
            self._turns.done(turn)
            if self._seconds is not None:
                for caller in callers:
                    self._seconds.spend(caller, time.monotonic() - start)
        if not answered:
            detail = "The computation ended before it was done. The server log says why."
            await self._refuse("gave-up", 504, detail, 10, scope, receive, send)

    async def _refuse(
        self,
        reason: Reason,
        status: int,
        detail: str,
        wait_s: float,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        headers = {"retry-after": str(wait_s)}
        refusal = Refusal(reason=reason, status=status, detail=detail, headers=headers)
        await refuse(self._answering, refusal, scope, receive, send)


class TooManyWaitingError(Exception):
    """There is no room in the queue; `of_one` where one caller fills it."""

    def __init__(self, of_one: bool) -> None:
        super().__init__()
        self.of_one = of_one


class Turn(NamedTuple):
    """What a caller waits for: its long requests do not hold up its brief ones."""

    caller: str
    is_long: bool = False


class Turns:
    """Who is next: of those who wait, the one that was served longest ago. Each caller has a bounded number
    of either kind under way and waiting, and `most_long` are long at once. Of one event loop.
    """

    def __init__(self, slots: int, of_one: int, most_long: int) -> None:
        self._free = slots
        self._free_long = most_long
        self._of_one = of_one
        self._under_way: dict[Turn, int] = {}
        self._waiting: dict[Turn, deque[asyncio.Future[None]]] = {}
        self._served: dict[Turn, int] = {}  # when, of those who wait or are under way
        self._count = 0

    async def wait(self, turn: Turn) -> None:
        """Until it is the caller's turn.

        Raises
        ------
        TooManyWaitingError : too many wait already
        """
        own = self._waiting.get(turn)
        if own is not None and len(own) >= MOST_WAITING_OF_ONE:
            raise TooManyWaitingError(of_one=True)
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise TooManyWaitingError(of_one=False)
        given: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(turn, deque()).append(given)
        self._next()
        try:
            await given
        except asyncio.CancelledError:
            if given.done() and not given.cancelled():
                self.done(turn)  # it was given a moment ago
            else:
                self._leave(turn, given)
            raise

    def done(self, turn: Turn) -> None:
        """A turn is over."""
        self._free += 1
        self._free_long += turn.is_long
        self._under_way[turn] -= 1
        if not self._under_way[turn]:
            del self._under_way[turn]
        self._next()
        self._forget(turn)

    def _next(self) -> None:
        while self._free > 0:
            able = [
                turn
                for turn in self._waiting
                if self._under_way.get(turn, 0) < self._of_one and self._free_long >= turn.is_long
            ]
            if not able:
                return
            turn = min(able, key=lambda one: self._served.get(one, 0))
            given = self._waiting[turn].popleft()
            if not self._waiting[turn]:
                del self._waiting[turn]
            if given.done():  # left a moment ago
                continue
            self._free -= 1
            self._free_long -= turn.is_long
            self._under_way[turn] = self._under_way.get(turn, 0) + 1
            self._count += 1
            self._served[turn] = self._count
            given.set_result(None)

    def _leave(self, turn: Turn, given: asyncio.Future[None]) -> None:
        own = self._waiting.get(turn)
        if own is not None and given in own:
            own.remove(given)
            if not own:
                del self._waiting[turn]
            self._forget(turn)

    def _forget(self, turn: Turn) -> None:
        if turn not in self._waiting and turn not in self._under_way:
            self._served.pop(turn, None)


@dataclass(slots=True)
class Worker:
    """A process with the application, and the pipe to it."""

    process: ForkServerProcess
    pipe: Connection

    def end(self) -> None:
        """At once, whatever it does."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join(5)
        with suppress(OSError):
            self.pipe.close()  # after every reader has seen its end


@dataclass(slots=True)
class Workers:
    """Processes that wait for a request each; started when they are needed.

    Parameters
    ----------
    target : module of a function `serve(pipe, given)`, which answers requests until the pipe ends
    given : what the function is given, to be pickled
    """

    target: str
    given: Any
    most: int
    memory_bytes: int
    _idle: list[Worker] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _threads: ThreadPoolExecutor | None = None
    _closed: bool = False

    def start(self) -> None:
        """Have one process ready, in the background."""
        self._closed = False
        CONTEXT.set_forkserver_preload([self.target])
        threading.Thread(target=self._warm, name="first worker", daemon=True).start()

    def close(self) -> None:
        """End all that wait; those at work end with the requests that they answer."""
        with self._guard:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.end()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Send a request to a worker and its answer to the caller; whether there was one, or no one waits for
        it.

        Raises
        ------
        EOFError : the answer broke off in the middle
        """
        first, sent = await receive(), asyncio.Event()
        answering = asyncio.ensure_future(self._answer(scope, first.get("body", b""), send, sent))
        leaving = asyncio.ensure_future(_until_gone(receive))
        try:
            await asyncio.wait({answering, leaving}, timeout=LONGEST_S, return_when=asyncio.FIRST_COMPLETED)
            if (
                sent.is_set()
            ):  # a caller who has the whole answer is gone as well, and the worker about to be free
                await asyncio.wait({answering}, timeout=WATCHED_S)
            return await answering if answering.done() else leaving.done()
        finally:
            leaving.cancel()
            answering.cancel()
            with suppress(asyncio.CancelledError, EOFError):
                await answering  # which ends the worker, where it is not done

    async def _answer(self, scope: Scope, body: bytes, send: Send, sent: asyncio.Event) -> bool:
        loop, threads = asyncio.get_running_loop(), self._pool()
        taking = threads.submit(self._take)
        try:
            worker = await asyncio.wrap_future(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(lambda taken: None if taken.cancelled() else self._back(taken.result()))
            raise
        whole, status = False, 0
        try:
            await loop.run_in_executor(threads, worker.pipe.send, (_plain(scope), body))
            while not whole:
                kind, value = await loop.run_in_executor(threads, worker.pipe.recv)
                if kind == "message":
                    status = value.get("status", status)
                    await send(value)
                    if value["type"] == "http.response.body" and not value.get("more_body"):
                        sent.set()
                elif kind == "route":
                    scope[ROUTED] = value
                elif kind == "spend" and (spend := scope.get("state", {}).get("spend")):
                    spend(value)
                whole = kind == "end"
            return True
        except (EOFError, OSError) as error:
            logger.warning("a worker ended in the middle of %s: %r", scope["method"], error)
            if status:
                raise EOFError from error
            return False
        finally:
            # what was given up or ran out of memory may have left something behind
            if whole and status not in (503, 504):
                self._back(worker)
            else:
                await asyncio.shield(loop.run_in_executor(None, worker.end))

    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(2 * self.most + 2, thread_name_prefix="worker")
        return self._threads

    def _take(self) -> Worker:
        with self._guard:
            while self._idle:
                worker = self._idle.pop()
                if worker.process.is_alive():
                    return worker
                worker.end()
        return self._started()

    def _back(self, worker: Worker) -> None:
        with self._guard:
            if not self._closed and len(self._idle) < self.most:
                self._idle.append(worker)
                return
        worker.end()

    def _started(self) -> Worker:
        CONTEXT.set_forkserver_preload([self.target])
        ours, theirs = CONTEXT.Pipe()
        process = CONTEXT.Process(
            target=_run,
            args=(theirs, self.target, self.given, self.memory_bytes),
            name="heavy work",
            daemon=True,
        )
        process.start()
        theirs.close()
        return Worker(process, ours)

    def _warm(self) -> None:
        try:
            self._back(self._started())
        except Exception:
            logger.warning("no worker could be started ahead", exc_info=True)


def _run(pipe: Connection, target: str, given: Any, memory_bytes: int) -> None:
    """Main loop of a worker; it ends with the process that started it, even where that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes of a terminal
    os.nice(NICENESS)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCHED_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    serve: Callable[[Connection, Any], None] = import_module(target).serve
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_AS, (used + memory_bytes, resource.RLIM_INFINITY))
    with suppress(EOFError, OSError):
        serve(pipe, given)


async def serve_requests(app: ASGIApp, pipe: Connection) -> None:
    """Answer the requests of a pipe with an application, one after another, until the pipe ends."""
    while True:
        await _serve_one(app, pipe, *pipe.recv())


async def _serve_one(app: ASGIApp, pipe: Connection, scope: Scope, body: bytes) -> None:
    scope["state"]["spend"] = lambda more: pipe.send(("spend", more))
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            await (
                asyncio.Future()
            )  # nothing comes after the body: a caller that disconnects ends this process
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            pipe.send(("route", route_of(scope)))
        pipe.send(("message", message))

    await app(scope, receive, send)
    pipe.send(("end", None))


def _plain(scope: Scope) -> dict[str, Any]:
    """What of a request can be sent to another process."""
    kept = ("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path", "headers",
            "client", "server")  # fmt: skip
    state = {"request_id": scope.get("state", {}).get("request_id", "")}
    return {**{name: scope[name] for name in kept if name in scope}, "state": state}


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
