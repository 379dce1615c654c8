"""A fleet by hour, its queue, waiting by class, and cost against waiting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import number, one_prefix, percent, show

HEIGHT = 300
MOST_ROWS_OF_TABLE = 200
SLOTS = ("c1", "c2", "c3", "c4", "c5", "c6")


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Means by hour, and the accelerators that there are."""

    policy: str
    in_use: Sequence[float]
    rented: Sequence[float]
    waiting: Sequence[float]
    accelerators: int

    recorded: Sequence[float] = ()  # of a trace, as it has them


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Percentiles of one class under one policy; nan where unknown or without end."""

    policy: str
    name: str
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CostPoint:
    """A policy or a size, with its cost and its wait."""

    label: str
    wait_s: float
    cost_usd: float
    slot: str = "c1"


def timeline_figure(load: Load) -> Figure:
    """Accelerators in use by hour, over those that there are."""
    hours = list(range(len(load.in_use)))
    days = [hour / 24 for hour in hours]
    most = max(
        [load.accelerators, *load.recorded, *(a + b for a, b in zip(load.in_use, load.rented, strict=True))]
    )
    mean = sum(load.in_use) / max(len(load.in_use), 1) / max(load.accelerators, 1)
    rents = any(load.rented)
    data = [
        forms.line(days, list(load.in_use), hover="Day %{x:.1f}<br>%{y:,.0f} in use", width=1.5, name="Owned")
    ]
    if rents:
        data.append(
            forms.line(days, list(load.rented), "c2", 1.5, hover="Day %{x:.1f}<br>%{y:,.0f} rented", name="Rented")
        )  # fmt: skip
    if load.recorded:
        data.append(
            forms.line(
                days[: len(load.recorded)], list(load.recorded), "c3", 1.5, "dot", name="Recorded",
                hover="Day %{x:.1f}<br>%{y:,.0f} as recorded",
            )
        )  # fmt: skip
    return Figure(
        name="fleet_timeline",
        eyebrow="Accelerators in use by hour",
        takeaway=f"{percent(mean).text} of {number(load.accelerators)} accelerators are in use on average under {load.policy}.",
        caption="Means over each hour of the first replication. The dashed line is all owned accelerators.",
        columns=(Column("Hour"), Column("In use"), Column("Rented")),
        rows=tuple(
            Row((str(hour), number(load.in_use[hour]), number(load.rented[hour])))
            for hour in hours[:MOST_ROWS_OF_TABLE]
        ),
        legend=(Mark("c1", "Owned, in use"), *([Mark("c2", "Rented")] if rents else []), *([Mark("c3", "As recorded")] if load.recorded else [])),
        plot=forms.plot(
            data,
            HEIGHT,
            x=forms.from_zero(max(days[-1:], default=1.0), "days", words=forms.plain, tickangle=0),
            y=forms.from_zero(most, "", room=1.08),
            limits=[forms.limit("owned", y=float(load.accelerators), **forms.look(width=1.5, at=0.0, anchor="left bottom"))],
            top=16,
            right=20,
        ),
    )  # fmt: skip


def queue_figure(loads: Sequence[Load]) -> Figure:
    """Jobs that wait, by hour and policy."""
    most = max((max(load.waiting, default=0.0) for load in loads), default=0.0) or 1.0
    peak = max(loads, key=lambda load: max(load.waiting, default=0.0))
    data = [
        forms.line(
            [hour / 24 for hour in range(len(load.waiting))], list(load.waiting), SLOTS[place % len(SLOTS)], 1.5,
            name=load.policy, hover=f"{load.policy}, day %{{x:.1f}}<br>%{{y:,.1f}} waiting",
        )
        for place, load in enumerate(loads)
    ]  # fmt: skip
    hours = max((len(load.waiting) for load in loads), default=1)
    return Figure(
        name="fleet_queue",
        eyebrow="Jobs that wait by hour",
        takeaway=f"The queue is longest under {peak.policy}: {number(max(peak.waiting, default=0.0))} jobs.",
        caption="Means over each hour of the first replication; the same jobs under every policy.",
        columns=(Column("Hour"), *(Column(load.policy) for load in loads)),
        rows=tuple(
            Row((str(hour), *(number(load.waiting[hour]) for load in loads)))
            for hour in range(min(hours, MOST_ROWS_OF_TABLE))
        ),
        legend=tuple(Mark(SLOTS[place % len(SLOTS)], load.policy) for place, load in enumerate(loads)),
        plot=forms.plot(
            data,
            HEIGHT,
            x=forms.from_zero(max((hours - 1) / 24, 1 / 24), "days", words=forms.plain, tickangle=0),
            y=forms.from_zero(most, "", room=1.08, words=forms.plain),
            top=16,
            right=20,
        ),
    )


def waiting_figure(rows: Sequence[Waits]) -> Figure:
    """95th percentile of waits by class, a bar for each policy."""
    known = [row.p95_s for row in rows if math.isfinite(row.p95_s)]
    scale, unit = one_prefix(known or [1.0], "s")
    policies = list(dict.fromkeys(row.policy for row in rows))
    names = list(dict.fromkeys(row.name for row in rows))
    data = [
        forms.columns(
            names,
            [next((row.p95_s / scale for row in rows if (row.policy, row.name) == (policy, name) and math.isfinite(row.p95_s)), None) for name in names],
            SLOTS[place % len(SLOTS)],
            name=policy,
            hover=f"%{{x}}, {policy}<br>%{{y:,.3~g}} {unit}",
        )
        for place, policy in enumerate(policies)
    ]  # fmt: skip
    worst = max((row for row in rows if math.isfinite(row.p95_s)), key=lambda row: row.p95_s, default=None)
    return Figure(
        name="fleet_waiting",
        eyebrow="95th percentile of waits by class",
        takeaway=(
            f"{worst.name} waits longest: 95 % within {show(worst.p95_s, 's').text} under {worst.policy}."
            if worst is not None
            else "No wait is known."
        ),
        caption="From arrival to first start, mean over replications. A class without a bar has jobs that never start.",
        columns=(Column.words("Class"), Column.words("Policy"), Column("P50"), Column("P95")),
        rows=tuple(Row((row.name, row.policy, _time(row.p50_s), _time(row.p95_s))) for row in rows),
        legend=tuple(Mark(SLOTS[place % len(SLOTS)], policy) for place, policy in enumerate(policies)),
        plot=forms.plot(
            data,
            HEIGHT,
            x=forms.names(names, tickangle=0),
            y=forms.from_zero(max(known, default=scale) / scale or 1.0, unit, room=1.08, words=forms.plain),
            top=16,
            right=20,
            barmode="group",
        ),
    )


def cost_figure(points: Sequence[CostPoint]) -> Figure | None:
    """Cost against the wait, for policies and for sizes that were tried."""
    known = [point for point in points if math.isfinite(point.wait_s) and math.isfinite(point.cost_usd)]
    if len(known) < 2:
        return None
    scale, unit = one_prefix([point.wait_s for point in known], "s")
    money, prefix = one_prefix([point.cost_usd for point in known], "USD")
    best = min(known, key=lambda point: point.cost_usd)
    data = [
        forms.dots(
            [point.wait_s / scale for point in known if point.slot == slot],
            [point.cost_usd / money for point in known if point.slot == slot],
            slot, 10, name=slot,
            said=[point.label for point in known if point.slot == slot],
            hover=f"%{{customdata}}<br>%{{x:,.3~g}} {unit}<br>%{{y:,.3~g}} {prefix}",
        )
        for slot in dict.fromkeys(point.slot for point in known)
    ]  # fmt: skip
    marks = {"c1": "Policies", "c2": "Sizes of the fleet"}
    return Figure(
        name="fleet_cost",
        eyebrow="Cost against waiting",
        takeaway=f"The cheapest is {best.label}: {show(best.cost_usd, 'USD').text}, and waits of {show(best.wait_s, 's').text}.",
        caption="Cost of the counted time against the wait of the service level, means over replications.",
        columns=(Column.words("Fleet"), Column("Wait"), Column("Cost")),
        rows=tuple(
            Row((point.label, show(point.wait_s, "s").text, show(point.cost_usd, "USD").text)) for point in known
        ),
        legend=tuple(Mark(slot, marks[slot]) for slot in dict.fromkeys(point.slot for point in known)),
        plot=forms.plot(
            data,
            HEIGHT,
            x=forms.from_zero(max(point.wait_s for point in known) / scale or 1.0, unit, room=1.06, words=forms.plain),
            y=forms.from_zero(max(point.cost_usd for point in known) / money, prefix, room=1.08, words=forms.plain),
            top=16,
            right=24,
        ),
    )  # fmt: skip


def _time(seconds: float) -> str:
    return show(seconds, "s").text if math.isfinite(seconds) else "unknown"
