"""The interval on every figure that follows from speed or failures, and the measured runs that it comes from.

Prices and power have uncertainties of their own, which are not in it. The errors of the speed are those of runs whose
source and accelerator were left out of the fit, as a new design is no run that was fitted. Bounds that the scenario
states from own runs go before them. Failures have the spread of published fleets; elapsed time and what is paid by
the hour have both.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.catalog.number_formats import number_formats
from app.catalog.serving_engines import era_of_engine
from app.catalog.validated import ValidatedRun
from app.engine.evaluation import Sections
from app.engine.operations.section import evaluate_reliability
from app.engine.problems import Problem
from app.engine.specs import Design, ServingWorkload
from app.engine.trace import Array
from app.engine.uncertainty.interval import PROBABILITY, spread
from app.engine.uncertainty.likeness import Features, distance
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument
from app.scenarios.evaluation.bounds import (
    NO_RELIABILITY,
    UNKNOWN,
    Bounds,
    CostBounds,
    LatencyBounds,
    ReliabilityBounds,
    SpeedBounds,
    TokenCostBounds,
)
from app.scenarios.evaluation.residuals import Residuals, context_of_speed, features_of, residuals
from app.scenarios.resolve import Resolved

NEAREST = 5
FAILURE_RATE = "assumptions.operations.failures_per_node_day"
FLEETS = (
    "The rate of failures is lognormal over five published fleets; 80 % of further ones would lie between its "
    "bounds. The pod keeps its spares. State operations.failures_per_node_day for a fleet that is known."
)
LIKENESS = (
    (0.3, "Well covered by measurements"),
    (0.85, "Well covered by measurements"),
    (1.5, "Partly covered by measurements"),
    (float("inf"), "Outside the range of measurements"),
)
"""Words up to a distance: 0.5 is a factor of ten in one size, 1 another generation of chips."""

MIXED = (
    " No run on several kinds of SuperNode was measured: the interval is that of the slowest kind, and waiting "
    "for it is taken to cost nothing more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NearRun:
    """A measured run like the design.

    `error` is predicted over measured less one, `left_out_error` the same with its source and its accelerator
    left out of the fit: the interval is made from the latter.
    """

    id: str
    model: str
    accelerator: str
    accelerators: int
    distance: float
    error: float
    left_out_error: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """How far figures may be off, by the errors of measured runs, the most alike first.

    `performance` and `cost` have the figures of the kind of workload.
    """

    probability: float
    runs: int
    nearest_distance: float | None
    likeness: str
    nearest: tuple[NearRun, ...]
    performance: SpeedBounds | LatencyBounds
    cost: CostBounds | TokenCostBounds
    reliability: ReliabilityBounds = NO_RELIABILITY

    @property
    def speed(self) -> SpeedBounds:
        """Those of a job that runs and ends; unknown of one that serves."""
        return self.performance if isinstance(self.performance, SpeedBounds) else NO_SPEED


NO_SPEED = SpeedBounds(**{field.name: UNKNOWN for field in dataclasses.fields(SpeedBounds)})
NO_COST = CostBounds(**{field.name: UNKNOWN for field in dataclasses.fields(CostBounds)})


ROOMS = ("performance", "cost", "reliability")
"""Sections of the evaluation that have figures with an interval."""

TIMES = ("step_time_s", "training_time_s", "elapsed_time_s")
"""Figures of speed that are the smaller the faster it runs."""


def intervals_of(
    resolved: Resolved, sections: Sections, calibration: CalibrationDocument | None
) -> Intervals:
    """The intervals of an evaluated design, with what its scenario states of own runs."""
    table = residuals()
    design = features_of(resolved, sections)
    apart = distance(design, table.features)[0]
    if not np.isfinite(apart).all():
        return _no_distance(calibration)
    found = spread(distance=apart[None, :], errors=table.errors, experts=design.experts)
    low, high = float(found.low[0]), float(found.high[0])
    likeness = ""
    if calibration is not None and calibration.bounds is not None:
        low, high = calibration.bounds
        likeness = _own_runs(calibration)
    faster, longer = (low, high), (1 / high, 1 / low)
    nearest = np.argsort(apart, kind="stable")[:NEAREST]
    return Intervals(
        probability=PROBABILITY,
        runs=len(table.runs),
        nearest_distance=float(found.nearest_distance[0]),
        likeness=likeness
        + _likeness(
            context_of_speed(resolved, sections),
            design,
            table,
            int(nearest[0]),
            float(found.nearest_distance[0]),
        )
        + (MIXED if resolved.design.kinds else ""),
        nearest=tuple(_near(table.runs[position], float(apart[position])) for position in nearest.tolist()),
        performance=SpeedBounds(
            **{
                name: _bounds(getattr(sections.performance, name), *(longer if name in TIMES else faster))
                for name in _names(SpeedBounds)
            }
        ),
        cost=CostBounds(
            **{name: _bounds(getattr(sections.cost, name), *longer) for name in _names(CostBounds)}
        ),
    )


def with_failures(intervals: Intervals, resolved: Resolved, sections: Sections) -> Intervals:
    """The same with the interval of failures, which elapsed time and the cost of a run have as well.

    The pod keeps the spares that it has. A rate that the scenario states has no interval.
    """
    origin = resolved.origins.get(FAILURE_RATE)
    design = resolved.whole
    if origin is None or origin.low is None or origin.high is None or design.sharing is not None:
        return intervals
    known = design.assumptions.rooms["operations"]
    rates = np.array([[origin.high], [origin.low]])
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        found = evaluate_reliability(
            workload=design.workload,
            supernode=design.supernode,
            pod=design.pod,
            operations=replace(design.operations, spare_units=sections.reliability.spare_units),
            performance=sections.performance,
            assumptions=replace(known, failures_per_node_day=rates),
        )
    reliability = ReliabilityBounds(
        mtbf_s=_ends(found.mtbf_s), ettr=UNKNOWN if found.ettr is None else _ends(found.ettr)
    )
    intervals = replace(intervals, reliability=reliability)
    speed, ettr = intervals.performance, reliability.ettr
    if (
        not isinstance(speed, SpeedBounds) or not ettr.low or not ettr.high
    ):  # unknown, or a run that never ends
        return intervals
    assert sections.reliability.ettr is not None, "a run has one"
    headline = float(sections.reliability.ettr[0])
    longer = (headline / ettr.high, headline / ettr.low)

    def both(bounds: Bounds, figure: Array | None) -> Bounds:
        return bounds if figure is None else _together(bounds, float(figure[0]), longer)

    costs: dict[str, Any] = {
        name: both(getattr(intervals.cost, name), getattr(sections.cost, name))
        for name in _names(type(intervals.cost))
    }
    elapsed = both(speed.elapsed_time_s, sections.performance.elapsed_time_s)
    return replace(
        intervals,
        performance=replace(speed, elapsed_time_s=elapsed),
        cost=replace(intervals.cost, **costs),
    )


def _ends(found: Array) -> Bounds:
    """The interval of a figure at both ends of the rate of failures."""
    low, high = float(found.min()), float(found.max())
    return Bounds(low=low, high=high) if np.isfinite([low, high]).all() else UNKNOWN


def _together(bounds: Bounds, figure: float, factors: tuple[float, float]) -> Bounds:
    """Two independent uncertainties of one figure: logarithms of what lies on either side add up as squares."""
    if bounds.low is None or bounds.high is None or not figure > 0:
        return bounds
    below = [min(math.log(end), 0.0) for end in (bounds.low / figure, factors[0])]
    above = [max(math.log(end), 0.0) for end in (bounds.high / figure, factors[1])]
    return Bounds(low=figure * math.exp(-math.hypot(*below)), high=figure * math.exp(math.hypot(*above)))


def no_intervals(workload: str) -> Intervals:
    """What is said in place of intervals where nothing like the workload was measured."""
    return Intervals(
        probability=PROBABILITY,
        runs=0,
        nearest_distance=None,
        likeness=f"No measured runs of a {workload} job are at hand, so no interval is given.",
        nearest=(),
        performance=NO_SPEED,
        cost=NO_COST,
    )


def _no_distance(calibration: CalibrationDocument | None) -> Intervals:
    """Intervals of a design whose size is unknown: none.

    Bounds from own runs are of figures that are unknown as well.
    """
    own = "" if calibration is None or calibration.bounds is None else _own_runs(calibration)
    return Intervals(
        probability=PROBABILITY,
        runs=0,
        nearest_distance=None,
        likeness=f"{own}The size of the job or of its model is unknown, so it cannot be compared with measured "
        "runs and no interval is given. State the inputs that are missing.",
        nearest=(),
        performance=NO_SPEED,
        cost=NO_COST,
    )


def interval_at(intervals: Intervals, path: str) -> dict[str, Any] | None:
    """The interval of the figure at a place of the evaluation with the runs it comes from; None without one."""
    room, _, name = path.partition(".")
    bounds = getattr(getattr(intervals, room, None), name, None)
    if not isinstance(bounds, Bounds) or bounds.low is None:
        return None
    shared = {field: value for field, value in dataclasses.asdict(intervals).items() if field not in ROOMS}
    if room == "reliability":
        shared |= {"runs": 0, "nearest_distance": None, "nearest": (), "likeness": FLEETS}
    return dataclasses.asdict(bounds) | shared


def _own_runs(calibration: CalibrationDocument) -> str:
    """Says that the bounds are not those of the runs that are named after it."""
    note = f" ({calibration.note})" if calibration.note else ""
    return f"The interval comes from own runs that the scenario states{note}. "


def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def _bounds(figure: Array, low: float, high: float) -> Bounds:
    value = float(figure[0])
    if not np.isfinite(value):
        return Bounds(low=None, high=None)
    return Bounds(low=value * low, high=value * high)


def _near(run: ValidatedRun, apart: float) -> NearRun:
    return NearRun(
        id=run.id,
        model=run.model,
        accelerator=run.accelerator_key,
        accelerators=run.accelerators,
        distance=apart,
        error=run.error,
        left_out_error=run.left_out_error,
        source=run.source,
    )


def _likeness(
    context: Mapping[str, str], design: Features, table: Residuals, position: int, apart: float
) -> str:
    """How like the design is to the nearest run, and in what it differs, in a sentence or two."""
    opening = next(words for limit, words in LIKENESS if apart <= limit)
    run = table.runs[position]
    mixture = "moe" if design.experts[0] else "dense"
    others = {
        "kind of model": run.architecture != mixture,
        "chip generation": run.generation != context["generation"],
        "framework": run.framework != context["framework"],
        "precision": run.precision != context["precision"],
    }
    apart_in = [words for words, differs in others.items() if differs]
    return (
        f"{opening}: the nearest of {len(table.runs):,} runs is {run.model} on {run.accelerators:,} "
        f"accelerators ({run.id}), at a distance of {apart:.2f}. "
        + (
            f"It is of another {_listed(apart_in)}."
            if apart_in
            else f"It is of the same {_listed(list(others))}."
        )
    )


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


PART_WORDS = {"outside_experts": "outside the experts", "experts": "of the experts"}


def engine_problems(document: ScenarioDocument, design: Design) -> Iterator[Problem]:
    """A warning where the version is unknown or newer than any measured, and where a format is dequantised."""
    if not isinstance(document.workload, ServingDocument) or not isinstance(design.workload, ServingWorkload):
        return
    assumed = era_of_engine(design.workload.engine, document.workload.engine.version).assumed
    if assumed:
        yield Problem(
            kind="warning",
            field="workload.engine.version",
            constraint="engine_version",
            message=f"{assumed}. An own measurement corrects what it does better: `podwright calibrate`.",
        )
    yield from _dequantised(document.workload, design.workload.dequantised, design.supernode.accelerator.name)
    for kind in design.kinds:
        yield from _dequantised(document.workload, kind.dequantised, kind.supernode.accelerator.name)


def _dequantised(document: ServingDocument, parts: str, chip: str) -> Iterator[Problem]:
    for part in filter(None, parts.split(", ")):
        stated = getattr(document.parts, part)
        form = number_formats()[stated or document.precision]
        if form.weights_alone:
            continue
        yield Problem(
            kind="warning",
            field=f"workload.parts.{part}" if stated else "workload.precision",
            constraint="number_format",
            message=f"{chip} has no units for {form.label}: weights {PART_WORDS[part]} are dequantised on the way and "
            "multiplied in 16 bit, which saves memory and its traffic and no arithmetic.",
        )
