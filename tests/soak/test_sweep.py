"""A million designs: in this process, and on two Dask workers of which one is killed. The same bits come out."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.jobs.dask import DaskExecutor
from app.jobs.executor import Executor, InThread
from app.jobs.queue import JobQueue
from app.jobs.records import Job
from app.jobs.results import Results
from app.jobs.run import run_job
from app.jobs.store import Jobs
from app.scenarios.examples import example
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import SweepPlan, plan_sweep
from tests.databases import engine_in
from tests.soak import lasting

pytestmark = pytest.mark.soak

EXAMPLE = "llama_3_1_405b_on_2048_dgx_h100"
AXES = [
    {"field": "economics.wacc", "from": 0.01, "to": 0.2, "steps": lasting(25, short=5)},
    {
        "field": "supernode.override.accelerator.memory_bandwidth_bytes_per_s",
        "from": 2e12,
        "to": 8e12,
        "steps": 100,
    },
    {"field": "supernode.override.accelerator.tdp_w", "from": 500, "to": 1200, "steps": 50},
    {
        "field": "assumptions.operations.failures_per_node_day",
        "from": 1e-4,
        "to": 1e-2,
        "steps": 2,
        "scale": "log",
    },
    {"field": "facility.redundancy", "values": ["N", "N+1", "2N", "3N/2"]},
]
DESIGNS = lasting(1_000_000, short=200_000)
DASK = Path(sys.executable).with_name("dask")


@pytest.fixture
def engine(seeded_data_dir: Path, tmp_path: Path) -> Iterator[Engine]:
    opened = engine_in(Path(shutil.copytree(seeded_data_dir, tmp_path / "data")))
    yield opened
    opened.dispose()


@pytest.fixture
def plan(engine: Engine) -> SweepPlan:
    document = build_document(SweepDocument, {"scenario": EXAMPLE, "axes": AXES})
    return plan_sweep(document, example(EXAMPLE).read(), Catalog.open(engine))


def swept(engine: Engine, plan: SweepPlan, executor: Executor, after_half: object = None) -> Job:
    """A job that ran to its end; `after_half` is called once, when half of it is stored."""
    queue, jobs = JobQueue(engine), Jobs(engine, 1)
    job, _ = jobs.start(plan, worker=queue.worker)
    called: list[bool] = []

    def progress(done: int) -> None:
        if callable(after_half) and done >= DESIGNS // 2 and not called:
            called.append(True)
            after_half()

    run_job(queue, job, plan, executor, progress=progress)
    return jobs.get(job.id)


def digest(engine: Engine, job: Job) -> str:
    """Of every bit of the results, in the order of the designs."""
    found = hashlib.sha256()
    for rows in Results(Jobs(engine, 1), job).parts():
        for column in (*rows.outputs.values(), rows.limits):
            found.update(column.tobytes())
    return found.hexdigest()


@contextmanager
def process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen([str(DASK), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(30)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def test_a_million_designs_on_a_cluster_that_loses_a_worker(
    engine: Engine, plan: SweepPlan, tmp_path: Path
) -> None:
    assert plan.count == DESIGNS
    alone = swept(engine, plan, InThread())
    found = tmp_path / "scheduler.json"
    worker = ("worker", "--scheduler-file", str(found), "--nthreads", "1", "--no-dashboard", "--no-nanny",
              "--local-directory", str(tmp_path))  # fmt: skip
    with (
        process("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(found)),
        process(*worker) as lost,
        process(*worker),
    ):
        executor = DaskExecutor(_address(found))
        try:
            together = swept(engine, plan, executor, lambda: os.kill(lost.pid, signal.SIGKILL))
        finally:
            executor.close()
    assert lost.returncode == -signal.SIGKILL
    assert [job.state for job in (alone, together)] == ["done", "done"]
    assert (alone.done, alone.feasible) == (together.done, together.feasible) == (DESIGNS, alone.feasible)
    assert digest(engine, alone) == digest(engine, together)


def _address(found: Path) -> str:
    """Where the scheduler listens, once it says so."""
    for _ in range(600):
        if found.exists() and (text := found.read_text()):
            return str(json.loads(text)["address"])
        time.sleep(0.1)
    raise AssertionError("no scheduler came up")
