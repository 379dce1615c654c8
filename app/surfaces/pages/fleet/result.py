"""The page of a fleet: its answer as tables and charts."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.figure import Figure
from app.charts.fleet.fleet import (
    CostPoint,
    Load,
    Waits,
    cost_figure,
    queue_figure,
    timeline_figure,
    waiting_figure,
)
from app.charts.fleet.forecast import forecast_figure
from app.charts.fleet.placement import Placed, placement_figure
from app.views.fleet.answer import FIGURES, FleetAnswer, FleetPolicy, figure_text
from app.views.table import percent, time

EXAMPLE = """name: A shared pod
days: 14
replications: 3
classes:
  - name: Research
    jobs_per_hour: 6
    sizes: [1, 2, 4, 8]
    weights: [4, 2, 2, 1]
    duration_hours: 3
    shape:
      day: [0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.5, 0.8, 1.4, 1.8, 2, 2, 1.8, 1.8, 1.8, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4, 0.3]
      weekend: 0.4
    deadline_factor: 3
    deadline_slack_hours: 2
    may_rent: true
  - {name: Training, jobs_per_hour: 0.3, sizes: [16, 32], duration_hours: 12, priority: 5}
served:
  - {name: Assistant, accelerators: 4, peak_replicas: 4}
pods:
  - {design: gpt_3_175b_on_128_dgx_a100, supernodes: 24}
rented: {accelerators: 64, after_hours: 2, usd_per_accelerator_hour: 2.5}
checkpoint_s: 20
restart_s: 300
policies: [fifo, easy, preemption]
level: {percentile: 95, wait_hours: 4}
find: [smallest_fleet]
"""
"""Of the form; sizes and times are made up, power and cost are those of the design."""


DAY_S = 86_400.0
METHODS = {"smoothing": "seasonal smoothing", "last_week": "the week before"}


class Option(NamedTuple):
    value: str
    label: str


class FleetPage(NamedTuple):
    """What the page shows of an answer."""

    answer: FleetAnswer
    shown: FleetPolicy
    options: tuple[Option, ...]
    moments: tuple[Option, ...]
    moment: str
    pods: tuple[Option, ...]
    pod: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    waiting: tuple[tuple[str, tuple[str, ...]], ...]
    figures: tuple[Figure, ...]
    findings: tuple[str, ...]
    claims: tuple[tuple[str, str, str, str], ...]
    utilisation: str
    recorded: str


def fleet_page(answer: FleetAnswer, policy: str = "", moment: str = "", pod: str = "") -> FleetPage | None:
    """The page with one policy in view, the last where the address names none, and the placement of a pod at
    a moment, as most jobs waited where it names none; None where nothing is done yet."""
    if not answer.policies:
        return None
    shown = next((one for one in answer.policies if one.key == policy), answer.policies[-1])
    loads = [_load(one, answer) for one in answer.policies]
    at, of = _number(moment, len(shown.snapshots)), _number(pod, len(answer.pods))
    ahead = answer.forecast
    figures = (
        timeline_figure(_load(shown, answer)),
        queue_figure(loads),
        waiting_figure(
            [
                Waits(policy=one.name, name=row.name, p50_s=row.p50_s, p95_s=row.p95_s)
                for one in answer.policies
                for row in one.waiting
            ]
        ),
        placement_figure(_placed(answer, shown, at, of)) if shown.snapshots else None,
        cost_figure(_points(answer)),
        None
        if ahead is None
        else forecast_figure(
            ahead.mean, ahead.low, ahead.high, method=METHODS.get(ahead.method, ahead.method), error=ahead.error,
            naive=ahead.naive_error, weeks=ahead.held_out_weeks,
        ),
    )  # fmt: skip
    return FleetPage(
        answer=answer,
        shown=shown,
        options=tuple(Option(one.key, one.name) for one in answer.policies),
        moments=_moments(shown),
        moment=str(at),
        pods=tuple(Option(str(place), one.name) for place, one in enumerate(answer.pods)),
        pod=str(of),
        heads=tuple(one.name for one in answer.policies),
        rows=tuple(
            (label, tuple(figure_text(one.figures[place]) for one in answer.policies))
            for place, (_, label, _) in enumerate(FIGURES)
        ),
        waiting=tuple(
            (
                row.name,
                (
                    f"{row.jobs:,.0f}",
                    time(row.mean_s),
                    time(row.p50_s),
                    time(row.p95_s),
                    time(row.p99_s),
                    percent(row.missed),
                ),
            )
            for row in shown.waiting
        ),
        figures=tuple(one for one in figures if one is not None),
        findings=tuple(_finding(answer, place) for place in range(len(answer.findings))),
        claims=tuple(
            (one.claim, f"{one.claimed:.0%}", percent(one.here, 0), one.note) for one in answer.pooling
        ),
        utilisation=percent(answer.utilisation),
        recorded=time(answer.recorded_mean_wait_s),
    )


def _number(text: str, count: int) -> int:
    """The place that an address names, the first where it names none that is there."""
    place = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return place if place < count else 0


def _moments(policy: FleetPolicy) -> tuple[Option, ...]:
    return tuple(
        Option(
            str(place),
            f"The longest queue, day {one.at_s / DAY_S:.1f}"
            if one.is_longest_queue
            else f"Day {one.at_s / DAY_S:.1f}",
        )
        for place, one in enumerate(policy.snapshots)
    )


def _placed(answer: FleetAnswer, policy: FleetPolicy, moment: int, pod: int) -> Placed:
    found = policy.snapshots[moment]
    return Placed(
        pod=answer.pods[pod].name,
        size=answer.pods[pod].accelerators,
        at_s=found.at_s,
        waiting=found.waiting,
        used=found.used[pod],
        lane=found.lane[pod],
        away=found.away[pod],
        classes=answer.classes,
    )


def _load(policy: FleetPolicy, answer: FleetAnswer) -> Load:
    hours = policy.timeline
    return Load(
        policy=policy.name,
        in_use=hours.in_use,
        rented=hours.rented,
        waiting=hours.waiting,
        accelerators=answer.accelerators,
        recorded=answer.recorded_in_use,
    )


def _points(answer: FleetAnswer) -> list[CostPoint]:
    points = [
        CostPoint(label=one.name, wait_s=one.mean("wait_p95_s"), cost_usd=one.mean("cost_usd"))
        for one in answer.policies
    ]
    return points + [
        CostPoint(
            label=f"{point.supernodes:,} SuperNodes", wait_s=point.wait_s, cost_usd=point.cost_usd, slot="c2"
        )
        for finding in answer.findings
        for point in finding.points
    ]


def _finding(answer: FleetAnswer, place: int) -> str:
    finding = answer.findings[place]
    kind = "Smallest fleet" if finding.key == "smallest_fleet" else "Cheapest mix of owned and rented"
    if finding.found is None:
        return f"{kind}: no size that was tried keeps the service level."
    found = finding.found
    return (
        f"{kind} for the service level: {found.supernodes:,} SuperNodes, waits within {time(found.wait_s)}, "
        f"{percent(found.allocated)} allocated, of {len(finding.points)} sizes tried."
    )
