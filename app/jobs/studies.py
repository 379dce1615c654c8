"""Workers that compute the chunks of a study: processes of this machine, or machines of a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from app.jobs.dask import PATIENCE_S
from app.jobs.executor import ExecutorError
from app.jobs.local import ignore_interrupts
from app.scenarios.study.blocks import StudyBlock, StudyChunk, computed_study_block
from app.views.study.search import StudyWorkers


class StudyProcesses:
    """A pool of processes, started when it is first needed."""

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, chunk: StudyChunk) -> Future[StudyBlock]:
        if self._pool is None:
            # spawned, not forked: a fork would copy threads' locks and database connections half-way
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=multiprocessing.get_context("spawn"), initializer=ignore_interrupts
            )
        return self._pool.submit(computed_study_block, chunk)

    def close(self) -> None:
        """Let the processes go; what has not begun is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


class StudyCluster:
    """A client of a Dask scheduler."""

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
        client: Any = Client
        try:
            self._client = client(scheduler, timeout=PATIENCE_S, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ExecutorError(
                f"No Dask scheduler answers at {scheduler} ({error}). Start one with `dask scheduler`."
            ) from None

    @property
    def workers(self) -> int:
        found = self._client.scheduler_info(n_workers=-1)["workers"]
        return max(sum(int(worker["nthreads"]) for worker in found.values()), 1)

    def submit(self, chunk: StudyChunk) -> Future[StudyBlock]:
        found: Future[StudyBlock] = Future()
        sent = self._client.submit(computed_study_block, chunk, pure=False)

        def pass_on(done: Any) -> None:
            try:
                found.set_result(done.result())
            except Exception as error:
                found.set_exception(error)

        sent.add_done_callback(pass_on)
        return found

    def close(self) -> None:
        self._client.close(timeout=PATIENCE_S)


def study_workers(scheduler: str = "", workers: int = 0) -> StudyWorkers:
    """Processes of this machine, or the cluster of a scheduler.

    Raises
    ------
    ExecutorError : the cluster cannot be reached
    """
    return StudyCluster(scheduler) if scheduler else StudyProcesses(workers)
