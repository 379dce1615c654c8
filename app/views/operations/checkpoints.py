"""Time lost against the interval of snapshots, and against that of copies on shared storage."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.engine.operations import checkpointing, goodput
from app.engine.running.training_run import RunPlan
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.of_run import files_of, run_of
from app.views.table import Column, FileColumn, percents, text_table, time

REACH = 16.0  # intervals from the best divided by this to it multiplied by this
POINTS = 65  # odd, so that the best is one


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalPoint:
    """Share of elapsed time that is lost with an interval, everything else as it is."""

    interval_s: float
    lost: float
    is_design: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalCurve:
    """What is lost against one of the intervals; `kind` is snapshot, copy, or blocking checkpoint."""

    kind: str
    label: str
    points: tuple[IntervalPoint, ...]

    @property
    def here(self) -> IntervalPoint:
        """The interval of the design."""
        return next(point for point in self.points if point.is_design)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointsAnswer:
    """Both intervals with what they cost. Unknown is NaN."""

    name: str
    scheme: str
    checkpoint_bytes: float
    stall_s: float
    drain_s: float
    interval_s: float
    copy_interval_s: float
    restart_s: float
    mtbf_s: float
    young_s: float
    daly_s: float
    ettr: float
    node_drain_s: float  # of three levels
    corruption_share: float  # of interruptions; this and the next two where it is found at validations
    validation_s: float
    validation_interval_s: float
    curves: tuple[IntervalCurve, ...]


SNAPSHOT, COPY, BLOCKING = "Snapshots in memory", "Copies on shared storage", "Checkpoints on shared storage"


def checkpoints_answer(scenario: EvaluatedScenario) -> CheckpointsAnswer:
    """Both curves about the intervals of a design.

    Raises
    ------
    ScenarioError : there is no run, or a number of it is unknown
    """
    run = run_of(scenario)
    plan, found = run.plan(), run.reliability

    def of(figure: Array | None) -> float:
        return math.nan if figure is None else first_of(figure)

    best = plan.interval_s
    intervals = _about(best, first_of(run.performance.step_time_s))
    two_level = found.checkpoint_scheme != "blocking"
    curves = [
        _curve(
            "snapshot" if two_level else "blocking",
            SNAPSHOT if two_level else BLOCKING,
            intervals,
            1 - useful_share(plan, first_of(found.waiting_s), intervals, None),
            best,
        )
    ]
    if two_level:
        apart = of(found.persistent_interval_s)
        copies = apart * np.unique(np.round(np.geomspace(1, 256, POINTS)))
        share = useful_share(plan, first_of(found.waiting_s), np.full(copies.shape, best), copies)
        curves.append(_curve("copy", COPY, copies, 1 - share, apart))
    return CheckpointsAnswer(
        name=scenario.document.name,
        scheme=found.checkpoint_scheme,
        checkpoint_bytes=of(found.checkpoint_bytes),
        stall_s=plan.stall_s,
        drain_s=plan.drain_s,
        interval_s=best,
        copy_interval_s=of(found.persistent_interval_s),
        restart_s=first_of(found.restart_s),
        mtbf_s=plan.mtbf_s,
        young_s=of(found.checkpoint_interval_young_s),
        daly_s=of(found.checkpoint_interval_daly_s),
        ettr=of(found.ettr),
        node_drain_s=of(found.node_drain_s),
        corruption_share=of(found.corruption_share),
        validation_s=of(found.validation_s),
        validation_interval_s=of(found.validation_interval_s),
        curves=tuple(curves),
    )


def _about(best: float, least: float) -> Array:
    """Intervals about the best one, to the last bit among them, none shorter than a step."""
    intervals = best * np.geomspace(1 / REACH, REACH, POINTS)
    intervals[POINTS // 2] = best
    kept: Array = intervals[(intervals >= least) | (intervals >= best)]
    return kept


def _curve(kind: str, label: str, intervals: Array, lost: Array, own: float) -> IntervalCurve:
    points = tuple(
        IntervalPoint(interval_s=float(interval), lost=float(share), is_design=bool(interval == own))
        for interval, share in zip(intervals, lost, strict=True)
    )
    return IntervalCurve(kind=kind, label=label, points=points)


def useful_share(plan: RunPlan, waiting_s: float, intervals: Array, copies: Array | None) -> Array:
    """Share of useful time at these intervals of snapshots; copies follow as fast as they drain where none are given."""
    mtbf, drain = np.array([plan.mtbf_s]), np.array([plan.drain_s])
    validations = (
        plan.validation_stall_s / plan.interval_s
    )  # of productive time, at any interval of checkpoints
    stall = plan.stall_s - plan.validation_stall_s + validations * intervals
    memory, drives, corrupt = (
        np.array([share]) for share in (plan.local_share, plan.node_share, plan.corruption_share)
    )
    apart = (
        checkpointing.persistent_interval_s(checkpoint_interval_s=intervals, stall_s=stall, drain_s=drain)
        if copies is None
        else copies
    )
    rollback = checkpointing.rollback_of(
        memory_share=memory,
        node_share=drives,
        corruption_share=corrupt,
        checkpoint_interval_s=intervals,
        stall_s=stall,
        drain_s=drain,
        node_drain_s=np.array([plan.node_drain_s]),
        validation_interval_s=np.array([plan.validation_interval_s]),
        copies_apart_s=apart,
    )
    restart = (
        memory * plan.local_restart_s
        + drives * plan.node_restart_s
        + (1 - memory - drives) * plan.remote_restart_s
    )
    expected = goodput.expected_interval_s(
        mtbf_s=mtbf,
        failures_per_interval=goodput.failures_per_interval(mtbf_s=mtbf, interval_s=intervals, stall_s=stall),
        recovery_s=goodput.recovery_s(restart_s=restart, rollback_s=rollback),
        waiting_s=np.array([waiting_s]),
    )
    return goodput.ettr(mtbf_s=mtbf, interval_s=intervals, expected_interval_s=expected)


TEXT_COLUMNS = (
    Column("Interval", "interval_s", time, 14),
    Column("Lost", "lost", percents(2), 10),
    Column("", lambda point: "this design" if point.is_design else ""),
)


def checkpoints_text(answer: CheckpointsAnswer) -> str:
    """Both intervals, and every fourth point of each curve."""
    lines = [
        f"Interval of snapshots {time(answer.interval_s)}, of copies {time(answer.copy_interval_s)}; a snapshot stops the "
        f"job for {time(answer.stall_s)}, a copy drains in {time(answer.drain_s)}."
        if answer.scheme != "blocking"
        else f"A checkpoint every {time(answer.interval_s)} stops the job for {time(answer.stall_s)}."
    ]
    if answer.scheme == "three_level":
        lines.append(f"A copy reaches the drives of hosts in {time(answer.node_drain_s)}.")
    if answer.corruption_share > 0:
        lines.append(
            f"{answer.corruption_share:.1%} of interruptions are silent corruption: training is validated every "
            f"{time(answer.validation_interval_s)}, which stops the job for {time(answer.validation_s)}."
        )
    for curve in answer.curves:
        shown = [point for place, point in enumerate(curve.points) if point.is_design or place % 4 == 0]
        lines += ["", curve.label, *text_table(TEXT_COLUMNS, shown)]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRow:
    """A point with the curve that it is of."""

    kind: str
    interval_s: float
    lost: float


def _rows(answer: CheckpointsAnswer) -> list[CurveRow]:
    return [
        CurveRow(kind=curve.label, interval_s=point.interval_s, lost=point.lost)
        for curve in answer.curves
        for point in curve.points
    ]


FILES = files_of(
    (
        FileColumn("Kind", "kind", None, 28),
        FileColumn("Interval", "interval_s", "s"),
        FileColumn("Lost", "lost", "1"),
    ),
    _rows,
    name="checkpoints",
)
