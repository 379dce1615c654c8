"""Running a job: to its end, to a cancel, over a lost worker, and on from what another process left."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from app.db.tables import JobRow
from app.db.tables.base import now
from app.jobs import run
from app.jobs.blocks import Block, computed_block, figures_of
from app.jobs.executor import Executor, InThread, WorkerLostError
from app.jobs.local import LocalExecutor
from app.jobs.queue import JobQueue, LeaseLostError
from app.jobs.records import Job
from app.jobs.run import MOST_ATTEMPTS, MOST_LOSSES, ChunkFailedError, run_job
from app.jobs.store import Jobs
from app.saved.errors import StorageError
from app.saved.faults import storage_error
from app.scenarios.sweeping.chunks import Chunk
from app.scenarios.sweeping.plan import SweepPlan
from tests.clock import clock_moved
from tests.jobs.conftest import Plan

pytestmark = pytest.mark.slow


def results(jobs: Jobs, job: Job) -> np.ndarray:
    return np.concatenate([figures_of(one.figures) for one in jobs.blocks(job.id)], axis=1)


def ran(jobs: Jobs, queue: JobQueue, plan: SweepPlan, executor: Executor, **options: object) -> Job:
    job, _ = jobs.start(plan, worker=queue.worker)
    run_job(queue, job, plan, executor, **options)  # type: ignore[arg-type]
    return jobs.get(job.id)


class Losing(InThread):
    """Loses chunks: `times` each before it computes one."""

    def __init__(self, times: int) -> None:
        self.left: dict[int, int] = {}
        self.times = times

    def submit(self, chunk: Chunk) -> Future[Block]:
        left = self.left.setdefault(chunk.number, self.times)
        if left == 0:
            return super().submit(chunk)
        self.left[chunk.number] = left - 1
        lost: Future[Block] = Future()
        lost.set_exception(WorkerLostError("gone"))
        return lost


@pytest.fixture
def always_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few chunks there are, the executor gets them."""
    monkeypatch.setattr(run, "FEW_CHUNKS", 0)


def test_a_job_runs_to_its_end_and_says_how_far_it_is(jobs: Jobs, queue: JobQueue, plan: Plan) -> None:
    seen: list[int] = []
    job = ran(jobs, queue, plan(2), InThread(), progress=seen.append)
    assert (job.state, job.done, job.feasible, job.total) == ("done", 16, 16, 16)
    assert seen[0] == 0
    assert seen[-1] == 16
    assert job.finished_at is not None
    assert results(jobs, job).shape == (2, 16)


def test_a_lost_worker_changes_nothing(jobs: Jobs, queue: JobQueue, plan: Plan, always_sent: None) -> None:
    whole, lossy = (ran(jobs, queue, plan(2), one) for one in (InThread(), Losing(MOST_LOSSES)))
    assert lossy.state == "done"
    np.testing.assert_array_equal(results(jobs, whole), results(jobs, lossy))


def test_a_chunk_that_always_ends_its_worker_fails_the_job(
    jobs: Jobs, queue: JobQueue, plan: Plan, always_sent: None
) -> None:
    job, _ = jobs.start(plan(1), worker=queue.worker)
    with pytest.raises(ChunkFailedError):
        run_job(queue, job, plan(1), Losing(MOST_LOSSES + 1))
    failed = jobs.get(job.id)
    assert failed.state == "failed"
    assert failed.error.startswith("Designs 0 to 7 ended 6 workers")


def test_a_cancelled_job_stops_and_keeps_what_is_done(
    jobs: Jobs, queue: JobQueue, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "AHEAD", 0)
    made = plan(4)
    job, _ = jobs.start(made, worker=queue.worker)

    def cancel_half_way(done: int) -> None:
        if done >= 16:
            jobs.cancel(job.id)

    run_job(queue, job, made, InThread(), progress=cancel_half_way)
    stopped = jobs.get(job.id)
    assert stopped.state == "cancelled"
    assert 16 <= stopped.done < 32
    assert results(jobs, stopped).shape == (2, stopped.done)
    assert jobs.cancel(job.id) == stopped


def test_a_waiting_job_is_cancelled_at_once(jobs: Jobs, queue: JobQueue, plan: Plan) -> None:
    job, _ = jobs.start(plan(1))
    assert jobs.cancel(job.id).state == "cancelled"
    assert queue.claim() is None


def test_what_is_given_back_goes_on_elsewhere(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    first, second = JobQueue(engine), JobQueue(engine)
    made = plan(4)
    job, _ = jobs.start(made, worker=first.worker)
    done: list[int] = []
    run_job(first, job, made, InThread(), stopped=lambda: done[-1:] >= [8], progress=done.append)
    waiting = jobs.get(job.id)
    assert waiting.state == "queued"
    assert 0 < waiting.done < 32
    claimed = second.claim()
    assert claimed is not None
    sent: list[int] = []

    class Counting(InThread):
        def submit(self, chunk: Chunk) -> Future[Block]:
            sent.append(chunk.number)
            return super().submit(chunk)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "FEW_CHUNKS", 0)
        run_job(second, claimed, made, Counting())
    assert len(sent) == 4 - waiting.done // 8  # only what was not stored
    whole = ran(jobs, JobQueue(engine), made, InThread())
    np.testing.assert_array_equal(results(jobs, jobs.get(job.id)), results(jobs, whole))


