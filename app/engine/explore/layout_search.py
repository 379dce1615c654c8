"""Every layout of a job: the best ones, the Pareto front, what the space looks like and why the rest fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.design import evaluate
from app.engine.evaluation import Evaluation
from app.engine.fabric.section import evaluate_fabric
from app.engine.mixed import all_kinds, blended
from app.engine.performance.layouts import Layouts
from app.engine.performance.search import Computed, layout_of
from app.engine.performance.section import layouts_of, searched
from app.engine.performance.space import Space
from app.engine.performance.strategy import take
from app.engine.specs import Design, Layout

Positions = NDArray[np.intp]
By = Literal["step_time", "memory"]
SAMPLE_SHOWN = 400


class OfDegrees(NamedTuple):
    """The layouts of one pair of degrees; the last two are None where none can run."""

    tensor_parallel: int
    pipeline_parallel: int
    strategies: int
    feasible_strategies: int
    step_time_s: float | None  # of the fastest
    best: int | None  # where the fastest stands


@dataclass(frozen=True)
class LayoutSearch:
    """The layouts of one design, all of them computed."""

    design: Design
    layouts: Layouts
    computed: Computed

    @property
    def strategies(self) -> int:
        """How many were looked at."""
        return self.layouts.size

    @property
    def feasible_strategies(self) -> int:
        return int(self.fastest.size)

    @property
    def rejected(self) -> dict[str, int]:
        """How many fail, by the constraint: the largest part of a memory that is too small."""
        return self.computed.rejected

    @cached_property
    def fastest(self) -> Positions:
        """Layouts that can run, fastest first."""
        fits = np.flatnonzero(self.computed.fits)
        return fits[np.argsort(self.computed.step_time_s[fits], kind="stable")]

    def best(self, count: int, by: By = "step_time") -> Positions:
        """The best layouts, best first. Where none can run: the one that misses the memory by least."""
        if not self.fastest.size:
            nearest = self.computed.best()
            return np.array([] if nearest is None else [nearest], dtype=np.intp)
        if by == "memory":
            order = np.argsort(self.computed.memory_bytes[self.fastest], kind="stable")
            return self.fastest[order[:count]]
        return self.fastest[:count]

    @cached_property
    def front(self) -> Positions:
        """The Pareto front of step time and memory, fastest first: nothing is both faster and smaller."""
        time, needed = self.computed.step_time_s[self.fastest], self.computed.memory_bytes[self.fastest]
        # Of equally fast ones the smallest comes first, and the others behind it are no part of the front.
        order = self.fastest[np.lexsort((needed, time))]
        needed = self.computed.memory_bytes[order]
        least = np.concatenate([[np.inf], np.minimum.accumulate(needed)[:-1]]) if needed.size else needed
        return order[needed < least]

    @property
    def sample(self) -> Positions:
        """Layouts that can run, from the fastest to the slowest in even steps of rank."""
        return even_steps(self.fastest, SAMPLE_SHOWN)

    def by_degrees(self) -> Iterator[OfDegrees]:
        """What there is of every pair of tensor and pipeline parallelism."""
        distinct, index = self.layouts.grouped(("tensor_parallel", "pipeline_parallel"))
        looked_at = np.bincount(index, minlength=distinct.shape[1])
        fitting = np.bincount(index[self.fastest], minlength=distinct.shape[1])
        first = np.full(distinct.shape[1], -1)
        # Backwards, so that the fastest of a pair is written last.
        first[index[self.fastest[::-1]]] = self.fastest[::-1]
        for (tp, pp), count, fit, position in zip(distinct.T, looked_at, fitting, first, strict=True):
            found = int(position) if position >= 0 else None
            time = None if found is None else float(self.computed.step_time_s[found])
            yield OfDegrees(
                tensor_parallel=int(tp),
                pipeline_parallel=int(pp),
                strategies=int(count),
                feasible_strategies=int(fit),
                step_time_s=time,
                best=found,
            )

    def layouts_at(self, positions: Positions) -> list[Layout]:
        if not positions.size:
            return []
        strategy = self.layouts.at(positions)
        return [layout_of(take(strategy, slice(place, place + 1))) for place in range(positions.size)]

    def evaluated(self, positions: Positions) -> list[Evaluation]:
        """The whole evaluation of some layouts."""
        return [evaluate(replace(self.design, layout=layout)) for layout in self.layouts_at(positions)]


def even_steps(positions: Positions, most: int) -> Positions:
    """At most as many of them, in even steps, the first and the last among them."""
    if positions.size <= most:
        return positions
    return positions[np.linspace(0, positions.size - 1, most).astype(np.intp)]


def search_layouts(design: Design, space: Space) -> LayoutSearch:
    """Compute every layout of a space for a design, by the median of the samples."""
    return search_of(design, design_layouts(design, space))


def design_layouts(design: Design, space: Space) -> Layouts:
    """Every layout of a space for a design; none of them is computed yet.

    Raises
    ------
    TypeError : the design does not train a model, so it has no layout
    """
    return layouts_of(design.training, design.supernode, design.pod, space)


def search_of(design: Design, layouts: Layouts) -> LayoutSearch:
    """Compute some layouts of a design, by the median of the samples."""
    rooms = design.assumptions.rooms
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        kinds = all_kinds(design)
        mean = blended(design, kinds).supernode
        fabric = evaluate_fabric(supernode=mean, pod=design.pod, assumptions=rooms["fabric"])
        found = searched(design.training, mean, design.pod, fabric, rooms["performance"], layouts, kinds)
    return LayoutSearch(design=design, layouts=layouts, computed=found)
