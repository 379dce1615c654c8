"""The answer of a fleet: policies side by side, waiting by class, and findings; as a record, JSON and
text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.fleet.answers import PERCENTILES, Fleet, interval, recorded_by_hour
from app.engine.fleet.demand import HOUR_S, WEEK_HOURS
from app.engine.fleet.forecast import LEAST_WEEKS, forecast_week
from app.engine.fleet.policy import POLICIES
from app.scenarios.fleet.build import built
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.fleet.traces import Trace
from app.views.fleet.tasks import MOST_HOURS, Task, tasks_of
from app.views.table import Column, number, percent, text_table, time

NAN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetFigure:
    """A figure of a policy: mean over replications and its 95 % interval."""

    name: str
    label: str
    unit: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassWaiting:
    """Waiting of a class, means over replications."""

    name: str
    jobs: float
    mean_s: float
    p50_s: float
    p90_s: float
    p95_s: float
    p99_s: float
    missed: float
    interruptions: float
    unfinished: float
    rejected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetTimeline:
    """One replication by hour."""

    in_use: tuple[float, ...]
    rented: tuple[float, ...]
    waiting: tuple[float, ...]
    wanted: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSnapshot:
    """Placement at a moment, by SuperNode of each pod, the first 4,096: accelerators in use, the place of the
    class that has the most of them in `classes` (-1 is none), and accelerators in repair or maintenance."""

    at_s: float
    waiting: int
    is_longest_queue: bool
    used: tuple[tuple[int, ...], ...]
    lane: tuple[tuple[int, ...], ...]
    away: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetPolicy:
    """Results of one policy."""

    key: str
    name: str
    replications: int
    figures: tuple[FleetFigure, ...]
    waiting: tuple[ClassWaiting, ...]  # all jobs first
    timeline: FleetTimeline
    # of the longest queue, and then by time; none where placement is pooled
    snapshots: tuple[FleetSnapshot, ...]

    def mean(self, name: str) -> float:
        """The mean of a figure."""
        return next(one.mean for one in self.figures if one.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetPoint:
    """A size that was tried."""

    supernodes: int
    wait_s: float
    is_met: bool
    allocated: float
    productive: float
    cost_usd: float
    rented_hours: float
    energy_kwh: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetFinding:
    """Result of a search for a size: `found` is None where none meets the service level."""

    key: str
    found: FleetPoint | None
    points: tuple[FleetPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleClaim:
    """A claim of the articles about pooling, and the figure of this fleet."""

    claim: str
    claimed: float
    here: float
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetForecast:
    """Accelerators that the jobs of the week after the trace ask for, by the hour they come in, with an 80 %
    interval.

    Errors are mean absolute errors of held-out weeks over their mean, of smoothing and of the week before.
    """

    method: str
    held_out_weeks: int
    error: float
    naive_error: float
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetPod:
    """A pod of the fleet."""

    name: str
    supernodes: int
    accelerators: int  # of a SuperNode


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetAnswer:
    """A fleet under its policies.

    Parameters
    ----------
    utilisation : productive share of the last policy, as `economics.utilisation` of a design takes it
    trace_format, trace_rows, trace_faults : of a trace; empty and 0 without one
    """

    name: str
    days: float
    supernodes: int
    accelerators: int
    pods: tuple[FleetPod, ...]
    classes: tuple[str, ...]
    policies: tuple[FleetPolicy, ...]
    findings: tuple[FleetFinding, ...]
    pooling: tuple[ArticleClaim, ...]
    utilisation: float
    trace_format: str
    trace_rows: int
    trace_faults: int
    trace_messages: tuple[str, ...]
    trace_never_started: int
    recorded_mean_wait_s: float
    recorded_allocated: float  # share of the owned accelerator-hours; nan where starts are not recorded
    recorded_in_use: tuple[float, ...]  # accelerators by hour, as `timeline.in_use`
    forecast: FleetForecast | None  # of a trace of four weeks or more


FIGURES = (
    ("allocated", "Allocated", "%"),
    ("running", "Running", "%"),
    ("productive", "Productive", "%"),
    ("away", "In repair or maintenance", "%"),
    ("fragmented", "Idle by fragmentation", "%"),
    ("wait_mean_s", "Mean wait", "s"),
    ("wait_p95_s", "95th percentile of waits", "s"),
    ("missed", "Deadlines missed", "%"),
    ("rented_hours", "Rented accelerator-hours", "h"),
    ("energy_kwh", "Energy, owned and rented", "kWh"),
    ("rented_energy_kwh", "of which rented", "kWh"),
    ("carbon_kg", "Carbon", "kg"),
    ("cost_usd", "Cost", "USD"),
    ("usd_per_productive_hour", "Cost per productive accelerator-hour", "USD/h"),
    ("preemptions", "Jobs that gave way", "1"),
    ("failures", "Failures", "1"),
)


def fleet_answer(document: FleetDocument, results: Sequence[tuple[Task, dict[str, Any]]]) -> FleetAnswer:
    """The answer from the results so far; policies without a replication are left out."""
    fleet = built(document)
    first = next(iter(fleet.fleets.values()))
    done: dict[str, list[dict[str, Any]]] = {}
    findings: list[FleetFinding] = []
    claims: tuple[ArticleClaim, ...] = ()
    for task, result in results:
        if task.kind == "policy":
            done.setdefault(task.key, []).append(result)
        elif task.key == "pooling":
            claims = _claims(result["pooling"])
        else:
            findings.append(_finding(task.key, result))
    policies = tuple(_policy(key, done[key]) for key in document.policies if key in done)
    recorded = [_or_nan(one["recorded_mean_s"]) for runs in done.values() for one in runs]
    trace = fleet.trace
    return FleetAnswer(
        name=document.name,
        days=first.demand.horizon_s / 86_400.0,
        supernodes=sum(pod.supernodes for pod in first.supply.pods),
        accelerators=first.supply.total,
        pods=tuple(
            FleetPod(name=pod.name, supernodes=pod.supernodes, accelerators=pod.accelerators)
            for pod in first.supply.pods
        ),
        classes=_classes(first),
        policies=policies,
        findings=tuple(findings),
        pooling=claims,
        utilisation=policies[-1].mean("productive") if policies else NAN,
        trace_format=trace.format if trace else "",
        trace_rows=trace.rows if trace else 0,
        trace_faults=trace.fault_count if trace else 0,
        trace_messages=tuple(str(fault.words) for fault in trace.faults) if trace else (),
        trace_never_started=trace.never_started if trace else 0,
        recorded_mean_wait_s=recorded[0] if recorded else NAN,
        **_as_recorded(trace, first),
        forecast=_forecast(trace) if trace else None,
    )


def _classes(fleet: Fleet) -> tuple[str, ...]:
    if fleet.jobs is not None:
        return tuple(one.name for one in fleet.jobs.classes)
    demand = fleet.demand
    return (*(one.name for one in demand.classes), *(one.name for one in demand.served))


def _as_recorded(trace: Trace | None, fleet: Fleet) -> dict[str, Any]:
    """Accelerators in use as recorded in the trace, over those of the fleet that it is replayed on."""
    if trace is None or not trace.is_recorded:
        return {"recorded_allocated": NAN, "recorded_in_use": ()}
    by_hour = recorded_by_hour(trace.jobs, fleet.demand.horizon_s)
    return {
        "recorded_allocated": trace.jobs.accelerator_s / (fleet.supply.total * fleet.demand.horizon_s),
        "recorded_in_use": tuple(np.round(by_hour[:MOST_HOURS], 3).tolist()),
    }


def _forecast(trace: Trace) -> FleetForecast | None:
    jobs = trace.jobs
    hours = (jobs.arrived_s // HOUR_S).astype(int)
    # without the week that the trace ends in, which is not complete
    whole = int(hours.max(initial=0)) // WEEK_HOURS * WEEK_HOURS
    if whole < LEAST_WEEKS * WEEK_HOURS:
        return None
    wanted = np.bincount(hours, weights=jobs.size.astype(float)).astype(float)
    found = forecast_week(wanted[:whole])
    return FleetForecast(
        method=found.method,
        held_out_weeks=found.weeks,
        error=found.error,
        naive_error=found.naive_error,
        mean=tuple(found.mean.tolist()),
        low=tuple(found.low.tolist()),
        high=tuple(found.high.tolist()),
    )


def total_tasks(document: FleetDocument) -> int:
    """How many tasks a fleet has."""
    return len(tasks_of(document))


def _policy(key: str, runs: list[dict[str, Any]]) -> FleetPolicy:
    figures = []
    for name, label, unit in FIGURES:
        found = interval([_value(one, name) for one in runs])
        figures.append(
            FleetFigure(
                name=name,
                label=label,
                unit=unit,
                mean=found.mean,
                low=max(0.0, found.low) if found.low == found.low else NAN,  # none of them can be below 0
                high=min(1.0, found.high) if unit == "%" and found.high == found.high else found.high,
            )
        )
    rows = [_class([one["waiting"] for one in runs])]
    if len(runs[0]["classes"]) > 1:
        rows += [_class(list(group)) for group in zip(*(one["classes"] for one in runs), strict=True)]
    last = runs[0]
    return FleetPolicy(
        key=key,
        name=POLICIES[key].name,
        replications=len(runs),
        figures=tuple(figures),
        waiting=tuple(rows),
        timeline=FleetTimeline(**{name: tuple(values) for name, values in last["hours"].items()}),
        snapshots=tuple(_snapshot(one) for one in last.get("snapshots", ())),
    )


def _snapshot(found: dict[str, Any]) -> FleetSnapshot:
    shown = {name: tuple(tuple(pod) for pod in found[name]) for name in ("used", "lane", "away")}
    return FleetSnapshot(
        at_s=found["at_s"], waiting=found["waiting"], is_longest_queue=found["is_longest_queue"], **shown
    )


def _value(run: dict[str, Any], name: str) -> float:
    if name == "wait_mean_s":
        return _or_nan(run["waiting"]["mean_s"])
    if name == "wait_p95_s":
        return _or_nan(run["waiting"]["percentiles_s"][PERCENTILES.index(95.0)])
    if name == "missed":
        return _or_nan(run["waiting"]["missed"])
    if name == "usd_per_productive_hour":
        cost, hours = _or_nan(run["cost_usd"]), _or_nan(run["productive_hours"])
        return cost / hours if hours else NAN
    return _or_nan(run.get(name))  # a run of an older version lacks some


def _class(runs: list[dict[str, Any]]) -> ClassWaiting:
    def mean(values: list[float | None]) -> float:
        return interval([_or_nan(one) for one in values]).mean

    shares = [mean([one["percentiles_s"][place] for one in runs]) for place in range(len(PERCENTILES))]
    return ClassWaiting(
        name=runs[0]["name"],
        **{
            name: mean([one[name] for one in runs])
            for name in ("jobs", "mean_s", "missed", "interruptions", "unfinished", "rejected")
        },
        p50_s=shares[0],
        p90_s=shares[1],
        p95_s=shares[2],
        p99_s=shares[3],
    )


def _finding(key: str, result: dict[str, Any]) -> FleetFinding:
    def point(values: dict[str, Any]) -> FleetPoint:
        known: dict[str, Any] = {name: NAN if value is None else value for name, value in values.items()}
        return FleetPoint(**known)

    found = result["found"]
    return FleetFinding(
        key=key,
        found=point(found) if found else None,
        points=tuple(point(one) for one in result["points"]),
    )


def _claims(found: dict[str, Any] | None) -> tuple[ArticleClaim, ...]:
    """The four figures that the articles give for pooled SuperNodes, against one pooled fleet over separate
    ones."""
    here = {name: _or_nan(value) for name, value in (found or {}).items()}
    of_none = "No fleet that was tried keeps the service level." if found is None else ""

    def claim(text: str, claimed: float, value: float, note: str) -> ArticleClaim:
        return ArticleClaim(claim=text, claimed=claimed, here=value, note=of_none or note)

    return (
        claim("Utilisation", 0.80, here.get("pooled_allocated", NAN), "Allocated, of the smallest pooled fleet."),
        claim("Cost", -0.30, here.get("cost", NAN), "Pooled over separate fleets at the same service level."),
        claim("Completion time", -0.45, here.get("completion", NAN),
              "Arrival to end; the articles' 45 % are of hardware that is mixed, not pooled."),
        claim("Energy", -0.50, here.get("energy", NAN), "Electricity of idle accelerators that pooling saves."),
    )  # fmt: skip


def _or_nan(value: float | None) -> float:
    return NAN if value is None else float(value)


WAITS = (
    Column("Class", "name", width=-24),
    Column("Jobs", "jobs", number, 9),
    Column("Mean", "mean_s", time, 12),
    Column("P50", "p50_s", time, 12),
    Column("P95", "p95_s", time, 12),
    Column("P99", "p99_s", time, 12),
    Column("Missed", "missed", percent, 9),
    Column("Stops", "interruptions", lambda value: number(value, 2), 7),
)


def figure_text(one: FleetFigure) -> str:
    """A figure with its interval, in its unit."""
    if one.unit == "%":
        shown, ends = percent(one.mean), f"{percent(one.low)} to {percent(one.high)}"
    elif one.unit == "s":
        shown, ends = time(one.mean), f"{time(one.low)} to {time(one.high)}"
    else:
        unit = "" if one.unit in ("1", "") else f" {one.unit}"
        digits = 2 if one.unit == "USD/h" else 0
        shown = f"{number(one.mean, digits)}{unit}"
        ends = f"{number(one.low, digits)} to {number(one.high, digits)}"
    return shown if one.low != one.low else f"{shown} ({ends})"


def fleet_text(answer: FleetAnswer) -> str:
    """The answer for a terminal."""
    lines = [
        f"{answer.name}: {answer.supernodes:,} SuperNodes, {answer.accelerators:,} accelerators, {answer.days:,.1f} days"
    ]
    if answer.trace_format:
        lines.append(
            f"Trace with the columns of {answer.trace_format}: {answer.trace_rows:,} rows, {answer.trace_faults:,} left out; "
            f"mean wait as recorded {time(answer.recorded_mean_wait_s)}"
            + (f", {answer.trace_never_started:,} jobs never started" if answer.trace_never_started else "")
        )
        if answer.recorded_in_use:
            lines.append(f"Allocated as recorded: {percent(answer.recorded_allocated)} of these accelerators")
        lines += [f"  {message}" for message in answer.trace_messages[:10]]
    if answer.forecast is not None:
        ahead = answer.forecast
        method = "seasonal smoothing" if ahead.method == "smoothing" else "the week before"
        lines.append(
            f"Week after the trace, by {method}: {number(sum(ahead.mean))} accelerators asked for, error of "
            f"{ahead.held_out_weeks} held-out weeks {percent(ahead.error)} (the week before {percent(ahead.naive_error)})"
        )
    for policy in answer.policies:
        lines += ["", f"{policy.name}, {policy.replications} replications, 95 % intervals"]
        lines += [f"  {one.label:<38}{figure_text(one)}" for one in policy.figures]
        lines += text_table(WAITS, policy.waiting, indent="  ")
    for finding in answer.findings:
        title = {"smallest_fleet": "Smallest fleet for the service level", "mix": "Owned and rented"}[
            finding.key
        ]
        lines += [
            "",
            f"{title}: " + (f"{finding.found.supernodes:,} SuperNodes" if finding.found else "none found"),
        ]
        lines += [
            f"  {point.supernodes:>8,} SuperNodes  wait {time(point.wait_s):>10}  allocated {percent(point.allocated):>7}  "
            f"cost {number(point.cost_usd):>12} USD  rented {number(point.rented_hours):>9} h"
            + ("" if point.is_met else "  too slow")
            for point in finding.points
        ]
    if answer.pooling:
        lines += ["", "Pooled over separate fleets, against the articles"]
        lines += [
            f"  {one.claim:<18}{percent(one.here, 0):>9}  claimed {one.claimed:.0%}. {one.note}"
            for one in answer.pooling
        ]
    if answer.policies:
        lines += ["", f"As economics.utilisation of a design: {number(answer.utilisation, 3)}"]
    return "\n".join(lines)
