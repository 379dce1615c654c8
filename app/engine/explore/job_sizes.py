"""The same job on fewer and more SuperNodes, each with the best layout for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.design import evaluate, evaluate_sections
from app.engine.evaluation import Evaluation
from app.engine.explore.layout_search import search_layouts
from app.engine.explore.limits import IN_ORDER, LIMITS, broken_limits
from app.engine.leaves import leaves
from app.engine.performance.space import Space
from app.engine.specs import Assumptions, Design
from app.engine.trace import Array

MOST_TIMES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSize:
    """One pod, every SuperNode used by the job, with the best layout of the space."""

    supernodes: int
    design: Design
    evaluation: Evaluation
    strategies: int
    feasible_strategies: int
    rejected: dict[str, int]


def usual_sizes(supernodes: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, 16, ... SuperNodes up to four times as many as there are, those included.

    >>> usual_sizes(5)
    [1, 2, 3, 4, 5, 6, 8, 12, 16]
    """
    doubled = [2**power for power in range(64)]
    steps = {number for pair in ((one, one + one // 2) for one in doubled) for number in pair}
    return sorted({number for number in steps if number <= MOST_TIMES * supernodes} | {supernodes})


def job_sizes(
    design: Design, sizes: Sequence[int], space: Space, others: Sequence[Design] = ()
) -> list[JobSize]:
    """Evaluate a design at several numbers of SuperNodes, the job using every one as it does now.

    `others` are the same design under other frameworks: each size has the best layout of all.
    """
    return [_job_size(design, others, count, space) for count in sizes]


def _job_size(design: Design, others: Sequence[Design], count: int, space: Space) -> JobSize:
    supernodes = np.full(1, float(count))
    part = design.pod.domain_accelerators_used
    each = design.supernode.accelerators
    if part is not None:
        each = each / design.supernode.scale_up_domain_accelerators * part
    pod = replace(design.pod, supernodes=supernodes, accelerators_used=supernodes * each)
    sized, *beside = (replace(one, pod=pod, layout=None) for one in (design, *others))
    found = search_layouts(sized, space, beside)
    chosen = next(iter(found.designs_at(found.best(1))), sized)
    return JobSize(
        supernodes=count,
        design=chosen,
        evaluation=evaluate(chosen),
        strategies=found.strategies,
        feasible_strategies=found.feasible_strategies,
        rejected=found.rejected,
    )


LEAST_ROWS = 2
"""A block of one would be taken for a single design and computed over 8,760 hours, not over the binned year."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFigures:
    """Figures of a block: `values` of shape (outputs, designs); unknown, and absent, is NaN.

    `limits` is 0 for a feasible design, else the place in `LIMITS`, from 1, of the first that it breaks.
    """

    values: Array
    limits: NDArray[np.uint8]


def evaluate_block(
    design: Design, columns: Mapping[str, Array], count: int, outputs: Sequence[str]
) -> BlockFigures:
    """Evaluate designs that have their numbers in columns.

    Parameters
    ----------
    design : what all share
    columns : numbers by place in the design ("economics.wacc"), each of shape (count,)
    count : designs of the block [1]
    outputs : places of figures in the evaluation; each has one value a design

    Figures of a design are the same, bit for bit, in any block.
    """
    rows = max(count, LEAST_ROWS)
    for path, column in columns.items():
        design = with_number(design, path, np.resize(column, rows)[:, None])
    # Whether the year is taken hour by hour or in bins must not hang on what else varies, or on its values.
    rating_w = np.broadcast_to(design.supernode.max_power_w, (rows, 1))
    design = with_number(design, "supernode.max_power_w", rating_w)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        sections = evaluate_sections(design)
        broken = broken_limits(design, sections)
    found = dict(leaves(sections))
    values = np.stack([_column(found.get(path), rows) for path in outputs])
    limits = np.zeros(rows, dtype=np.uint8)
    for name in reversed(IN_ORDER):  # the first that is named is written last
        if name in broken:
            limits[np.broadcast_to(np.ravel(broken[name]), rows)] = LIMITS.index(name) + 1
    return BlockFigures(values=values[:, :count], limits=limits[:count])


def with_number(record: Any, path: str, value: Array) -> Any:
    """A frozen record with the number at a place of it put otherwise."""
    name, _, rest = path.partition(".")
    if isinstance(record, Assumptions):
        return Assumptions(rooms={**record.rooms, name: with_number(record.rooms[name], rest, value)})
    inside = with_number(getattr(record, name), rest, value) if rest else value
    return dataclasses.replace(record, **{name: inside})


def _column(figure: Array | None, rows: int) -> Array:
    """One value a design; NaN where these designs do not have the figure."""
    if figure is None:
        return np.full(rows, np.nan)
    column: Array = np.broadcast_to(np.ravel(figure), rows).astype(float)
    return column
