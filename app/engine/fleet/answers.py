"""Answers of a fleet: utilisation, waiting, deadlines, fragmentation, energy, carbon and cost, over
replications.

Utilisation has three numerators over the same accelerator-hours, those of the owned accelerators whether they
are there or in repair: allocated, held by jobs; running, the same without restarts, checkpoints and resizing;
productive, the same without work lost in failures and without the slow-down of jobs that are spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from app.engine.fleet.demand import HOUR_S, Demand, Jobs, draw_jobs
from app.engine.fleet.policy import Policy
from app.engine.fleet.simulate import Outcome, simulate
from app.engine.fleet.supply import Supply
from app.engine.trace import Array

CONFIDENCE = 0.95
PERCENTILES = (50.0, 90.0, 95.0, 99.0)
DAY_HOURS = 24
G_PER_KG = 1000.0
W_PER_KW = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """A demand, or jobs of a trace, on a supply under a policy.

    Parameters
    ----------
    warmup_s : time at the start that is not counted, as the fleet is empty then
    jobs : of a trace, in place of what `demand` would draw
    """

    demand: Demand
    supply: Supply
    policy: Policy
    seed: int = 0
    warmup_s: float = 0.0
    jobs: Jobs | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Waiting from arrival to first start, of jobs that came after the warm-up and could be held.

    The wait of a job that never started is infinite, and so are percentiles that fall on one. `missed` is the
    share of jobs with a deadline that ended after it; nan where none has one.
    """

    name: str
    jobs: int
    mean_s: float
    percentiles_s: tuple[float, ...]
    missed: float
    interruptions: float
    unfinished: int
    rejected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """The horizon by hour: means over each hour, of shape (hours,)."""

    in_use: Array  # owned accelerators
    rented: Array
    waiting: Array  # jobs
    wanted: Array  # accelerators that waiting jobs ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """One replication. Shares are of the owned accelerator-hours after the warm-up."""

    allocated: float
    running: float
    productive: float
    away: float
    fragmented: float
    rented_hours: float
    productive_hours: float
    energy_kwh: float  # of owned and rented accelerators
    rented_energy_kwh: float
    carbon_kg: float
    cost_usd: float
    waiting: Waiting
    classes: tuple[Waiting, ...]
    hours: Hours
    failures: int
    preemptions: int
    resizes: int
    recorded_mean_s: float
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over replications and its 95 % interval; nan ends where there is one replication."""

    mean: float
    low: float
    high: float


def replicate(fleet: Fleet, number: int) -> Measures:
    """One replication: the same number has the same jobs and failures whatever the supply and the policy."""
    seed = fleet.seed + number
    jobs = fleet.jobs if fleet.jobs is not None else draw_jobs(fleet.demand, seed)
    horizon = fleet.demand.horizon_s
    found = simulate(jobs, fleet.supply, fleet.policy, horizon_s=horizon, seed=seed)
    return measure(jobs, fleet.supply, found, horizon_s=horizon, warmup_s=fleet.warmup_s)


def interval(values: Sequence[float]) -> Interval:
    """Mean and Student interval of independent replications.

    >>> interval([1.0, 2.0, 3.0]).mean, round(interval([1.0, 2.0, 3.0]).high, 3)
    (2.0, 4.484)
    """
    found = np.asarray(values, dtype=float)
    mean = float(found.mean())
    if found.size < 2 or not np.isfinite(found).all():
        return Interval(mean, float("nan"), float("nan"))
    half = float(
        scipy.stats.t.ppf((1 + CONFIDENCE) / 2, found.size - 1) * found.std(ddof=1) / np.sqrt(found.size)
    )
    return Interval(mean, mean - half, mean + half)


def measure(jobs: Jobs, supply: Supply, found: Outcome, *, horizon_s: float, warmup_s: float) -> Measures:
    """Measures of one outcome, from the warm-up to the horizon."""
    owned_s = supply.total * (horizon_s - warmup_s)
    begin, end, count = found.column("from_s"), found.column("to_s"), found.column("accelerators")
    lasted = np.maximum(end - begin, 1e-12)
    inside = np.clip(np.minimum(end, horizon_s) - np.maximum(begin, warmup_s), 0.0, None) / lasted
    owned = found.column("pod") >= 0
    held = lasted * count * inside

    def owned_sum(name: str) -> float:
        return float((found.column(name) * inside)[owned].sum())

    allocated, overhead = float(held[owned].sum()), owned_sum("overhead")
    productive = owned_sum("productive")
    rented_hours = float(held[~owned].sum()) / HOUR_S
    hours = by_hour(jobs, found, horizon_s)
    owned_kwh, rented_kwh, carbon_kg = _energy(supply, hours, warmup_s)
    capital = sum(pod.total * pod.usd_per_hour for pod in supply.pods) * (horizon_s - warmup_s) / HOUR_S
    counted = jobs.arrived_s >= warmup_s
    away = float(found.away.sum()) * (1.0 - warmup_s / horizon_s)
    return Measures(
        allocated=allocated / owned_s,
        running=(allocated - overhead) / owned_s,
        productive=productive / owned_s,
        away=away / owned_s,
        fragmented=found.fragmented / (supply.total * horizon_s),
        rented_hours=rented_hours,
        productive_hours=float((found.column("productive") * inside).sum()) / HOUR_S,
        energy_kwh=owned_kwh + rented_kwh,
        rented_energy_kwh=rented_kwh,
        carbon_kg=carbon_kg,
        cost_usd=capital + owned_kwh * supply.usd_per_kwh + rented_hours * supply.rented.usd_per_hour,
        waiting=_waiting("All jobs", jobs, found, counted),
        classes=tuple(
            _waiting(one.name, jobs, found, counted & (jobs.lane == lane))
            for lane, one in enumerate(jobs.classes)
        ),
        hours=hours,
        failures=found.failures,
        preemptions=found.preemptions,
        resizes=found.resizes,
        recorded_mean_s=_mean(jobs.recorded_s[counted & ~np.isnan(jobs.recorded_s)]),
        outcome=found,
    )


def by_hour(jobs: Jobs, found: Outcome, horizon_s: float) -> Hours:
    """Means over every hour of the horizon, exact: differences of what was accumulated until each full
    hour."""
    edges = np.append(np.arange(0.0, horizon_s, HOUR_S), horizon_s)
    begin, end, count = found.column("from_s"), found.column("to_s"), found.column("accelerators")
    owned = found.column("pod") >= 0
    segment_job = found.column("job").astype(np.int64)
    # waiting is from arrival, or the end before, to each start
    order = np.lexsort((begin, segment_job))
    job = segment_job[order]
    first = np.ones(job.size, dtype=bool)
    first[1:] = job[1:] != job[:-1]
    since = np.where(first, jobs.arrived_s[job], np.roll(end[order], 1))
    never = np.setdiff1d(np.flatnonzero(~found.rejected), job)
    waits_from = np.concatenate((since, jobs.arrived_s[never]))
    waits_to = np.concatenate((begin[order], np.full(never.size, np.inf)))
    sizes = jobs.size[np.concatenate((job, never))].astype(float)
    return Hours(
        in_use=_means(begin[owned], end[owned], count[owned], edges),
        rented=_means(begin[~owned], end[~owned], count[~owned], edges),
        waiting=_means(waits_from, waits_to, np.ones(sizes.size), edges),
        wanted=_means(waits_from, waits_to, sizes, edges),
    )


def recorded_by_hour(jobs: Jobs, horizon_s: float) -> Array:
    """Accelerators in use by hour as the jobs of a trace ran there; the start of each is known."""
    begin = jobs.arrived_s + jobs.recorded_s
    edges = np.append(np.arange(0.0, horizon_s, HOUR_S), horizon_s)
    return _means(begin, begin + jobs.work_s, jobs.size.astype(float), edges)


def _means(begin: Array, end: Array, weight: Array, edges: Array) -> Array:
    """Mean of a sum of weights over each stretch between edges."""

    def until(times: Array) -> Array:
        order = np.argsort(times)
        ordered, weights = times[order], weight[order]
        place = np.searchsorted(ordered, edges, side="right")
        sums = np.concatenate(([0.0], np.cumsum(weights)))
        finite = np.where(np.isfinite(ordered), ordered, 0.0)
        moments = np.concatenate(([0.0], np.cumsum(weights * finite)))
        return edges * sums[place] - moments[place]

    integral = until(begin) - until(end)
    found: Array = np.maximum(np.diff(integral) / np.diff(edges), 0.0)
    return found


def _energy(supply: Supply, hours: Hours, warmup_s: float) -> tuple[float, float, float]:
    """Energy at the meter of the owned pods and of rented accelerators, and the carbon of both.

    Owned: idle power of every accelerator, and what work adds. Rented: power at work for as long as they are
    in use, as what stands idle at their owner is not known; PUE and carbon intensity are those of the own
    site. Their electricity is in their price.
    """
    total = max(supply.total, 1)
    busy = sum(pod.total * pod.busy_w for pod in supply.pods) / total
    idle = sum(pod.total * pod.idle_w for pod in supply.pods) / total
    first = int(warmup_s // HOUR_S)
    owned = (supply.total * idle + hours.in_use[first:] * (busy - idle)) * supply.pue / W_PER_KW
    rented = np.zeros(owned.size)
    if supply.rented.accelerators:
        watts = busy if np.isnan(supply.rented.busy_w) else supply.rented.busy_w
        rented = hours.rented[first:] * watts * supply.pue / W_PER_KW
    intensity = np.asarray(supply.g_per_kwh, dtype=float)
    if not intensity.size:
        return float(owned.sum()), float(rented.sum()), float("nan")
    hour = (np.arange(owned.size) + first) % DAY_HOURS
    grams = (owned + rented) * (intensity[hour] if intensity.size == DAY_HOURS else intensity[0])
    return float(owned.sum()), float(rented.sum()), float(grams.sum()) / G_PER_KG


def _waiting(name: str, jobs: Jobs, found: Outcome, chosen: NDArray[np.bool_]) -> Waiting:
    held = chosen & ~found.rejected
    waits = (found.start_s - jobs.arrived_s)[held]
    waits = np.sort(np.where(np.isnan(waits), np.inf, waits))
    due = held & np.isfinite(jobs.deadline_s)
    late = ~(found.end_s[due] <= jobs.deadline_s[due] + 1e-6)
    places = [min(int(np.ceil(one / 100.0 * waits.size)) - 1, waits.size - 1) for one in PERCENTILES]
    return Waiting(
        name=name,
        jobs=int(held.sum()),
        mean_s=_mean(waits),
        percentiles_s=tuple(float(waits[max(place, 0)]) if waits.size else float("nan") for place in places),
        missed=_mean(late),
        interruptions=_mean(found.interruptions[held]),
        unfinished=int(np.isnan(found.end_s[held]).sum()),
        rejected=int((chosen & found.rejected).sum()),
    )


def _mean(values: NDArray[Any]) -> float:
    return float(np.mean(values)) if np.size(values) else float("nan")
