"""Replicas that follow the demand by the hour: how many run, what is paid, and what headroom a cold start needs.

Hours lie along the last axis and come again. Within an hour the demand is taken as its mean, and between the middles of
two hours as a straight line where it is asked how fast it grows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.serving.sizing import ROUNDING, Redundancy, spares_that_rule
from app.engine.quantities import quantity
from app.engine.trace import Array

HOUR_S = 3600.0
_SCHEDULE = "definition: an instance is paid from its order, a cold start before it is needed, until its delay is over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaled:
    """Of each hour, without `headroom_needed`. `paid` counts what starts, lingers and stands by for failures."""

    needed: Array  # replicas that answer the requests of the hour
    wanted: Array  # the same with headroom and minimum
    serving: Array  # that answer in all of the hour, at least
    paid: Array  # mean over the hour
    accelerators: (
        Array  # of those that are paid, on whole nodes where nodes are given back; mean over the hour
    )
    headroom: Array  # share of the running capacity, as stated or as needed
    headroom_needed: Array  # within a cold start, by the steepest rise and a burst on top
    short: Array  # 1 in hours from which the demand outgrows what runs before another instance is up


@quantity(unit="1", source="definition", leaf=True)
def replicas_of_hours(*, requests_per_s: Array, requests_per_s_per_replica: Array) -> Array:
    """Whole replicas that answer the requests of each hour; none in an hour without any."""
    whole = np.ceil(requests_per_s / requests_per_s_per_replica - ROUNDING)
    return np.where(requests_per_s > 0, np.maximum(whole, 1.0), 0.0)


@quantity(unit="1", source="definition", leaf=True)
def replicas_wanted(
    *,
    requests_per_s: Array,
    requests_per_s_per_replica: Array,
    headroom: Array,
    minimum_instances: Array,
    most_replicas: Array,
) -> Array:
    """Replicas that are to run in each hour: the requests on the share of them that is not headroom.

    No fewer than the minimum, and no more than the busiest hour needs, beyond which nothing grows.
    """
    full = headroom >= 1
    rate = requests_per_s_per_replica * np.where(full, 1.0, 1 - headroom)
    grown = replicas_of_hours(requests_per_s=requests_per_s, requests_per_s_per_replica=rate)
    least = np.maximum(np.where(full, most_replicas, grown), minimum_instances)
    return np.minimum(least, most_replicas)


@quantity(unit="1", source="definition", leaf=True)
def headroom_needed(
    *,
    requests_per_s: Array,
    cold_start_s: Array,
    burst: Array,
    floor_requests_per_s: Array,
    most_requests_per_s: Array,
) -> Array:
    """Share of the running capacity that must be idle, so that a demand that grows is borne until another replica is up.

    1 - d(t) / d(s) (1 + b), the largest of all times t and s up to a cold start apart; what the minimum bears needs
    none, and beyond what all replicas answer none helps. Of straight lines the largest is where one of the two times is
    the middle of an hour, or s where the demand crosses what the minimum or all replicas bear. 0 where an instance is there at once; 1 where there is growth from nothing.

    Parameters
    ----------
    requests_per_s : d, of each hour
    cold_start_s : of one instance [s]
    burst : b, of the busiest minute of an hour over its mean, less 1
    floor_requests_per_s : that the minimum of instances bears
    most_requests_per_s : that all replicas bear
    """
    span_h = float(np.max(cold_start_s)) / HOUR_S
    bursts = requests_per_s * (1 + burst)
    now, later = _pairs(requests_per_s, span_h)
    asked = np.minimum(later * (1 + burst), most_requests_per_s)
    grows = asked > np.maximum(floor_requests_per_s, now) * (1 + ROUNDING)
    shares = [np.max(np.where(grows, 1 - now / np.where(grows, asked, 1.0), 0.0))]
    for level in (floor_requests_per_s, most_requests_per_s):
        before = _least_before(requests_per_s, _crossings(bursts, level), span_h)
        crossed = np.where(np.isnan(before) | (level <= 0), level, before)  # nowhere, or from nothing
        shares.append(np.max(1 - crossed / np.where(level > 0, level, 1.0), initial=0.0, where=level > 0))
    return np.where(cold_start_s > 0, np.max(shares), 0.0)


@quantity(unit="1", source="definition", leaf=True)
def hours_short(
    *,
    requests_per_s: Array,
    serving: Array,
    requests_per_s_per_replica: Array,
    cold_start_s: Array,
    burst: Array,
    most_requests_per_s: Array,
) -> Array:
    """Hours from which the demand outgrows what runs before another replica is up: 1, else 0."""
    _, later = _after(requests_per_s, float(np.max(cold_start_s)) / HOUR_S)
    asked = np.minimum(np.max(later, axis=0) * (1 + burst), most_requests_per_s)
    outgrown = asked > serving * requests_per_s_per_replica * (1 + ROUNDING)
    return np.where((cold_start_s > 0) & outgrown, 1.0, 0.0)


@quantity(unit="1", source="definition", leaf=True)
def replicas_serving(*, wanted: Array, scale_down_delay_s: Array) -> Array:
    """Replicas that answer in all of an hour: the most wanted of it and of the whole hours of the delay before."""
    return _most_of(wanted, before=int(float(np.max(scale_down_delay_s)) // HOUR_S), after=0)


@quantity(unit="1", source=_SCHEDULE, leaf=True)
def replicas_paid(*, wanted: Array, spares: Array, always_on: Array) -> Array:
    """Replicas that are paid, with those that stand by for failures; never more than run where none ever stops."""
    return np.minimum(wanted + spares, always_on)


@quantity(unit="1", source="definition", leaf=True)
def accelerators_paid(*, replicas: Array, accelerators_per_replica: Array, unit_accelerators: Array) -> Array:
    """Accelerators of so many replicas, in whole units: replicas fill one after the other, and stop unit by unit.

    Parameters
    ----------
    unit_accelerators : of a node, where only whole ones are given back; 1 otherwise
    """
    used = replicas * accelerators_per_replica
    return np.ceil(used / unit_accelerators - ROUNDING) * unit_accelerators


@quantity(unit="1", source=_SCHEDULE, leaf=True)
def hour_mean(*, parts: Array, shares: Array) -> Array:
    """Mean over an hour of what it is in parts of it: other hours lie within a delay before and a cold start after.

    Parameters
    ----------
    parts : along the first axis
    shares : of the hour, of each part
    """
    mean: Array = np.sum(shares[:, None] * parts, axis=0)
    return mean


def scaled(
    *,
    requests_per_s: Array,
    requests_per_s_per_replica: Array,
    replicas: Array,
    spare_replicas: Array,
    redundancy: Redundancy,
    minimum_instances: Array,
    headroom: Array,
    scale_down_delay_s: Array,
    cold_start_s: Array,
    burst: Array,
    accelerators_per_replica: Array,
    unit_accelerators: Array,
) -> Scaled:
    """Replicas of each hour.

    Parameters
    ----------
    requests_per_s : of each hour [1/s]
    requests_per_s_per_replica : within the SLO [1/s]
    replicas, spare_replicas : that run where none ever stops
    headroom : not a number: as much as is needed
    unit_accelerators : that are given back together; 1 where each instance stops by itself
    """
    rate = requests_per_s_per_replica
    most = replicas * rate
    needs = headroom_needed(
        requests_per_s=requests_per_s,
        cold_start_s=cold_start_s,
        burst=burst,
        floor_requests_per_s=np.maximum(minimum_instances, 0.0) * rate,
        most_requests_per_s=most,
    )
    kept = np.where(np.isnan(headroom), needs, headroom)
    wanted = replicas_wanted(
        requests_per_s=requests_per_s,
        requests_per_s_per_replica=rate,
        headroom=kept,
        minimum_instances=minimum_instances,
        most_replicas=replicas,
    )
    serving = replicas_serving(wanted=wanted, scale_down_delay_s=scale_down_delay_s)
    counts, shares = _parts_of_an_hour(wanted, scale_down_delay_s, cold_start_s)
    paid = replicas_paid(
        wanted=counts, spares=_spares(redundancy, counts), always_on=replicas + spare_replicas
    )
    accelerators = accelerators_paid(
        replicas=paid, accelerators_per_replica=accelerators_per_replica, unit_accelerators=unit_accelerators
    )
    return Scaled(
        needed=replicas_of_hours(requests_per_s=requests_per_s, requests_per_s_per_replica=rate),
        wanted=wanted,
        serving=serving,
        paid=hour_mean(parts=paid, shares=shares),
        accelerators=hour_mean(parts=accelerators, shares=shares),
        headroom=kept,
        headroom_needed=needs,
        short=hours_short(
            requests_per_s=requests_per_s,
            serving=serving,
            requests_per_s_per_replica=rate,
            cold_start_s=cold_start_s,
            burst=burst,
            most_requests_per_s=most,
        ),
    )


def _spares(redundancy: Redundancy, count: Array) -> Array:
    """Beside so many that run; none where none does."""
    kept = spares_that_rule(
        spares_by_availability=redundancy.by_availability(count),
        spares_by_redundancy=redundancy.by_redundancy(),
    )
    return np.where(count > 0, kept, 0.0)


def _parts_of_an_hour(wanted: Array, scale_down_delay_s: Array, cold_start_s: Array) -> tuple[Array, Array]:
    """The most that is wanted from a delay before to a cold start after, in each part of an hour, and its share.

    With a delay of k + f hours the hour k + 1 before counts in the first f of an hour; with a cold start of j + g
    hours the hour j + 1 after counts in its last g.
    """
    delay, start = (float(np.max(time)) / HOUR_S for time in (scale_down_delay_s, cold_start_s))
    before, first = int(delay), delay - int(delay)
    after, last = int(start), start - int(start)
    both = max(first + last - 1, 0.0)
    shares = np.array([both, first - both, last - both, 1 - first - last + both])
    counts = np.stack(
        [
            _most_of(wanted, before=before + 1, after=after + 1),
            _most_of(wanted, before=before + 1, after=after),
            _most_of(wanted, before=before, after=after + 1),
            _most_of(wanted, before=before, after=after),
        ]
    )
    return counts, shares


def _most_of(values: Array, *, before: int, after: int) -> Array:
    """The largest of each hour and so many before and after it."""
    hours = values.size
    before, after = min(before, hours), min(after, hours)
    window = (np.arange(hours)[:, None] + np.arange(-before, after + 1)) % hours
    most: Array = np.max(values[window], axis=-1)
    return most


def _after(values: Array, span_h: float) -> tuple[Array, Array]:
    """The middle of each hour, and times up to so many hours after it that may be the largest, along the first axis."""
    hours = values.size
    span_h = min(span_h, float(hours))
    whole, part = int(span_h), span_h - int(span_h)
    at = (np.arange(whole + 1)[:, None] + np.arange(hours)) % hours
    end = (1 - part) * values[at[-1]] + part * values[(at[-1] + 1) % hours]
    return values, np.concatenate([values[at], end[None, :]])


def _crossings(values: Array, level: Array) -> Array:
    """Hours after the first at which straight lines between the middles of hours cross a level; NaN where none does."""
    ends = np.roll(values, -1)
    crosses = (values - level) * (ends - level) < 0
    part = np.where(crosses, (level - values) / np.where(crosses, ends - values, 1.0), np.nan)
    hours: Array = np.arange(values.size, dtype=np.float64) + part
    return hours


def _least_before(values: Array, times_h: Array, span_h: float) -> Array:
    """The least on straight lines from a span before each time to it; NaN where there is no time."""
    hours = values.size
    span_h = min(span_h, float(hours))
    start = np.interp(times_h - span_h, np.arange(hours), values, period=hours)
    middles = np.floor(times_h) - np.arange(int(span_h) + 2)[:, None]
    within = middles >= times_h - span_h
    at = np.where(np.isnan(middles), 0.0, middles).astype(np.intp) % hours
    least: Array = np.minimum(start, np.min(np.where(within, values[at], np.inf), axis=0))
    return np.where(np.isnan(times_h), np.nan, least)


def _pairs(values: Array, span_h: float) -> tuple[Array, Array]:
    """Demands at two times up to so many hours apart, of which one is the middle of an hour."""
    now, later = _after(values, span_h)
    # Backwards in time a span after is a span before.
    end, early = (item[..., ::-1] for item in _after(values[::-1], span_h))
    return (
        np.concatenate([np.broadcast_to(now, later.shape), early]),
        np.concatenate([later, np.broadcast_to(end, early.shape)]),
    )
