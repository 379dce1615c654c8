"""Processes of this machine, the default."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor

from app import __version__
from app.jobs.blocks import AnyChunk, Block, computed_block
from app.jobs.executor import WorkerLostError


class LocalExecutor:
    """A pool of processes, started when it is first needed. A pool that loses a process is replaced."""

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None
        self._guard = threading.Lock()
        self._pending: set[Future[Block]] = set()

    def submit(self, chunk: AnyChunk) -> Future[Block]:
        found: Future[Block] = Future()
        with self._guard:
            self._send(chunk, found)
        return found

    def cancel(self) -> None:
        with self._guard:
            pending = list(self._pending)
        for future in pending:  # each takes itself off the list
            future.cancel()

    def close(self) -> None:
        with self._guard:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _send(self, chunk: AnyChunk, found: Future[Block]) -> None:
        try:
            inner = self._ready().submit(computed_block, chunk, __version__)
        except BrokenExecutor:
            self._drop()
            inner = self._ready().submit(computed_block, chunk, __version__)
        self._pending.add(inner)
        inner.add_done_callback(lambda done: self._pass_on(done, found))

    def _ready(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # spawned, not forked: a fork would copy threads' locks and database connections half-way
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=multiprocessing.get_context("spawn"), initializer=ignore_interrupts
            )
        return self._pool

    def _drop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

    def _pass_on(self, done: Future[Block], found: Future[Block]) -> None:
        self._pending.discard(done)
        try:
            block = done.result()
        except (BrokenExecutor, CancelledError) as error:
            found.set_exception(WorkerLostError(str(error)))
        except Exception as error:
            found.set_exception(error)
        else:
            found.set_result(block)


def ignore_interrupts() -> None:
    """Ctrl-C goes to every process of a terminal; the process that started the pool decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
