"""The smallest fleet for a service level, the best mix of owned and rented, and pooling against separate
fleets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.engine.fleet.answers import PERCENTILES, Fleet, Measures, Waiting, replicate
from app.engine.fleet.demand import Demand, JobClass, ServedClass, draw_jobs
from app.engine.fleet.policy import POLICIES
from app.engine.fleet.supply import Rented, Supply

MOST_DOUBLINGS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLevel:
    """Service level: a percentage of the jobs of a class starts within a time; an empty name is all jobs."""

    wait_s: float
    percentile: float = 95.0
    name: str = ""

    def wait_of(self, found: Sequence[Measures]) -> float:
        """The percentile of waiting, mean over replications; 0 where no job of the class came."""
        place = PERCENTILES.index(self.percentile)
        waits = [self._of(one).percentiles_s[place] if self._of(one).jobs else 0.0 for one in found]
        return float(np.mean(waits))

    def _of(self, found: Measures) -> Waiting:
        return next((one for one in found.classes if one.name == self.name), found.waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A size of the fleet and its results, means over replications."""

    supernodes: int
    wait_s: float
    is_met: bool
    allocated: float
    productive: float
    cost_usd: float
    rented_hours: float
    energy_kwh: float


def with_supernodes(fleet: Fleet, supernodes: int, pod: int = 0) -> Fleet:
    """The same fleet with another number of SuperNodes in one pod."""
    pods = tuple(
        replace(one, supernodes=supernodes) if place == pod else one
        for place, one in enumerate(fleet.supply.pods)
    )
    return replace(fleet, supply=replace(fleet.supply, pods=pods))


def point_of(fleet: Fleet, level: ServiceLevel, replications: int, pod: int = 0) -> Point:
    """Results of a fleet. One that cannot hold some of its jobs does not meet the level."""
    found = [replicate(fleet, number) for number in range(replications)]
    wait = level.wait_of(found)
    # jobs of the warm-up are not counted, but must have started too
    never = any((np.isnan(one.outcome.start_s) & ~one.outcome.rejected).any() for one in found)
    fits = not never and not any(one.waiting.rejected for one in found)

    def mean(name: str) -> float:
        return float(np.mean([getattr(one, name) for one in found]))

    return Point(
        supernodes=fleet.supply.pods[pod].supernodes,
        wait_s=wait,
        is_met=bool(wait <= level.wait_s and fits),
        allocated=mean("allocated"),
        productive=mean("productive"),
        cost_usd=mean("cost_usd"),
        rented_hours=mean("rented_hours"),
        energy_kwh=mean("energy_kwh"),
    )


def smallest_fleet(
    fleet: Fleet, level: ServiceLevel, *, replications: int = 3, pod: int = 0
) -> tuple[Point | None, tuple[Point, ...]]:
    """The fewest SuperNodes of a pod that keep a service level, and all that were tried, by size.

    Doubling, then halving the gap; the same jobs at every size. None where no size that was tried keeps it,
    such as where a job is larger than the quota of its class.
    """
    tried: dict[int, Point] = {}

    def at(supernodes: int) -> Point:
        if supernodes not in tried:
            tried[supernodes] = point_of(with_supernodes(fleet, supernodes, pod), level, replications, pod)
        return tried[supernodes]

    size = fleet.supply.pods[pod].accelerators
    others = fleet.supply.total - fleet.supply.pods[pod].total
    enough = max(int((fleet.demand.accelerators_mean - others) // size), 1)
    short = 0
    for _ in range(MOST_DOUBLINGS):
        if at(enough).is_met:
            break
        short, enough = enough, max(int(enough * 1.5), enough + 1)
    else:
        return None, tuple(tried[one] for one in sorted(tried))
    while enough - short > 1:
        middle = (short + enough) // 2
        if at(middle).is_met:
            enough = middle
        else:
            short = middle
    return at(enough), tuple(tried[one] for one in sorted(tried))


def best_mix(
    fleet: Fleet, level: ServiceLevel, sizes: Sequence[int], *, replications: int = 3, pod: int = 0
) -> tuple[Point | None, tuple[Point, ...]]:
    """The cheapest of some numbers of owned SuperNodes that keep the level, with what the fleet may rent; and
    all."""
    points = tuple(
        point_of(with_supernodes(fleet, one, pod), level, replications, pod) for one in sorted(set(sizes))
    )
    kept = [point for point in points if point.is_met]
    return min(kept, key=lambda point: point.cost_usd, default=None), points


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """One pooled fleet over separate fleets of each class, all sized for the same service level.

    Changes are of the pooled over the separate: -0.3 is 30 % less. `completion` is of the mean time from
    arrival to end.
    """

    separate_supernodes: int
    pooled_supernodes: int
    separate_allocated: float
    pooled_allocated: float
    cost: float
    energy: float
    completion: float


def pooling(fleet: Fleet, level: ServiceLevel, *, replications: int = 2) -> Pooling | None:
    """Separate fleets, first in first out, against one fleet under the policy of `fleet`, each the smallest
    that keeps the level. None where one of them cannot.

    Of one kind of pod and nothing rented: mixed hardware is a matter of `speed` and price of the pods of
    `fleet`.
    """
    alone = replace(fleet, policy=POLICIES["fifo"], supply=_one_pod(fleet.supply))
    points, times, jobs = [], 0.0, 0.0
    for one in (*fleet.demand.classes, *fleet.demand.served):
        demand = Demand(
            horizon_s=fleet.demand.horizon_s,
            classes=(one,) if isinstance(one, JobClass) else (),
            served=(one,) if isinstance(one, ServedClass) else (),
        )
        own = replace(alone, demand=demand)
        found, _ = smallest_fleet(own, replace(level, name=""), replications=replications)
        if found is None:
            return None
        points.append(found)
        total, count = _completion(with_supernodes(own, found.supernodes), replications)
        times, jobs = times + total, jobs + count
    pooled = replace(fleet, supply=_one_pod(fleet.supply))
    shared, _ = smallest_fleet(pooled, level, replications=replications)
    if shared is None or not points:
        return None
    total, count = _completion(with_supernodes(pooled, shared.supernodes), replications)
    separate = sum(point.supernodes for point in points)
    cost, energy = sum(point.cost_usd for point in points), sum(point.energy_kwh for point in points)
    return Pooling(
        separate_supernodes=separate,
        pooled_supernodes=shared.supernodes,
        separate_allocated=sum(point.allocated * point.supernodes for point in points) / separate,
        pooled_allocated=shared.allocated,
        cost=shared.cost_usd / cost - 1.0 if cost else float("nan"),
        energy=shared.energy_kwh / energy - 1.0 if energy else float("nan"),
        completion=(total / count) / (times / jobs) - 1.0 if jobs and count else float("nan"),
    )


def _one_pod(supply: Supply) -> Supply:
    return replace(supply, pods=supply.pods[:1], maintenance=(), rented=Rented())


def _completion(fleet: Fleet, replications: int) -> tuple[float, float]:
    """Sum of the times from arrival to end, and how many jobs ended."""
    total, count = 0.0, 0
    for number in range(replications):
        found = replicate(fleet, number).outcome
        jobs = draw_jobs(fleet.demand, fleet.seed + number)
        times = found.end_s - jobs.arrived_s
        total += float(np.nansum(times))
        count += int((~np.isnan(times)).sum())
    return total, float(count)
