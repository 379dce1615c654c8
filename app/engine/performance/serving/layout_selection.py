"""What a scenario leaves open of a served workload: the layout of a replica, and how many requests are in flight.

Decided on the median of the samples, all layouts and loads at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.search import central
from app.engine.performance.serving.answers import answers_of, over_promise
from app.engine.performance.serving.replica_load import (
    RANDOM,
    Replica,
    has_room,
    held_by,
    latency_of,
    limit_of,
    prefill_held_by,
    prefill_limit_of,
    request_limit_of,
    whole_replicas,
)
from app.engine.performance.serving.search.groups import groups_of as paired_groups
from app.engine.performance.serving.search.space import ServingSpace, holds_a_request, instances_of
from app.engine.performance.serving.setting import DISAGGREGATED, Setting
from app.engine.performance.serving.sizing import grown_requests_per_s, peak_requests_per_s
from app.engine.performance.serving.space import (
    DEGREES,
    at_rows,
    cuts_of,
    groups_of,
    layouts_that_hold,
    replica_count,
    replica_rows,
)
from app.engine.specs import ServingLayout
from app.engine.trace import Array, first_of

FEW, MANY = 17, 257
"""Loads that are tried of each layout, and of the one that is taken: from the fewest requests to what memory holds."""
FEWEST_AT_RANDOM = 1 / 16
"""Requests in flight that are tried first, where they come at random times: mostly there is none."""
CLOSER = 16
"""Layouts that are looked at again with many loads: few loads are a third apart."""
CLOSER_ROUNDS = 3
"""Of Little's law, for the load of a demand: each brings it ten times closer and more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One replica, how many the pod has, and the requests in flight on each."""

    replica: Replica
    replicas: Array
    concurrency: Array
    most: Array  # requests in flight on a replica that meet the SLO
    layouts: int  # that were compared; 1 where the scenario states one
    merit: tuple[bool, bool, float]  # by which choices of different settings compare; the more the better


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """Replicas at some loads each: (n, loads)."""

    concurrency: Array
    requests_per_s: Array
    over_promise: Array


def choose(setting: Setting) -> Choice:
    """The replica with most output tokens of the pod that meets the SLO, and its load.

    Where none does, the one that comes nearest; where none fits, the one that misses its memory by least.
    The load is the stated one, that of the demand at its peak, or the most that meets the SLO: requests
    beyond it are not let in.
    """
    bare: Setting = central(setting)
    candidates = _candidates(bare)
    size = replica_count(candidates)
    best = replica_rows(candidates, np.array([_best_row(bare, candidates) if size > 1 else 0]))
    replicas = replicas_of(bare, best)
    tried = _tried(bare, best, MANY)
    most = tried.concurrency[0, _most(tried)[0]]
    stated = bare.workload.concurrency
    if stated is not None:
        load = first_of(stated) / first_of(replicas)
    else:
        load = float(most)
        if bare.workload.demand is not None:
            load = min(load, _load_of_demand(bare, best, tried, first_of(replicas)))
    return Choice(
        replica=best,
        replicas=replicas,
        concurrency=np.full(1, load),
        most=np.full(1, float(most)),
        layouts=size,
        merit=(
            bool(request_limit_of(bare, best)[0] >= 1),
            bool(np.all(has_room(bare, best, gaps=False))),
            float(_kept_or_missed(bare, best, tried)[0]),
        ),
    )


def best_of(choices: Sequence[tuple[Setting, Choice]]) -> tuple[Setting, Choice]:
    """The setting whose replica holds a request and has room, with most requests of the pod within the SLO.

    The earliest of equals; `layouts` counts those of all.
    """
    setting, best = max(choices, key=lambda each: each[1].merit)
    return setting, replace(best, layouts=sum(choice.layouts for _, choice in choices))


def replicas_of(setting: Setting, replica: Replica) -> Array:
    """Whole replicas that the pod has, at least one; as stated where the scenario counts instances."""
    plan = setting.workload.plan
    if plan is not None and plan.prefill is None and plan.decode_instances is not None:
        return plan.decode_instances
    return whole_replicas(setting, replica)


def peak_of(setting: Setting) -> Array:
    """Requests per second at the peak of the last year that the pod must last for."""
    demand = setting.workload.demand
    assert demand is not None
    grown = grown_requests_per_s(
        requests_per_s=demand.requests_per_s, growth_per_year=demand.growth_per_year, years=demand.years
    )
    return peak_requests_per_s(mean_requests_per_s=grown, peak_to_mean=demand.peak_to_mean)


