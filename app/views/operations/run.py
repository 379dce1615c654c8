"""A simulated run: how long it takes over many runs, the probability of a date, and one run failure by failure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field
from scipy.special import ndtri

from app.engine.operations.failures import lognormal_sigma
from app.engine.operations.goodput import MOST_LOST
from app.engine.running.training_run import (
    DAY_S,
    Failure,
    RunPlan,
    simulate_runs,
    simulate_timeline,
)
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Whole
from app.views.operations.of_run import OfRun, TableFormat, files_of, run_of
from app.views.table import Column, FileColumn, percents, text_table, time

MOST_FAILURES = 3_000_000
"""Failures of all runs that are simulated for one answer, about a second's work."""
FEWEST_RUNS = 20
LISTED = 2_000
PERCENTILES = (10, 50, 90)
CURVE = 61
PARTS = {
    "productive": "Training advances",
    "checkpoint": "Checkpoint stalls",
    "lost_work": "Recomputed work",
    "restart": "Restarts",
    "waiting": "Waiting for spares",
}


class RunOptions(TableFormat):
    """How many runs are simulated, of which fleets, and by when they are wanted."""

    runs: Annotated[Whole, Field(ge=FEWEST_RUNS, le=20_000)] = Field(
        default=1000,
        description="Runs to simulate; fewer where they fail so often that this would take long.",
    )
    seed: Annotated[Whole, Field(ge=0, le=2**31 - 1)] = Field(
        default=1, description="The same seed gives the same runs."
    )
    deadline_days: Annotated[float, Field(gt=0, le=36_500)] | None = Field(
        default=None,
        description="Days by which the run is to be done; the elapsed time of the evaluation when left out.",
    )
    fleets: bool = Field(
        default=True,
        description="Give each run a rate of failures from the spread of fleets; else all have that of the evaluation.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishPoint:
    """Share of the runs that are done by a day."""

    days: float
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeShare:
    """A share of elapsed time, by the formula of the evaluation and over the simulated runs."""

    name: str
    label: str
    formula: float
    simulated: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureLine:
    """One failure of the run that is followed."""

    day: float
    component: str
    takes_away: str  # process | unit
    needs_hardware: bool
    from_memory: bool  # the state came back from a snapshot, else from shared storage
    lost_s: float
    waiting_s: float
    restart_s: float
    done_share: float  # of the work, that stands after it
    units_away: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnswer:
    """Simulated runs and their reconciliation with the estimate. Times in days; unknown is NaN."""

    name: str
    runs: int
    seed: int
    fleets: bool
    work_days: float
    elapsed_days: float  # by the formula
    formula_holds: bool  # it loses less than a quarter of the time
    mean_days: float
    p10_days: float
    p50_days: float
    p90_days: float
    deadline_days: float
    deadline_stated: bool
    on_time: float  # probability
    failures_per_run: float
    extrapolated_runs: int
    ettr: float
    simulated_ettr: float
    shares: tuple[TimeShare, ...]
    finish: tuple[FinishPoint, ...]
    timeline_days: float
    timeline_failures: int
    timeline: tuple[FailureLine, ...]


def run_answer(scenario: EvaluatedScenario, options: RunOptions) -> RunAnswer:
    """Simulate the run of a scenario.

    Raises
    ------
    ScenarioError : there is no run, or a number of it is unknown
    """
    run = run_of(scenario)
    plan = run.plan()
    count = _affordable(plan, options.runs)
    found = simulate_runs(plan, runs=count, seed=options.seed, mtbf_s=_rates(run, plan, count, options))
    middle = simulate_runs(plan, runs=count, seed=options.seed) if options.fleets else found
    elapsed, failures = simulate_timeline(plan, seed=options.seed)
    shares, days = middle.shares(plan.work_s), found.elapsed_s / DAY_S
    breakdown = run.reliability.goodput_breakdown or {}
    ettr = first_of(breakdown["productive"])
    by_formula = plan.work_s / DAY_S / ettr
    deadline = options.deadline_days or (by_formula if math.isfinite(by_formula) else float(np.median(days)))
    low, half, high = (float(value) for value in np.percentile(days, PERCENTILES))
    return RunAnswer(
        name=scenario.document.name,
        runs=count,
        seed=options.seed,
        fleets=options.fleets and not math.isnan(run.rate.low),
        work_days=plan.work_s / DAY_S,
        elapsed_days=by_formula,
        formula_holds=bool(1 - ettr <= MOST_LOST),
        mean_days=float(days.mean()),
        p10_days=low,
        p50_days=half,
        p90_days=high,
        deadline_days=deadline,
        deadline_stated=options.deadline_days is not None,
        on_time=float((days <= deadline).mean()),
        failures_per_run=float(found.failures.mean()),
        extrapolated_runs=int(found.extrapolated.sum()),
        ettr=ettr,
        simulated_ettr=shares["productive"],
        shares=tuple(
            TimeShare(name=name, label=label, formula=first_of(breakdown[name]), simulated=shares[name])
            for name, label in PARTS.items()
        ),
        finish=_finish(days),
        timeline_days=elapsed / DAY_S,
        timeline_failures=len(failures),
        timeline=tuple(_line(one, plan) for one in failures[:LISTED]),
    )


def _affordable(plan: RunPlan, runs: int) -> int:
    """As many runs as can be simulated in about a second, and a few at least."""
    each = max(2 * plan.work_s / plan.mtbf_s, 1.0)
    return int(np.clip(MOST_FAILURES / each, FEWEST_RUNS, runs))


def _rates(run: OfRun, plan: RunPlan, count: int, options: RunOptions) -> Array | None:
    """Times between interruptions of fleets: lognormal through both bounds of the rate, a run in each slice of it."""
    if not options.fleets or math.isnan(run.rate.low):
        return None
    sigma = lognormal_sigma(low=run.rate.low, high=run.rate.high)
    places = (np.arange(count) + 0.5) / count
    return plan.mtbf_s * np.exp(sigma * ndtri(np.random.default_rng(options.seed).permutation(places)))


def _finish(days: Array) -> tuple[FinishPoint, ...]:
    places = np.unique(np.round(np.linspace(0, days.size - 1, min(CURVE, days.size))).astype(int))
    ordered = np.sort(days)
    return tuple(
        FinishPoint(days=float(ordered[place]), probability=float((place + 1) / days.size))
        for place in places
    )


def _line(one: Failure, plan: RunPlan) -> FailureLine:
    return FailureLine(
        day=one.at_s / DAY_S,
        component=one.cause.component,
        takes_away=one.cause.takes_away,
        needs_hardware=one.cause.needs_hardware,
        from_memory=one.from_memory,
        lost_s=one.lost_s,
        waiting_s=one.waiting_s,
        restart_s=one.restart_s,
        done_share=one.done_s / plan.work_s,
        units_away=one.units_away,
    )


SHARES = (
    Column("Elapsed time", "label", width=-28),
    Column("Formula", "formula", percents(2), 10),
    Column("Simulated", "simulated", percents(2), 12),
)
FILES = files_of(
    (
        FileColumn("Day", "day", "days"),
        FileColumn("Component", "component", None, 18),
        FileColumn("Takes away", "takes_away", None),
        FileColumn("Needs hardware", "needs_hardware", None),
        FileColumn("State from memory", "from_memory", None),
        FileColumn("Lost work", "lost_s", "s"),
        FileColumn("Waiting", "waiting_s", "s"),
        FileColumn("Restart", "restart_s", "s"),
        FileColumn("Work done", "done_share", "1"),
        FileColumn("Units away", "units_away", "1"),
    ),
    lambda answer: answer.timeline,
    name="run",
)


def run_text(answer: RunAnswer) -> str:
    """Duration, its uncertainty, where the time goes, and the first failures of one run."""
    of_fleets = ", each of another fleet" if answer.fleets else ""
    lines = [
        (
            f"{answer.runs:,} simulated runs of {answer.work_days:.1f} days of work{of_fleets}: {answer.p50_days:.1f} days "
            f"({answer.p10_days:.1f} to {answer.p90_days:.1f}), {answer.failures_per_run:,.0f} failures each."
        ),
        f"Done by day {answer.deadline_days:.1f}: {answer.on_time:.0%}. By the formula {answer.elapsed_days:.1f} days"
        + ("." if answer.formula_holds else ", where more than a quarter is lost and it is not checked."),
        "",
        *text_table(SHARES, answer.shares),
        "",
        f"One run, seed {answer.seed}: {answer.timeline_days:.1f} days, {answer.timeline_failures:,} failures. The first:",
    ]
    lines += [
        f"  day {one.day:.3f}: {one.component.replace('_', ' ')}, lost {time(one.lost_s)}, waited {time(one.waiting_s)}, "
        f"{'snapshot' if one.from_memory else 'copy'}"
        for one in answer.timeline[:10]
    ]
    return "\n".join(lines)
