"""Demand of a fleet: streams of jobs by class, with a daily and weekly shape, seeded.

Arrivals are a Poisson process whose rate follows the hours of a week: the number of a stretch is Poisson,
their times are drawn from the cumulative rate [1]_. A served model is demand for replicas by the hour: each
level of the curve is a job that runs from the hour that needs it to the hour that does not.

References
----------
.. [1] Çinlar, Introduction to Stochastic Processes, 1975 (inversion of the cumulative rate)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from app.engine.trace import Array

HOUR_S = 3600.0
WEEK_HOURS = 168
DurationLaw = Literal["fixed", "exponential", "lognormal"]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobClass:
    """Jobs that are alike: one team, one purpose, one priority.

    Parameters
    ----------
    jobs_per_hour : mean arrivals over a week
    sizes, weights : accelerators of a job, and how often each size comes
    duration_s : mean run time at full size on the first pod, without failures
    law, sigma : of run times; sigma of the logarithm, of a lognormal law
    shape : rate by hour of the week over its mean, 168 values; empty is level
    priority : higher goes first where the policy says so
    share : entitlement of the class, relative to those of other classes
    quota : most accelerators in use at a time; 0 is no limit
    deadline_factor, deadline_slack_s : due so many run times and so long after arrival; a factor of 0 is
        never
    estimate_factor : run time that users estimate over the real one; at least 1
    least_share : of its accelerators that an elastic job can work with; 1 is rigid
    is_preemptible, may_rent : whether others may take its place, and whether it may go to rented accelerators
    """

    name: str
    jobs_per_hour: float
    sizes: tuple[int, ...] = (1,)
    weights: tuple[float, ...] = ()
    duration_s: float = HOUR_S
    law: DurationLaw = "lognormal"
    sigma: float = 1.0
    shape: tuple[float, ...] = ()
    priority: int = 0
    share: float = 1.0
    quota: int = 0
    deadline_factor: float = 0.0
    deadline_slack_s: float = 0.0
    estimate_factor: float = 1.0
    least_share: float = 1.0
    is_preemptible: bool = True
    may_rent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedClass:
    """A served model: replicas by the hour, that are there when they are needed or late.

    Parameters
    ----------
    peak_replicas : of the busiest hour
    shape : demand by hour of the week over that of the busiest hour, 168 values
    """

    name: str
    accelerators: int
    peak_replicas: int
    shape: tuple[float, ...]
    priority: int = 10
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """Jobs in the order of arrival, shape (n,). `work_s` is the run time at full size without failures.

    `deadline_s` is infinite where there is none. `least` is the fewest accelerators that a job works with.
    `recorded_s` is how long a job of a trace waited there; nan where that is not known.
    """

    classes: tuple[ClassTerms, ...]
    arrived_s: Array
    size: Whole
    work_s: Array
    lane: Whole
    estimate_s: Array
    deadline_s: Array
    least: Whole
    recorded_s: Array

    @property
    def count(self) -> int:
        return int(self.arrived_s.size)

    @property
    def accelerator_s(self) -> float:
        """Accelerator-seconds of work in all jobs."""
        return float(np.sum(self.size * self.work_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassTerms:
    """Terms that a scheduler knows of a class."""

    name: str
    priority: int = 0
    share: float = 1.0
    quota: int = 0
    is_preemptible: bool = True
    may_rent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """Classes of jobs and served models over a time. The same seed draws the same jobs."""

    horizon_s: float
    classes: tuple[JobClass, ...] = ()
    served: tuple[ServedClass, ...] = field(default=())

    @property
    def accelerators_mean(self) -> float:
        """Accelerators that the demand keeps busy on average, where nothing waits, fails or slows."""
        batch = sum(one.jobs_per_hour / HOUR_S * mean_size(one) * one.duration_s for one in self.classes)
        served = sum(
            one.accelerators * float(np.mean(replicas_by_hour(one, WEEK_HOURS))) for one in self.served
        )
        return float(batch + served)


def mean_size(one: JobClass) -> float:
    """Mean accelerators of a job of a class."""
    return float(np.dot(one.sizes, _weights(one)))


def draw_jobs(demand: Demand, seed: int) -> Jobs:
    """All jobs of a demand, in the order of arrival.

    Each class has draws of its own: they do not depend on other classes.
    """
    streams = np.random.SeedSequence(seed).spawn(len(demand.classes))
    parts = [
        _batch(one, lane, demand.horizon_s, np.random.default_rng(stream))
        for lane, (one, stream) in enumerate(zip(demand.classes, streams, strict=True))
    ]
    first = len(demand.classes)
    parts += [_replicas(one, first + place, demand.horizon_s) for place, one in enumerate(demand.served)]
    terms = [
        ClassTerms(
            name=one.name,
            priority=one.priority,
            share=one.share,
            quota=one.quota,
            is_preemptible=one.is_preemptible,
            may_rent=one.may_rent,
        )
        for one in demand.classes
    ]
    terms += [
        ClassTerms(name=one.name, priority=one.priority, share=one.share, is_preemptible=False)
        for one in demand.served
    ]
    return joined(tuple(terms), parts)


def joined(classes: tuple[ClassTerms, ...], parts: Sequence[Mapping[str, Array]]) -> Jobs:
    """Jobs of several streams, by arrival."""
    if not parts:
        parts = [columns_of(np.empty(0), np.empty(0), np.empty(0), 0)]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.argsort(whole["arrived_s"], kind="stable")
    columns = {name: values[order] for name, values in whole.items()}
    return Jobs(
        classes=classes,
        arrived_s=columns["arrived_s"],
        size=columns["size"].astype(np.int64),
        work_s=columns["work_s"],
        lane=columns["lane"].astype(np.int64),
        estimate_s=columns["estimate_s"],
        deadline_s=columns["deadline_s"],
        least=columns["least"].astype(np.int64),
        recorded_s=columns["recorded_s"],
    )


def week_shape(day: Sequence[float], weekend: float = 1.0) -> tuple[float, ...]:
    """Rates by hour of the week, Monday first, from those of a day; Saturday and Sunday have a share of the
    others.

    >>> shape = week_shape([1.0] * 12 + [3.0] * 12, weekend=0.5)
    >>> len(shape), round(sum(shape) / 168, 9), round(shape[12] / shape[0], 9), round(shape[120] / shape[0], 9)
    (168, 1.0, 3.0, 0.5)
    """
    days = np.array([1.0] * 5 + [weekend] * 2)
    whole = (days[:, None] * np.asarray(day, dtype=float)).ravel()
    return tuple((whole / whole.mean()).tolist())


def with_peak(shape: Sequence[float], peak: float) -> tuple[float, ...]:
    """The same hours busy and quiet, with the busiest `peak` times the mean: all rates to one power.

    >>> round(with_peak([0.5, 1.5], 1.8)[1], 9)
    1.8

    Raises
    ------
    ValueError : the shape is level and cannot have a peak, or `peak` is more than its hours allow
    """
    base = np.asarray(shape, dtype=float)
    if peak == 1.0:
        return tuple(np.ones(base.size).tolist())
    at_most = base.size / np.count_nonzero(base == base.max())
    if not 1.0 < peak < at_most:
        raise ValueError(f"a peak of {peak:g} times the mean is not between 1 and {at_most:g}")
    logarithm = np.log(np.maximum(base, 1e-12) / base.max())

    def over(power: float) -> float:
        return float(1.0 / np.mean(np.exp(power * logarithm))) - peak

    power = scipy.optimize.brentq(over, 0.0, 1e4)
    raised = np.exp(power * logarithm)
    return tuple((raised / raised.mean()).tolist())


def replicas_by_hour(one: ServedClass, hours: int) -> Whole:
    """Replicas that a served model needs in each hour, rounded up."""
    shape = np.asarray(one.shape, dtype=float)
    shape = np.ones(WEEK_HOURS) if shape.size == 0 else shape / shape.max()
    wanted = np.ceil(np.tile(shape, -(-hours // shape.size))[:hours] * one.peak_replicas - 1e-9)
    return np.asarray(wanted, dtype=np.int64)


def _batch(one: JobClass, lane: int, horizon_s: float, random: np.random.Generator) -> dict[str, Array]:
    rates = np.asarray(one.shape, dtype=float) if one.shape else np.ones(1)
    arrived = _arrivals(one.jobs_per_hour / HOUR_S * rates / rates.mean(), horizon_s, random)
    count = arrived.size
    size = random.choice(np.asarray(one.sizes, dtype=np.int64), size=count, p=_weights(one))
    if one.law == "fixed":
        work = np.full(count, one.duration_s)
    elif one.law == "exponential":
        work = random.exponential(one.duration_s, count)
    else:
        work = random.lognormal(np.log(one.duration_s) - one.sigma**2 / 2, one.sigma, count)
    columns = columns_of(arrived, size, work, lane)
    columns["estimate_s"] = work * max(one.estimate_factor, 1.0)
    columns["least"] = np.maximum(np.ceil(size * min(one.least_share, 1.0) - 1e-9), 1.0)
    if one.deadline_factor > 0:
        columns["deadline_s"] = arrived + one.deadline_factor * work + one.deadline_slack_s
    return columns


def _arrivals(rates: Array, horizon_s: float, random: np.random.Generator) -> Array:
    """Times of a Poisson process with a rate for each hour, over and over until the horizon."""
    hours = -(-int(np.ceil(horizon_s)) // int(HOUR_S))
    edges = np.minimum(np.arange(hours + 1) * HOUR_S, horizon_s)
    by_hour = np.tile(rates, -(-hours // rates.size))[:hours]
    total = np.concatenate(([0.0], np.cumsum(by_hour * np.diff(edges))))
    count = int(random.poisson(total[-1]))
    return np.sort(np.interp(random.uniform(0.0, total[-1], count), total, edges))


def _replicas(one: ServedClass, lane: int, horizon_s: float) -> dict[str, Array]:
    """Every level of the curve as jobs: from an hour that needs it on, for as many hours as need it without a
    gap."""
    hours = max(int(np.ceil(horizon_s / HOUR_S)), 1)
    wanted = replicas_by_hour(one, hours)
    above = wanted[None, :] >= np.arange(1, one.peak_replicas + 1)[:, None]
    padded = np.pad(above, ((0, 0), (1, 1))).astype(np.int8)
    change = np.diff(padded, axis=1)
    level, begins = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1]
    arrived, work = begins * HOUR_S, (ends - begins) * HOUR_S
    return columns_of(arrived, np.full(level.size, one.accelerators, dtype=np.int64), work, lane)


def columns_of(arrived: Any, size: Any, work: Any, lane: int) -> dict[str, Array]:
    """Columns of jobs that have no deadline and are not elastic, each of shape (n,)."""
    count = arrived.size
    return {
        "arrived_s": np.asarray(arrived, dtype=float),
        "size": np.asarray(size, dtype=float),
        "work_s": np.asarray(work, dtype=float),
        "lane": np.full(count, float(lane)),
        "estimate_s": np.asarray(work, dtype=float),
        "deadline_s": np.full(count, np.inf),
        "least": np.asarray(size, dtype=float),
        "recorded_s": np.full(count, np.nan),
    }


def _weights(one: JobClass) -> Array:
    weights = np.asarray(one.weights or [1.0] * len(one.sizes), dtype=float)
    found: Array = weights / weights.sum()
    return found
