"""Machines of a Dask cluster: `podwright[cluster]`."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from typing import Any

from app import __version__
from app.jobs.blocks import AnyChunk, Block, computed_block
from app.jobs.executor import ExecutorError, WorkerLostError

PATIENCE_S = 10
LEAST_WORKERS = 1


class DaskExecutor:
    """A client of a scheduler. Dask itself sends a chunk again whose worker was lost."""

    def __init__(self, scheduler: str) -> None:
        """
        Raises
        ------
        ExecutorError : distributed is not installed, or nothing answers at the address
        """
        try:
            from distributed import Client
        except ImportError:
            raise ExecutorError(
                "Dask is not installed here: pip install 'podwright[cluster]', or leave --scheduler out."
            ) from None
        try:
            client: Any = Client
            self._client = client(scheduler, timeout=PATIENCE_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ExecutorError(
                f"No Dask scheduler answers at {scheduler} ({error}). Start one with `dask scheduler`."
            ) from None
        self._pending: set[Any] = set()

    @property
    def workers(self) -> int:
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return max(sum(int(worker["nthreads"]) for worker in workers.values()), LEAST_WORKERS)

    def submit(self, chunk: AnyChunk) -> Future[Block]:
        found: Future[Block] = Future()
        # impure: two jobs that ask the same are two pieces of work, each to be cancelled by itself
        sent = self._client.submit(computed_block, chunk, __version__, pure=False)
        self._pending.add(sent)
        sent.add_done_callback(lambda done: self._pass_on(done, found))
        return found

    def cancel(self) -> None:
        pending, self._pending = self._pending, set()
        if pending:
            self._client.cancel(list(pending))

    def close(self) -> None:
        self.cancel()
        self._client.close(timeout=PATIENCE_S)

    def _pass_on(self, done: Any, found: Future[Block]) -> None:
        self._pending.discard(done)
        from distributed import CancelledError as DaskCancelledError
        from distributed import KilledWorker

        try:
            block = done.result()
        except (KilledWorker, DaskCancelledError, CancelledError, OSError) as error:
            found.set_exception(WorkerLostError(str(error)))
        except Exception as error:
            found.set_exception(error)
        else:
            found.set_result(block)
