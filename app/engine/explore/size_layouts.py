"""The best layout of one job on machines of several sizes, as many accelerators in all.

Ways to split a job and what they hold in memory hang on the accelerators, and not on the domains that these stand in; what
differs is the exchange. All layouts are computed at one size; of every way to split the job its fastest variants are
computed at all sizes, those that are alike at once.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from app.engine.design import evaluate_fabric_of
from app.engine.explore.alike import alike
from app.engine.explore.layout_search import design_layouts, search_layouts, search_of
from app.engine.performance.layer_costs import layer_costs
from app.engine.performance.layouts import Layouts
from app.engine.performance.model_share import model_share
from app.engine.performance.section import bare_machines
from app.engine.performance.simplicity import TIE, simplest_first
from app.engine.performance.space import Space
from app.engine.performance.step_time import step_time_of
from app.engine.performance.strategy import Strategy
from app.engine.specs import Design, Layout
from app.engine.trace import median_of

VARIANTS = 3
"""Fastest layouts of a way to split that are looked at at every size."""
WAYS = (
    "tensor_parallel",
    "pipeline_parallel",
    "context_parallel",
    "expert_parallel",
    "shard_ranks",
    "pipeline_inside",
)


@dataclass(frozen=True, slots=True)
class _Pool:
    """Layouts of one framework that are looked at at every size."""

    framework: str
    strategy: Strategy
    roomy: NDArray[np.bool_]  # that leave the margin of memory free


def best_layouts(
    sizes: Sequence[Sequence[Design]], space: Space, known: dict[int, Hashable] | None = None
) -> list[Design]:
    """The design of each size with its best layout; where none of the pool fits, that of a search of all.

    Parameters
    ----------
    sizes : of each size the design under every framework that may run it
    known : forms of their records, as of `alike`
    """
    pools, known = _pools(sizes, space), {} if known is None else known
    times = np.full((len(sizes), sum(pool.strategy.size for pool in pools)), np.inf)
    start = 0
    for pool in pools:
        here = slice(start, start + pool.strategy.size)
        runs = [
            (place, one)
            for place, designs in enumerate(sizes)
            for one in designs
            if _name(one) == pool.framework
        ]
        for group, together in alike([one for _, one in runs], known):
            times[[runs[member][0] for member in group], here] = _step_times(together, pool)
        start = here.stop
    roomy = np.concatenate([np.empty(0, dtype=bool), *(pool.roomy for pool in pools)])
    left = np.where(roomy, times, np.inf)  # what leaves no margin runs where nothing else does
    times = np.where(np.isfinite(left).any(axis=1, keepdims=True), left, times)
    return [
        _best(designs, pools, row) or _of_all(designs, space)
        for designs, row in zip(sizes, times, strict=True)
    ]


def _of_all(designs: Sequence[Design], space: Space) -> Design:
    search = search_layouts(designs[0], space, designs[1:])
    return next(iter(search.designs_at(search.best(1))), designs[0])


def _pools(sizes: Sequence[Sequence[Design]], space: Space) -> list[_Pool]:
    """All layouts at the size whose domains allow the most layouts, and the fastest of each way to split."""
    used = median_of(sizes[0][0].pod.accelerators_used)
    domains = [median_of(designs[0].supernode.scale_up_domain_accelerators) for designs in sizes]
    place = int(np.argmax([domain if domain < used else 0 for domain in domains]))
    found = []
    for design in sizes[place]:
        layouts = design_layouts(design, space)
        (part,) = search_of([(design, layouts)]).parts
        one = part.computed
        margin = median_of(design.assumptions.rooms["performance"].memory_margin)
        fits = (one.memory_bytes <= one.memory_capacity_bytes) & (one.tier_excess_bytes <= 0)
        roomy = fits & (one.memory_bytes <= one.memory_capacity_bytes * (1 - margin))
        ranked = np.argsort(one.step_time_s, kind="stable")
        kept = [_kept(layouts, ranked[mine[ranked]]) for mine in (roomy, fits & ~roomy)]
        chosen = np.sort(np.concatenate(kept))
        if chosen.size:
            found.append(_Pool(_name(design), layouts.at(chosen), roomy[chosen]))
    return found


def _kept(layouts: Layouts, ranked: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of some layouts, the fastest first, the first of every way to split."""
    if not ranked.size:
        return ranked
    strategy = layouts.at(ranked)
    code = np.zeros(ranked.size, dtype=np.int64)  # a digit a degree, to the base of its largest value
    for name in WAYS:
        digits = getattr(strategy, name).astype(np.int64)
        code = code * (digits.max() + 1) + digits
    return ranked[_first_of_each(code, VARIANTS)]


def _first_of_each(codes: NDArray[np.int64], count: int) -> NDArray[np.intp]:
    """Places of the first ones of every distinct code.

    >>> _first_of_each(np.array([7, 5, 7, 7, 5]), 2)
    array([1, 4, 0, 2])
    """
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    rank = np.arange(order.size) - np.repeat(starts, np.diff(np.append(starts, order.size)))
    kept: NDArray[np.intp] = order[rank < count]
    return kept


def _step_times(design: Design, pool: _Pool) -> NDArray[np.float64]:
    """Step times of the layouts of a pool on every sample of a design, of shape (s, n); infinite where a tensor-parallel
    group would leave its domain.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        job, (machine,) = bare_machines(design, evaluate_fabric_of(design))
        strategy = pool.strategy
        costs = layer_costs(
            job=job, hardware=machine.hardware, shapes=strategy.shapes, assumptions=machine.assumptions
        )
        step = step_time_of(
            job=job,
            hardware=machine.hardware,
            costs=costs,
            strategy=strategy,
            share=model_share(job=job, strategy=strategy),
            assumptions=machine.assumptions,
        )
    inside = strategy.tensor_parallel <= design.supernode.scale_up_domain_accelerators
    time: NDArray[np.float64] = np.where(inside & np.isfinite(step.step_time_s), step.step_time_s, np.inf)
    return np.atleast_2d(time)


def _best(designs: Sequence[Design], pools: Sequence[_Pool], times: NDArray[np.float64]) -> Design | None:
    """The simplest of the layouts that tie with the fastest."""
    if not times.size or not np.isfinite(times.min()):
        return None
    tied = np.flatnonzero(times <= times.min() * (1 + TIE))
    tied = tied[np.argsort(times[tied], kind="stable")]
    names = [one.name for one in fields(Layout)]
    columns = {name: np.concatenate([getattr(pool.strategy, name) for pool in pools])[tied] for name in names}
    first = int(simplest_first(Layout(**columns))[0])
    ends = np.cumsum([pool.strategy.size for pool in pools])
    pool = pools[int(np.searchsorted(ends, tied[first], side="right"))]
    layout = Layout(**{name: values[first : first + 1] for name, values in columns.items()})
    return replace(next(one for one in designs if _name(one) == pool.framework), layout=layout)


def _name(design: Design) -> str:
    """The framework that runs a design; "" where it is of none."""
    return "" if design.framework is None else design.framework.name