def test_a_job_whose_process_died_is_taken_up_when_its_lease_is_over(
    jobs: Jobs, engine: Engine, plan: Plan
) -> None:
    dead, other = JobQueue(engine), JobQueue(engine)
    made = plan(2)
    job, _ = jobs.start(made, worker=dead.worker)
    dead.add(job.id, [computed_block(made.chunk(0), job.engine_version)])
    assert other.claim() is None
    _lease_runs_out(engine, job.id)
    claimed = other.claim()
    assert claimed is not None
    run_job(other, claimed, made, InThread())
    assert jobs.get(job.id).state == "done"
    with pytest.raises(LeaseLostError):  # should it come back from the dead
        dead.add(job.id, [computed_block(made.chunk(1), job.engine_version)])
    assert jobs.get(job.id).done == 16


def test_a_clock_that_is_put_back_holds_no_job_up(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    """A lease until tomorrow is one of before; anyone who lives has a right one in seconds."""
    made = plan(1)
    alive, other = JobQueue(engine), JobQueue(engine)
    with clock_moved(timedelta(days=1)):
        job, _ = jobs.start(made, worker=JobQueue(engine).worker)
        assert other.claim() is None
    claimed = alive.claim()
    assert claimed is not None
    assert claimed.id == job.id
    with clock_moved(timedelta(hours=-1)):
        alive.add(job.id, [])
        assert other.claim() is None
        run_job(alive, claimed, made, InThread())
    assert jobs.get(job.id).state == "done"


def test_only_one_process_gets_a_job(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    jobs.start(plan(1))
    assert [JobQueue(engine).claim() is not None for _ in range(3)] == [True, False, False]


def test_a_job_that_ends_every_process_is_given_up(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    made = plan(1)
    job, _ = jobs.start(made)
    for _ in range(MOST_ATTEMPTS):
        assert JobQueue(engine).claim() is not None
        _lease_runs_out(engine, job.id)
    last = JobQueue(engine)
    claimed = last.claim()
    assert claimed is not None
    run_job(last, claimed, made, InThread())
    assert jobs.get(job.id).error == "5 processes in a row ended while they ran it."


def test_while_the_database_is_away_a_job_only_waits(
    jobs: Jobs, engine: Engine, queue: JobQueue, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan(1)
    job, _ = jobs.start(made, worker=queue.worker)

    def away(*_: object) -> None:
        raise storage_error("busy", engine.url)

    with monkeypatch.context() as patch:
        patch.setattr(queue, "add", away)
        with pytest.raises(StorageError):
            run_job(queue, job, made, InThread())
    assert jobs.get(job.id).state == "running"
    _lease_runs_out(engine, job.id)
    claimed = queue.claim()
    assert claimed is not None
    run_job(queue, claimed, made, InThread())
    assert jobs.get(job.id).state == "done"


def test_after_an_upgrade_a_job_starts_over(jobs: Jobs, engine: Engine, plan: Plan) -> None:
    made, first = plan(2), JobQueue(engine)
    job, _ = jobs.start(made, worker=first.worker)
    first.add(job.id, [computed_block(made.chunk(0), job.engine_version)])
    first.give_back(job.id)
    with Session(engine) as session:
        session.get_one(JobRow, job.id).engine_version = "0.0.1"
        session.commit()
    second = JobQueue(engine)
    claimed = second.claim()
    assert claimed is not None
    seen: list[int] = []
    run_job(second, claimed, made, InThread(), progress=seen.append)
    assert seen[0] == 0
    assert jobs.get(job.id).done == 16


def test_processes_give_the_same_and_losing_one_changes_nothing(
    jobs: Jobs, queue: JobQueue, plan: Plan
) -> None:
    made = plan(12)
    alone = ran(jobs, queue, made, InThread())
    executor = LocalExecutor(2)
    killed: list[int] = []

    def kill_one(done: int) -> None:
        if done > 0 and not killed:
            assert executor._pool is not None
            killed.append(next(iter(executor._pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

    try:
        lossy = ran(jobs, queue, made, executor, progress=kill_one)
    finally:
        executor.close()
    assert killed
    assert lossy.state == "done"
    np.testing.assert_array_equal(results(jobs, lossy), results(jobs, alone))


def test_a_cluster_gives_the_same(jobs: Jobs, queue: JobQueue, plan: Plan) -> None:
    from distributed import LocalCluster

    from app.jobs.dask import DaskExecutor

    made = plan(6)
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        executor = DaskExecutor(cluster.scheduler_address)
        try:
            assert executor.workers == 2
            together = ran(jobs, queue, made, executor)
        finally:
            executor.close()
    np.testing.assert_array_equal(results(jobs, together), results(jobs, ran(jobs, queue, made, InThread())))


def _lease_runs_out(engine: Engine, id: str) -> None:
    with Session(engine) as session:
        session.get_one(JobRow, id).lease_until = now() - timedelta(seconds=1)
        session.commit()
