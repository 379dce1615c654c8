"""How quick training runs are simulated failure by failure."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from app.engine.design import evaluate
from app.engine.performance.section import Performance
from app.engine.running.training_run import run_plan, simulate_runs
from app.engine.specs import Design, TrainingWorkload
from bench.timing import Measurement, timed

RUNS = 10_000
WORK_S = 90 * 86_400.0
SEED = 20261126


def operations_measurements(design: Design) -> Iterator[Measurement]:
    """`design` trains on 16,384 accelerators; its spares, checkpoints and failures are those of its evaluation."""
    sections = evaluate(design).sections
    assert isinstance(design.workload, TrainingWorkload)
    assert isinstance(sections.performance, Performance)
    plan = run_plan(
        workload=design.workload,
        supernode=design.supernode,
        pod=design.pod,
        operations=design.operations,
        performance=sections.performance,
        reliability=sections.reliability,
        assumptions=design.assumptions.rooms["operations"],
    )
    long = dataclasses.replace(plan, work_s=WORK_S)
    run = functools.partial(simulate_runs, long, runs=RUNS, seed=SEED)
    yield timed(f"{RUNS:,} simulated runs of 90 days", run, runs=3, unit="s", aim=5)
