"""Time between interruptions and useful time against the size of the pod, with published fleets alongside
them."""

from __future__ import annotations

import csv
import dataclasses
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from pydantic import Field

from app.catalog.validated import RELIABILITY_FIGURES_FILE
from app.charts.format import percent, show
from app.engine.performance.generic_step import GenericPerformance
from app.engine.trace import Array, first_of
from app.paths import seed_data
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.of_run import OfRun, TableFormat, files_of, run_of
from app.views.table import Column, FileColumn, fixed, percents, text_table, time

MOST = 10_000_000
"""Accelerators that can be asked about."""
LARGEST = 131_072
"""Accelerators that the curve reaches at least."""
POINTS = 25
DAY_S = 86_400.0
DAYS = {"day": 1.0, "week": 7.0, "month": 365.25 / 12, "year": 365.25}


class SizeOptions(TableFormat):
    """The size that is looked at."""

    accelerators: float | None = Field(
        default=None,
        ge=1,
        le=MOST,
        allow_inf_nan=False,
        description="Accelerators that are looked at; those of the design where it is left out.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeComponent:
    """Interruptions by one component at the size that is looked at."""

    component: str
    takes_away: str
    failures_per_day: float
    every_s: float
    share: float


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
    is_asked: bool


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
    """Both curves, the design itself among their points, what fails at the size that is looked at, most often
    first, and published fleets.
    """

    name: str
    failures_per_node_day: float
    failures_low: float
    failures_high: float
    rate_source: str
    points: tuple[SizePoint, ...]
    components: tuple[SizeComponent, ...]
    verdict: str
    published: tuple[PublishedFleet, ...]

    @property
    def here(self) -> SizePoint:
        """The design itself."""
        return next(point for point in self.points if point.is_design)


def size_answer(scenario: EvaluatedScenario, options: SizeOptions) -> SizeAnswer:
    """The same job on more and on fewer of the same SuperNodes, and what interrupts it at the size asked for.

    Raises
    ------
    ScenarioError : there is no run
    """
    run = run_of(scenario)
    points, components = _points(run, options.accelerators)
    return SizeAnswer(
        name=scenario.document.name,
        failures_per_node_day=run.rate.value,
        failures_low=run.rate.low,
        failures_high=run.rate.high,
        rate_source=run.rate.source,
        points=points,
        components=components,
        verdict=_verdict(next(point for point in points if point.is_asked), components),
        published=published_fleets(),
    )


def _points(run: OfRun, asked: float | None) -> tuple[tuple[SizePoint, ...], tuple[SizeComponent, ...]]:
    pod, each = run.design.pod, first_of(run.design.supernode.accelerators)
    own, used = first_of(pod.supernodes), first_of(pod.accelerators_used)
    wanted = own if asked is None else float(math.ceil(asked * own / used - 1e-9))
    most = max(LARGEST / each, 2 * own, wanted)
    counts = {own, wanted, *(float(round(count)) for count in np.geomspace(1, most, POINTS))}
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

    points = tuple(
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
            is_asked=bool(count == wanted),
        )
        for place, count in enumerate(supernodes)
    )
    here = int(np.flatnonzero(supernodes == wanted)[0])
    rates = [(one, at(one.failures_per_day, here)) for one in middle.components]
    total = sum(rate for _, rate in rates)
    components = [
        SizeComponent(
            component=one.name,
            takes_away=one.takes_away,
            failures_per_day=rate,
            every_s=DAY_S / rate if rate else math.inf,
            share=rate / total if total else math.nan,
        )
        for one, rate in rates
    ]
    return points, tuple(sorted(components, key=lambda one: -one.failures_per_day))


def _verdict(point: SizePoint, components: Sequence[SizeComponent]) -> str:
    """Which component interrupts most, how often, and what it leaves of the time."""
    size = f"{point.accelerators:,.0f} accelerators"
    if not components or not math.isfinite(point.mtbf_s) or not components[0].failures_per_day:
        return f"How often {size} are interrupted is unknown."
    first = components[0]
    name = first.component.replace("_", " ").capitalize()
    text = (
        f"{name} break first: they interrupt {size} every {show(first.every_s, 's').text}, "
        f"{percent(round(first.share, 2)).text} of all interruptions. One of any kind comes every {show(point.mtbf_s, 's').text}"
    )
    if math.isnan(point.ettr):
        return f"{text}; how much of the time stays useful is unknown."
    return f"{text}, and {percent(round(point.ettr, 3)).text} of the time stays useful."


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
    Column("", lambda point: "this design" if point.is_design else "asked for" if point.is_asked else ""),
)
OF_COMPONENTS = (
    Column("", lambda one: one.component.replace("_", " ").capitalize(), width=-18),
    Column("Failures a day", "failures_per_day", fixed(2), 16),
    Column("One every", "every_s", time, 14),
    Column("Share", "share", percents(0), 8),
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
    """What breaks first, a line a size, and published fleets."""
    lines = [answer.verdict, "", *text_table(OF_COMPONENTS, answer.components), ""]
    lines += text_table(COLUMNS, answer.points)
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
