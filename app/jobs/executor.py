"""Workers that compute the chunks of a job: this thread, processes of this machine, or machines of a cluster.

All call the same function on the same chunks, so that none changes a result.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from app.jobs.blocks import AnyChunk, Block, computed_block


class WorkerLostError(RuntimeError):
    """The process that computed a chunk is gone: the chunk is to be sent again."""


class ExecutorError(RuntimeError):
    """An executor cannot be had; the message says what to do about it."""


class Executor(Protocol):
    """Chunks in, blocks out, in any order."""

    @property
    def workers(self) -> int:
        """Number of chunks computed at a time."""
        ...

    def submit(self, chunk: AnyChunk) -> Future[Block]:
        """Compute a chunk. Its future raises WorkerLostError where that was cut short."""
        ...

    def cancel(self) -> None:
        """Forget what was submitted and has not begun."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...


class InThread:
    """Computes in the calling thread: for what is done before a process would have started."""

    workers = 1

    def submit(self, chunk: AnyChunk) -> Future[Block]:
        from app import __version__

        return settled(lambda: computed_block(chunk, __version__))

    def cancel(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing to let go."""


def settled(work: Callable[[], Block]) -> Future[Block]:
    """The future of work that is done at once."""
    future: Future[Block] = Future()
    try:
        future.set_result(work())
    except Exception as error:
        future.set_exception(error)
    return future
