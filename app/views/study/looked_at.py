"""Extent of a search: designs evaluated, designs ruled out by each bound, and the gap of its answer."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from app.views.study.pods import BOUNDED, WORDS, GroupSearch
from app.views.study.report import Pruned, Searched
from app.views.study.search import Found, open_numbers


def searched(found: Found) -> Searched:
    """Designs evaluated, designs ruled out by each bound, and the gap of the answer."""
    space, places = found.space, len(found.space.sites) * len(found.space.terms)
    ruled_out: dict[str, int] = {}
    gap_floor = np.inf

    def rule_out(name: str, number: int) -> None:
        if number:
            ruled_out[name] = ruled_out.get(name, 0) + number

    for one in found.groups:
        for name, number in one.beyond.items():
            rule_out(name, number)
        left = open_numbers(found, one)
        passed = ~np.isin(one.counts, list(one.done)) & ~left
        for place, name in enumerate(BOUNDED, start=1):
            rule_out(name, int(np.count_nonzero(one.by[..., passed] == place)))
        alive, unknown = one.alive & passed, _unknown(found, one)
        rule_out("objective", int(np.count_nonzero(alive & ~unknown)))
        rule_out("unknown", int(np.count_nonzero(alive & unknown)))
        rule_out("not looked at", int(left.sum()) * places)
        beyond = _beyond(found, one) if one.unbounded else {}
        for name, number in beyond.items():
            rule_out(name, number * one.unbounded)
        if left.any() or beyond.get("not looked at"):
            gap_floor = min(gap_floor, _floor(found, one, left))
    evaluated = sum(pods.counts.size for pods in found.pods.values()) * places
    refused = sum(one.refused for one in found.groups) * places + len(found.refusals) * places * space.numbers
    if found.unbounded_groups:
        rule_out("not looked at", found.unbounded_groups * places * space.numbers)
        gap_floor = 0.0
    open_designs = ruled_out.get("not looked at", 0)
    best = min((float(found.best(one.index).min()) for one in found.groups), default=np.inf)
    gap = 0.0 if not open_designs else np.nan if not np.isfinite(best) else max(1 - gap_floor / best, 0.0)
    return Searched(
        designs=space.designs,
        evaluated=evaluated,
        refused=refused,
        pruned=tuple(
            Pruned(bound=name, words=WORDS[name], limit=_limit_of(found, name), designs=number)
            for name, number in ruled_out.items()
            if number
        ),
        layouts=found.layouts,
        exact=gap == 0,
        settled=not open_designs,
        gap=float(gap),
        smallest={
            f"{group_key(found, one.index)}/{site}/{term}": 0 if np.isinf(fewest) else int(fewest)
            for one in found.groups
            for site, row in zip(space.sites, found.fewest(one.index), strict=True)
            for term, fewest in zip(space.terms, row, strict=True)
        },
        search_time_s=time.perf_counter() - found.started,
    )


def _unknown(found: Found, one: GroupSearch) -> NDArray[np.bool_]:
    """Designs that cannot be ranked, as their best case of the objective is unknown."""
    least = one.least.get(found.objective)
    return np.zeros_like(one.alive) if least is None else np.isnan(least)


def _beyond(found: Found, one: GroupSearch) -> dict[str, int]:
    """Places and terms at which larger pods than those of the window can neither win nor be the fewest, by
    what says so.

    The last number of the window tells, as more SuperNodes cost more.
    """
    best, fewest = found.best(one.index), found.fewest(one.index)
    least = one.least.get(found.objective)
    if least is None or not one.counts.size:
        return {"not looked at": best.size}
    last, answered = least[..., -1], np.isfinite(fewest)
    unknown = answered & np.isnan(last)
    worse = answered & (last >= best)
    return {
        "objective": int(worse.sum()),
        "unknown": int(unknown.sum()),
        "not looked at": int((~worse & ~unknown).sum()),
    }


def _floor(found: Found, one: GroupSearch, left: NDArray[np.bool_]) -> float:
    """Lower bound of the objective over designs that were not evaluated.

    0 without bounds, infinite where none can be ranked.
    """
    least = one.least.get(found.objective)
    if least is None or not one.counts.size:
        return 0.0
    known = [least[..., left][one.alive[..., left]]] if left.any() else []
    if one.unbounded:
        known.append(np.ravel(least[..., -1]))
    return float(np.nan_to_num(np.concatenate(known), nan=np.inf).min(initial=np.inf)) if known else 0.0


def least_left(found: Found, below: float) -> float:
    """Lower bound of the objective over designs not evaluated that may be below a figure; infinite without
    one."""
    floors = [np.inf]
    for one in found.groups:
        least = one.least.get(found.objective)
        left = ~np.isin(one.counts, list(one.done))
        if one.unbounded:
            floors.append(_floor(found, one, left))
        if not left.any():
            continue
        open_ones = (one.alive & left) if least is None else (one.alive & left & (least < below))
        if open_ones.any():
            floors.append(0.0 if least is None else float(least[open_ones].min()))
    return min(floors)


def group_key(found: Found, index: int) -> str:
    """The choices of a group joined by slashes."""
    group = found.space.groups[index]
    size = "as_sold" if group.domain_size is None else str(group.domain_size)
    return "/".join((group.system, size, group.network, group.number_format or "workload"))


def _limit_of(found: Found, name: str) -> str:
    return next((bound.column.limit for bound in found.bounds if bound.column.key == name), "")