def _candidates(bare: Setting) -> Replica:
    plan = bare.workload.plan
    if plan is not None and plan.prefill is None:
        return Replica(decode=plan.decode, decode_instances=np.ones(1))
    if plan is None and bare.workload.mode != DISAGGREGATED and bare.reading is None:
        layouts = instances_of(bare, ServingSpace(), prefills=True)
        if not layouts.accelerators.size or (holds_a_request(bare, layouts, prefills=True) < 1).all():
            layouts = _decode_layouts(bare, None)
        return Replica(decode=layouts, decode_instances=np.ones(layouts.accelerators.size))
    if plan is None:
        found = paired_groups(bare, ServingSpace(), FEW).replica
        if found is not None:
            return _distinct(found)
    prefill = None if plan is None else plan.prefill
    prefill = _prefill_layout(bare) if prefill is None else prefill
    return groups_of(
        prefill=prefill,
        decode=_decode_layouts(bare, prefill) if plan is None else plan.decode,
        prefill_instances=None if plan is None else plan.prefill_instances,
        decode_instances=None if plan is None else plan.decode_instances,
        has_room=lambda groups: has_room(bare, groups),
    )


def _distinct(replica: Replica) -> Replica:
    """Each group once, in the order of the first."""
    sides = (replica.decode, replica.prefill)
    columns = [getattr(side, name) for side in sides if side is not None for name in DEGREES]
    counts = [count for count in (replica.decode_instances, replica.prefill_instances) if count is not None]
    table = np.stack(np.broadcast_arrays(*columns, *counts))
    return replica_rows(replica, np.sort(np.unique(table, axis=1, return_index=True)[1]))


def _decode_layouts(bare: Setting, prefill: ServingLayout | None) -> ServingLayout:
    """Layouts of a decode instance that hold a request, with `prefill` in the pod or alone."""

    def limit(layouts: ServingLayout) -> Array:
        each = None if prefill is None else np.ones(1)
        whole = Replica(decode=layouts, decode_instances=np.ones(1), prefill=prefill, prefill_instances=each)
        fits = has_room(bare, whole, gaps=False) | (prefill is None)
        return np.where(fits, limit_of(bare, whole), 0.0)

    return layouts_that_hold(bare, limit)


def _prefill_layout(bare: Setting) -> ServingLayout:
    """Of an instance that only prefills, where no group was found: the smallest that holds a prompt beside decode.

    Where none does, the smallest that holds one; else the one that misses its memory by least.
    """
    alike = bare.reading is None
    bare = bare.prefilling
    layouts = layouts_that_hold(bare, lambda layouts: prefill_limit_of(bare, layouts), cuts_of(bare))
    size = layouts.accelerators
    needed = np.broadcast_to(prefill_held_by(bare, layouts).memory_per_accelerator_bytes, size.size)
    holds = np.broadcast_to(prefill_limit_of(bare, layouts), size.size) >= 1
    beside = size < bare.accelerators_used if alike else size <= bare.accelerators_used
    wanted = ((holds & beside, size), (holds, size), (beside, needed), (np.ones(size.size, bool), needed))
    able, score = next((able, score) for able, score in wanted if able.any())
    return at_rows(layouts, np.array([np.argmin(np.where(able, score, np.inf))]))


def _tried(bare: Setting, replica: Replica, loads: int) -> _Tried:
    """Replicas with the fewest requests in flight, with as many as memory holds, and between."""
    size = replica_count(replica)
    limit = np.broadcast_to(limit_of(bare, replica), size)
    highest = np.maximum(limit * replica.decode_instances, 1.0)
    if size == 1:
        concurrency = loads_up_to(bare, float(highest[0]), loads)[None, :]
    else:
        least = fewest(bare)
        concurrency = least * (highest[:, None] / least) ** np.linspace(0.0, 1.0, loads)
        if bare.workload.arrivals.kind != RANDOM:
            concurrency = np.floor(concurrency * (1 + 1e-12))  # 1000 ** (1 / 3) is a hair below 10
    if bare.workload.concurrency is not None and size > 1:
        concurrency = (first_of(bare.workload.concurrency) / replicas_of(bare, replica))[:, None]
    rows = np.repeat(np.arange(size), concurrency.shape[1])
    found = latency_of(bare, replica_rows(replica, rows), concurrency.ravel(), limit[rows])
    answers = answers_of(bare, found)

    def table(values: Array) -> Array:
        return np.broadcast_to(values, rows.size).reshape(concurrency.shape)

    return _Tried(
        concurrency=concurrency,
        requests_per_s=table(answers.requests_per_s),
        over_promise=table(over_promise(bare, answers)),
    )


