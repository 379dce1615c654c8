"""Time between interruptions and useful time against the size of the pod, with published fleets beside them."""

from __future__ import annotations

import csv
import dataclasses
import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from app.catalog.validated import RELIABILITY_FIGURES_FILE
from app.engine.performance.generic_step import GenericPerformance
from app.engine.trace import Array, first_of
from app.paths import seed_data
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.of_run import OfRun, files_of, run_of
from app.views.table import Column, FileColumn, fixed, percents, text_table, time

LARGEST = 131_072
"""Accelerators that the curve reaches at least."""
POINTS = 25
DAYS = {"day": 1.0, "week": 7.0, "month": 365.25 / 12, "year": 365.25}


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePoint:
    """The job on so many accelerators, data-parallel copies added or taken away. Unknown is NaN."""

    accelerators: float
    supernodes: float
    mtbf_s: float
    mtbf_low_s: float
    mtbf_high_s: float
    ettr: float
    ettr_low: float
    ettr_high: float
    spare_units: float
    is_design: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFleet:
    """A time between interruptions that was published, all causes; projected ones follow from a published rate."""

    system: str
    accelerators: float
    mtbf_s: float
    projected: bool
    source: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeAnswer:
    """Both curves, the design itself among their points, and published fleets."""

    name: str
    failures_per_node_day: float
    failures_low: float
    failures_high: float
    rate_source: str
    points: tuple[SizePoint, ...]
    published: tuple[PublishedFleet, ...]

    @property
    def here(self) -> SizePoint:
        """The design itself."""
        return next(point for point in self.points if point.is_design)


def size_answer(scenario: EvaluatedScenario) -> SizeAnswer:
    """The same job on more and on fewer of the same SuperNodes.

    Raises
    ------
    ScenarioError : there is no run
    """
    run = run_of(scenario)
    return SizeAnswer(
        name=scenario.document.name,
        failures_per_node_day=run.rate.value,
        failures_low=run.rate.low,
        failures_high=run.rate.high,
        rate_source=run.rate.source,
        points=_points(run),
        published=published_fleets(),
    )


def _points(run: OfRun) -> tuple[SizePoint, ...]:
    pod, each = run.design.pod, first_of(run.design.supernode.accelerators)
    own, used = first_of(pod.supernodes), first_of(pod.accelerators_used)
    most = max(LARGEST / each, 2 * own)
    counts = {own, *(float(round(count)) for count in np.geomspace(1, most, POINTS))}
    supernodes = np.array(sorted(counts))
    scale = supernodes / own
    changes: dict[str, Any] = {
        "pod": dataclasses.replace(pod, supernodes=supernodes, accelerators_used=used * scale),
        "performance": _scaled(run, scale),
    }
    middle = run.evaluated(**changes)
    ends = [middle, middle]
    if not math.isnan(run.rate.low):  # the pod keeps the spares that it has at the middle rate
        ends = [
            run.evaluated(**changes, spare_units=middle.spare_units, rates=np.array([rate]))
            for rate in (run.rate.high, run.rate.low)
        ]
    low, high = ends

    def at(values: Array | None, place: int) -> float:
        assert values is not None, "a run has it"
        return float(np.broadcast_to(values, supernodes.shape)[place])

    return tuple(
        SizePoint(
            accelerators=float(used * scale[place]),
            supernodes=float(count),
            mtbf_s=at(middle.mtbf_s, place),
            mtbf_low_s=at(low.mtbf_s, place),
            mtbf_high_s=at(high.mtbf_s, place),
            ettr=at(middle.ettr, place),
            ettr_low=at(low.ettr, place),
            ettr_high=at(high.ettr, place),
            spare_units=at(middle.spare_units, place),
            is_design=bool(count == own),
        )
        for place, count in enumerate(supernodes)
    )


def _scaled(run: OfRun, scale: Array) -> Any:
    """The performance with as many data-parallel copies as the pod has room for; a step takes as long."""
    performance = run.performance
    if isinstance(performance, GenericPerformance):
        return performance
    strategy = dict(performance.strategy)
    strategy["dp"] = np.maximum(strategy["dp"] * scale, 1)
    return dataclasses.replace(performance, strategy=strategy)


@cache
def published_fleets() -> tuple[PublishedFleet, ...]:
    """Published times between interruptions, and counts of interruptions over a period."""
    with (seed_data() / RELIABILITY_FIGURES_FILE).open(encoding="utf-8", newline="") as file:
        found = [_fleet(row) for row in csv.DictReader(file)]
    return tuple(sorted((one for one in found if one), key=lambda one: one.accelerators))


def _fleet(row: dict[str, str]) -> PublishedFleet | None:
    metric = row["metric"]
    try:
        value, accelerators = float(row["value"]), float(row["accelerators"])
    except ValueError:
        return None
    period = re.search(r"(\d+(?:\.\d+)?)\s*(day|week|month|year)s?", row["period"])
    restarts = re.search(r"(\d+) restarts / (\d+) d", row["note"])
    if metric.startswith("MTTF"):
        seconds = value * 3600
    elif metric.startswith(("unexpected interruptions", "faults")) and period:
        seconds = float(period[1]) * DAYS[period[2]] * 86_400 / value
    elif restarts:  # manual and automatic ones together
        seconds = float(restarts[2]) * 86_400 / float(restarts[1])
    else:
        return None
    return PublishedFleet(
        system=row["system"],
        accelerators=accelerators,
        mtbf_s=seconds,
        projected="projected" in metric,
        source=row["source"],
        url=row["url"],
    )


COLUMNS = (
    Column("Accelerators", "accelerators", fixed(0), 12),
    Column("MTBF", "mtbf_s", time, 12),
    Column("low", "mtbf_low_s", time, 12),
    Column("high", "mtbf_high_s", time, 12),
    Column("ETTR", "ettr", percents(1), 9),
    Column("low", "ettr_low", percents(1), 9),
    Column("high", "ettr_high", percents(1), 9),
    Column("Spares", "spare_units", fixed(0), 8),
    Column("", lambda point: "this design" if point.is_design else ""),
)
FILE_COLUMNS = (
    FileColumn("Accelerators", "accelerators", "1", 14),
    FileColumn("SuperNodes", "supernodes", "1"),
    FileColumn("MTBF", "mtbf_s", "s"),
    FileColumn("MTBF, P10", "mtbf_low_s", "s"),
    FileColumn("MTBF, P90", "mtbf_high_s", "s"),
    FileColumn("ETTR", "ettr", "1"),
    FileColumn("ETTR, P10", "ettr_low", "1"),
    FileColumn("ETTR, P90", "ettr_high", "1"),
    FileColumn("Spare units", "spare_units", "1"),
)
FILES = files_of(FILE_COLUMNS, lambda answer: answer.points, name="size")


def size_text(answer: SizeAnswer) -> str:
    """A line a size, and published fleets."""
    lines = text_table(COLUMNS, answer.points)
    interval = (
        ""
        if math.isnan(answer.failures_low)
        else f" ({answer.failures_low:.3g} to {answer.failures_high:.3g})"
    )
    lines += [
        "",
        f"{answer.failures_per_node_day:.3g} failures a node-day{interval}. {answer.rate_source}",
        "",
        "Published",
    ]
    lines += [
        f"  {one.system}, {one.accelerators:,.0f} accelerators: {time(one.mtbf_s)}"
        f"{', projected' if one.projected else ''}. {one.source}"
        for one in answer.published
    ]
    return "\n".join(lines)
