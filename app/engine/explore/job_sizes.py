"""The same job on fewer and more SuperNodes, each with the best layout for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.engine.design import evaluate
from app.engine.evaluation import Evaluation
from app.engine.explore.layout_search import search_layouts
from app.engine.performance.space import Space
from app.engine.specs import Design

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
    """Evaluate a design at several numbers of SuperNodes, the job using every one of them as it does now.

    `others` are the same design under other frameworks: each size has the best layout of all of them.
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