def fewest(setting: Setting) -> float:
    """Requests in flight on a replica that are tried first."""
    return FEWEST_AT_RANDOM if setting.workload.arrivals.kind == RANDOM else 1.0


def loads_up_to(setting: Setting, highest: float, count: int = MANY) -> Array:
    """Loads of one replica in even ratios up to the highest, at most so many.

    Whole ones, but means of what is in flight where requests come at random times.
    """
    least = fewest(setting)
    loads = least * (highest / least) ** np.linspace(0.0, 1.0, count)
    return np.unique(loads if setting.workload.arrivals.kind == RANDOM else np.floor(loads))


def _most(tried: _Tried) -> NDArray[np.intp]:
    """Of each replica the load that answers most and meets the SLO; the nearest where none does."""
    keeps = tried.over_promise <= 1
    fastest = np.argmax(np.where(keeps, tried.requests_per_s, -1.0), axis=1)
    nearest = np.argmin(np.where(np.isnan(tried.over_promise), np.inf, tried.over_promise), axis=1)
    rows: NDArray[np.intp] = np.where(keeps.any(axis=1), fastest, nearest)
    return rows


def _best_row(bare: Setting, replica: Replica) -> int:
    size = replica_count(replica)
    holds = np.broadcast_to(request_limit_of(bare, replica), size) >= 1
    if not holds.any():
        needed = held_by(bare, replica, np.broadcast_to(replica.decode.data_parallel, size))
        return int(np.argmin(np.broadcast_to(needed.memory_per_accelerator_bytes, size)))
    accelerators = np.broadcast_to(replica.accelerators, size)
    able = holds & has_room(bare, replica, gaps=False)
    smallest = holds & (accelerators == accelerators[holds].min())
    rows = np.flatnonzero(able if able.any() else smallest)
    ahead = np.argsort(-_scores(bare, replica_rows(replica, rows), FEW), kind="stable")[:CLOSER]
    rows = rows[np.sort(ahead)]
    return (
        int(rows[np.argmax(_scores(bare, replica_rows(replica, rows), MANY))])
        if rows.size > 1
        else int(rows[0])
    )


def _scores(bare: Setting, replica: Replica, loads: int) -> Array:
    """Requests per second of the pod where the SLO is met, which goes before all others; else how near it
    is."""
    return _kept_or_missed(bare, replica, _tried(bare, replica, loads))


def _kept_or_missed(bare: Setting, replica: Replica, tried: _Tried) -> Array:
    at = (np.arange(tried.concurrency.shape[0]), _most(tried))
    over, rate = tried.over_promise[at], tried.requests_per_s[at] * replicas_of(bare, replica)
    return np.where(over <= 1, rate, -np.where(np.isnan(over), np.inf, over))


def _load_of_demand(bare: Setting, replica: Replica, tried: _Tried, replicas: float) -> float:
    """Requests in flight on a replica at the peak, by Little's law; all it holds where the peak is beyond it."""
    asked = peak_of(bare) / replicas
    loads = loads_of_rates(
        bare, replica, concurrency=tried.concurrency[0], answered=tried.requests_per_s[0], asked=asked
    )
    return first_of(loads)


def loads_of_rates(
    bare: Setting, replica: Replica, *, concurrency: Array, answered: Array, asked: Array
) -> Array:
    """Requests in flight on a replica that answers so many a second, by Little's law; all it holds where they are beyond it.

    Parameters
    ----------
    concurrency, answered : loads that were tried, and what they answer [1/s]
    asked : rates, along an axis [1/s]
    """
    most = np.maximum.accumulate(answered)
    beyond, limit = asked >= most[-1], limit_of(bare, replica)
    load = np.interp(asked, most, concurrency)
    load = np.where(asked < most[0], load * (asked / most[0]), load)
    # Between loads that were tried, or below all, where mostly nothing is in flight.
    for _ in range(CLOSER_ROUNDS if not np.all(beyond) else 0):
        found = answers_of(bare, latency_of(bare, replica, load, limit))
        load = load * (asked / found.requests_per_s)
    held: Array = np.where(beyond, concurrency[-1], np.minimum(load, concurrency[-1]))
    return held
