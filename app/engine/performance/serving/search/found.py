"""A search of one served model on one pod: everything that was tried, and what is best in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.replica_load import Replica
from app.engine.performance.serving.search.groups import groups_of
from app.engine.performance.serving.search.space import ServingSpace, holds_a_request, instances_of
from app.engine.performance.serving.search.tried import (
    Rows,
    Tried,
    joined,
    layout_index,
    loads_between,
    lowest_load,
    try_all,
)
from app.engine.performance.serving.setting import AGGREGATED, DISAGGREGATED, Setting
from app.engine.performance.serving.space import at_rows, replica_rows

LOADS, FINE = 24, 257
"""Loads tried of every layout, and of the few that come first: as many as where a scenario leaves the load open."""
REFINED = 16
"""Layouts of each mode that are tried at fine loads."""
MEMORY, NO_ROOM = "memory", "no room for prefill alongside it"
BEYOND = 1.05
"""The load of a group that is tried at fine loads, over the most that was tried of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSearch:
    """Layouts at loads. `tried` is None where not one layout holds a request."""

    tried: Tried | None
    layouts: int  # instances of both modes that were looked at
    rejected: dict[str, int]  # of them, by what is in the way
    points: int  # layouts at loads that went through the model of a step


def search_serving(setting: Setting, space: ServingSpace) -> ServingSearch:
    """Try every layout of a space at loads from one request to what memory holds, by the median of the samples.

    Layout and load that the workload states are left aside. Where prompts are read on a kind of SuperNode of their own,
    only groups are tried.
    """
    bare: Setting = central(setting)
    bare = replace(bare, workload=replace(bare.workload, plan=None, concurrency=None))
    ways = {AGGREGATED: _aggregated, DISAGGREGATED: _disaggregated}
    modes = [mode for mode in space.modes if setting.reading is None or mode == DISAGGREGATED]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        return together([ways[mode](bare, space) for mode in modes])


def together(found: Sequence[ServingSearch]) -> ServingSearch:
    """Searches of several modes, or of several kinds of SuperNode of a mixed pod, as one."""
    parts = [each.tried for each in found if each.tried is not None]
    reasons = {name for each in found for name in each.rejected}
    return ServingSearch(
        tried=joined(parts) if parts else None,
        layouts=sum(each.layouts for each in found),
        rejected={name: sum(each.rejected.get(name, 0) for each in found) for name in sorted(reasons)},
        points=sum(each.points for each in found),
    )


def _aggregated(bare: Setting, space: ServingSpace) -> ServingSearch:
    instances = instances_of(bare, space, prefills=True)
    count = int(instances.accelerators.size)
    limit = holds_a_request(bare, instances, prefills=True) if count else np.zeros(0)
    able = np.flatnonzero(limit >= 1)
    if not able.size:
        return ServingSearch(tried=None, layouts=count, rejected=_in_the_way(memory=count), points=0)
    row = np.repeat(able, LOADS)
    replica = Replica(decode=at_rows(instances, row), decode_instances=np.ones(row.size))
    loads = loads_between(lowest_load(at_rows(instances, able)), limit[able], LOADS)
    coarse = try_all(bare, replica, loads.ravel(), limit[row])
    fine = _refined(bare, coarse)
    return ServingSearch(
        tried=joined([coarse, fine]),
        layouts=count,
        rejected=_in_the_way(memory=int(count - able.size)),
        points=int(row.size) + fine.size,
    )


def _disaggregated(bare: Setting, space: ServingSpace) -> ServingSearch:
    groups = groups_of(bare, space, LOADS)
    away = _in_the_way(memory=groups.too_large, room=groups.without_prefill)
    if groups.replica is None:
        return ServingSearch(tried=None, layouts=groups.layouts, rejected=away, points=groups.steps)
    coarse = try_all(bare, groups.replica, groups.concurrency, groups.limit)
    fine = _refined(bare, coarse)
    return ServingSearch(
        tried=joined([coarse, fine]),
        layouts=groups.layouts,
        rejected=away,
        points=groups.steps + coarse.size + fine.size,
    )


def _in_the_way(*, memory: int, room: int = 0) -> dict[str, int]:
    return {name: count for name, count in ((MEMORY, memory), (NO_ROOM, room)) if count}


def _refined(bare: Setting, coarse: Tried) -> Tried:
    """The layouts with most output tokens that meet the SLO, else the nearest to it, at fine loads."""
    rows = _first_layouts(coarse, REFINED)
    one_each = coarse.replica_at(rows)
    count = coarse.replicas[rows]
    limit = coarse.batch_limit[rows]
    grouped = bool(np.any(coarse.layout["prefill_instances"][rows] > 0))
    most = coarse.concurrency[rows] / count * BEYOND if grouped else limit
    loads = loads_between(lowest_load(one_each.decode) * one_each.decode_instances, most, FINE)
    every = np.repeat(np.arange(rows.size), FINE)
    return try_all(bare, replica_rows(one_each, every), loads.ravel(), limit[every])


def _first_layouts(coarse: Tried, count: int) -> Rows:
    """A row of each of the best layouts; of one layout the row with the largest load."""
    keeps = coarse.over_promise <= 1
    over = np.where(np.isnan(coarse.over_promise), np.inf, coarse.over_promise)
    score = np.where(keeps, coarse.tokens_per_s, -over)
    index, layouts = layout_index(coarse)
    best = np.full(layouts, -np.inf)
    np.maximum.at(best, index, np.where(np.isnan(score), -np.inf, score))
    first = np.argsort(-best, kind="stable")[:count]
    largest = np.lexsort((coarse.concurrency, index))
    return largest[np.searchsorted(index[largest], first, side="right") - 1]
