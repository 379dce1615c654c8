"""The runner: it finds what waits, and leaves what it cannot finish to others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.jobs.queue import JobQueue
from app.jobs.runner import JobRunner
from app.jobs.store import Jobs
from app.settings import Settings
from tests.jobs.conftest import Plan

pytestmark = pytest.mark.slow


@pytest.fixture
def runner(engine: Engine, catalog: Catalog) -> JobRunner:
    return JobRunner(lambda: JobQueue(engine), lambda: catalog, workers=1)


def until(there: Callable[[], bool]) -> None:
    for _ in range(600):
        if there():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")


@pytest.fixture
def started(runner: JobRunner) -> Iterator[JobRunner]:
    runner.start()
    yield runner
    runner.stop()


def test_it_runs_what_waits_the_oldest_first(jobs: Jobs, runner: JobRunner, plan: Plan) -> None:
    first, _ = jobs.start(plan(1))
    second, _ = jobs.start(plan(2))
    assert runner.run_next()
    assert [jobs.get(job.id).state for job in (first, second)] == ["done", "queued"]
    assert runner.run_next()
    assert not runner.run_next()


def test_beside_a_server_it_looks_by_itself(jobs: Jobs, started: JobRunner, plan: Plan) -> None:
    job, _ = jobs.start(plan(1))
    until(lambda: jobs.get(job.id).state == "done")


def test_a_job_that_cannot_be_planned_any_more_fails_in_words(
    jobs: Jobs, runner: JobRunner, plan: Plan, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan(1)
    job, _ = jobs.start(made)
    monkeypatch.setattr("app.jobs.runner.plan_of", _gone)
    runner.run_next()
    failed = jobs.get(job.id)
    assert (failed.state, failed.error) == ("failed", "the part is gone")


def _gone(*_: object) -> None:
    raise LookupError("the part is gone")


def test_without_its_cluster_a_job_waits(
    jobs: Jobs, engine: Engine, catalog: Catalog, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("app.jobs.dask.PATIENCE_S", 0.2)
    monkeypatch.setattr("app.jobs.runner.TRY_AGAIN_AFTER_S", 0.0)
    away = JobRunner(lambda: JobQueue(engine), lambda: catalog, scheduler="tcp://127.0.0.1:9")
    job, _ = jobs.start(plan(1))
    away.run_next()
    assert jobs.get(job.id).state == "queued"


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "none")
    assert not JobRunner.of(settings).run_next()
    assert not (tmp_path / "none").exists()
