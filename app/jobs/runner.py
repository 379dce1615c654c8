"""Runs the jobs that wait, one after the other, in a thread beside the server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog, ready_engine
from app.db.address import read_address
from app.jobs.dask import DaskExecutor
from app.jobs.executor import Executor, ExecutorError
from app.jobs.local import LocalExecutor
from app.jobs.queue import JobQueue, LeaseLostError
from app.jobs.records import Job, Plan
from app.jobs.run import run_job
from app.saved.errors import StorageError
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import plan_sweep
from app.settings import Settings

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
TRY_AGAIN_AFTER_S = 10.0


def executor_of(scheduler: str = "", workers: int = 0) -> Executor:
    """Processes of this machine, or the cluster of a scheduler.

    Raises
    ------
    ExecutorError : the cluster cannot be reached
    """
    return DaskExecutor(scheduler) if scheduler else LocalExecutor(workers)


def plan_of(job: Job, catalog: Catalog) -> Plan:
    """The plan of a job, with the catalog of its workspace.

    Raises
    ------
    ScenarioError : the catalog no longer has what it needs
    """
    if job.kind == "fleet":
        from app.jobs.fleets import FleetPlan, document_of

        return FleetPlan(document_of(job), catalog.of(job.workspace_id))
    document = build_document(SweepDocument, job.document)
    assert isinstance(document.scenario, ScenarioDocument)  # written out when it was asked for
    return plan_sweep(document, document.scenario, catalog.of(job.workspace_id))


class JobRunner:
    """Claims and runs jobs until it is stopped; what it leaves unfinished goes on wherever it is claimed next."""

    def __init__(
        self,
        queue: Callable[[], JobQueue | None],
        catalog: Callable[[], Catalog],
        *,
        scheduler: str = "",
        workers: int = 0,
    ) -> None:
        self._queue = queue
        self._catalog = catalog
        self._scheduler = scheduler
        self._workers = workers
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._executor: Executor | None = None

    @classmethod
    def of(cls, settings: Settings) -> JobRunner:
        """A runner for the database of these settings. One that is not there yet has no jobs."""

        def queue() -> JobQueue | None:
            return JobQueue(ready_engine(settings)) if _is_there(settings.database_url) else None

        return cls(
            queue,
            lambda: ready_catalog(settings),
            scheduler=settings.dask_scheduler,
            workers=settings.sweep_workers,
        )

    def start(self) -> None:
        """Begin to look for jobs."""
        self._stopping.clear()
        self._thread = threading.Thread(target=self._loop, name="jobs", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Give back what is being worked on, and wait until that is done."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        if self._executor is not None:
            self._executor.close()
            self._executor = None

    def run_next(self) -> bool:
        """Run the job that has waited longest; whether there was one."""
        queue = self._queue()
        job = queue.claim() if queue else None
        if queue is None or job is None:
            return False
        try:
            run_job(queue, job, plan_of(job, self._catalog()), self._ready(), stopped=self._stopping.is_set)
        except LeaseLostError:
            logger.warning("job %s was taken over by another process", job.id)
        except StorageError as error:
            logger.warning("job %s waits for the database: %s", job.id, error.message)
            self._stopping.wait(TRY_AGAIN_AFTER_S)
        except Exception as error:
            logger.exception("job %s failed", job.id)
            self._failed(queue, job, error)
        return True

    def _loop(self) -> None:
        in_vain = False
        while not self._stopping.is_set():
            try:
                pause_s = 0.0 if self.run_next() else LOOK_EVERY_S
                in_vain = False
            except Exception as error:  # such as a database that cannot be reached for a while
                if not in_vain:
                    logger.warning("jobs cannot be looked for: %s", error)
                pause_s, in_vain = TRY_AGAIN_AFTER_S, True
            self._stopping.wait(pause_s)

    def _ready(self) -> Executor:
        if self._executor is None:
            self._executor = executor_of(self._scheduler, self._workers)
        return self._executor

    def _failed(self, queue: JobQueue, job: Job, error: Exception) -> None:
        """Say that a job failed, where that is not said yet; one that lacks its cluster waits for it."""
        try:
            if isinstance(error, ExecutorError):
                queue.give_back(job.id)
                self._stopping.wait(TRY_AGAIN_AFTER_S)
            else:
                queue.finish(job.id, "failed", str(error) or type(error).__name__)
        except LeaseLostError:
            pass  # it was said when it happened


def _is_there(database_url: str) -> bool:
    """Return whether there is a database to look into: opening a file that is missing would make it."""
    url = read_address(database_url)
    return url.get_backend_name() != "sqlite" or not url.database or Path(url.database).exists()
