"""Every layout of a job: the best ones, the Pareto front, what the space looks like and why the rest fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.design import evaluate
from app.engine.evaluation import Evaluation
from app.engine.fabric.section import evaluate_fabric
from app.engine.mixed import all_kinds, blended
from app.engine.performance.layouts import Layouts
from app.engine.performance.search import Computed
from app.engine.performance.section import fastest_searched, layouts_of, searched
from app.engine.performance.simplicity import TIE, simplest_first
from app.engine.performance.space import Space
from app.engine.specs import Design, Layout
from app.engine.trace import Array

Positions = NDArray[np.intp]
By = Literal["step_time", "memory"]
SAMPLE_SHOWN = 400
MARGIN = "memory margin"


class OfDegrees(NamedTuple):
    """The layouts of one pair of degrees; the last two are None where none can run."""

    tensor_parallel: int
    pipeline_parallel: int
    strategies: int
    feasible_strategies: int
    step_time_s: float | None  # of the fastest
    best: int | None  # where the fastest stands


class Answer(NamedTuple):
    """Layouts that tie: the simplest of them, and its variants, the simplest first."""

    first: int
    variants: Positions


@dataclass(frozen=True)
class _Part:
    """The layouts that one framework runs, with the assumptions that hold for it; `start` is where they stand."""

    design: Design
    layouts: Layouts
    computed: Computed
    start: int


@dataclass(frozen=True)
class LayoutSearch:
    """The layouts of one design, all computed: those of each framework that may run it, one after another."""

    parts: tuple[_Part, ...]

    @property
    def strategies(self) -> int:
        """Number of rows considered."""
        return sum(part.layouts.size for part in self.parts)

    @property
    def feasible_strategies(self) -> int:
        return int(self.fastest.size)

    @property
    def rejected(self) -> dict[str, int]:
        """Number of failures by constraint: the largest part of a memory that is too small."""
        return self.computed.rejected

    @property
    def refused(self) -> dict[str, int]:
        """Number of further layouts that a framework does not run, by the first rule that each violates."""
        return {
            f"{part.design.framework.name}: {rule}": count
            for part in self.parts
            if part.design.framework is not None
            for rule, count in part.layouts.refused.items()
        }

    @cached_property
    def computed(self) -> Computed:
        """Of all layouts, in the order of the frameworks."""
        each = [part.computed for part in self.parts]
        if len(each) == 1:
            return each[0]
        rejected: dict[str, int] = {}
        for one in each:
            for name, count in one.rejected.items():
                rejected[name] = rejected.get(name, 0) + count
        # Where some layout leaves the margin of memory, one that does not is rejected, whatever its framework.
        margin = max(one.margin for one in each)
        close = sum(int(np.count_nonzero(one.fits)) for one in each if one.margin < margin)
        if close:
            rejected[MARGIN] = rejected.get(MARGIN, 0) + close
        return Computed(
            step_time_s=np.concatenate([one.step_time_s for one in each]),
            memory_bytes=np.concatenate([one.memory_bytes for one in each]),
            tier_excess_bytes=np.concatenate([one.tier_excess_bytes for one in each]),
            memory_capacity_bytes=np.concatenate(
                [np.broadcast_to(one.memory_capacity_bytes, one.step_time_s.shape) for one in each]
            ),
            margin=margin,
            rejected=rejected,
        )

    @cached_property
    def fastest(self) -> Positions:
        """Layouts that can run, fastest first."""
        fits = np.flatnonzero(self.computed.fits)
        return fits[np.argsort(self.computed.step_time_s[fits], kind="stable")]

    def best(self, count: int, by: By = "step_time") -> Positions:
        """The first of each of the best answers. Where none can run: the one that misses the memory by least."""
        return np.array([answer.first for answer in self.answers(count, by)], dtype=np.intp)

    def answers(self, count: int, by: By = "step_time") -> list[Answer]:
        """The best answers, best first: layouts whose step time ties with a better one are its variants.

        By memory, those that need as much, and are slower, are no answers of their own. Where none can run: the one
        that misses the memory by least.
        """
        if not self.fastest.size:
            nearest = self.computed.nearest()
            return [] if nearest is None else [Answer(nearest, np.array([], dtype=np.intp))]
        figure, ranked = self.computed.step_time_s, self.fastest
        if by == "memory":
            figure = self.computed.memory_bytes
            ranked = self.fastest[np.argsort(figure[self.fastest], kind="stable")]
        values = figure[ranked]
        found: list[Answer] = []
        start = 0
        while len(found) < count and start < ranked.size:
            end = int(np.searchsorted(values, values[start] * (1 + TIE), side="right"))
            alike = ranked[start:end]
            times = self.computed.step_time_s[alike]
            tied = alike[times <= times.min() * (1 + TIE)]
            tied = tied[np.argsort(self.computed.step_time_s[tied], kind="stable")]
            ordered = tied[simplest_first(self._layouts_at(tied))]
            found.append(Answer(int(ordered[0]), ordered[1:]))
            start = end
        return found

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
        each = [part.layouts.grouped(("tensor_parallel", "pipeline_parallel")) for part in self.parts]
        distinct, place = np.unique(
            np.concatenate([pairs for pairs, _ in each], axis=1), axis=1, return_inverse=True
        )
        ends = np.cumsum([0, *(pairs.shape[1] for pairs, _ in each)])
        index = np.concatenate(
            [place.ravel()[first + group] for first, (_, group) in zip(ends, each, strict=False)]
        )
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

    def columns_at(self, positions: Positions) -> dict[str, Array]:
        """The fields of some layouts, their data-parallel replicas among them."""
        names = [*(one.name for one in fields(Layout)), "data_parallel"]
        columns = {name: np.empty(positions.size) for name in names}
        for part, mine in self._split(positions):
            strategy = part.layouts.at(positions[mine] - part.start)
            for name, values in columns.items():
                values[mine] = getattr(strategy, name)
        return columns

    def _layouts_at(self, positions: Positions) -> Layout:
        columns = self.columns_at(positions)
        return Layout(**{one.name: columns[one.name] for one in fields(Layout)})

    def frameworks_at(self, positions: Positions) -> list[str]:
        """Names of the frameworks that run some layouts; empty where the design is of no framework."""
        found = np.full(positions.size, "", dtype=object)
        for part, mine in self._split(positions):
            found[mine] = "" if part.design.framework is None else part.design.framework.name
        return [str(one) for one in found]

    def designs_at(self, positions: Positions) -> list[Design]:
        """The design with some layouts, each by the assumptions of the framework that runs it."""
        columns = self.columns_at(positions)
        designs: list[Design] = [self.parts[0].design] * positions.size
        for part, mine in self._split(positions):
            for place in mine:
                values = {one.name: columns[one.name][place : place + 1] for one in fields(Layout)}
                designs[place] = replace(part.design, layout=Layout(**values))
        return designs

    def evaluated(self, positions: Positions) -> list[Evaluation]:
        """The whole evaluation of some layouts."""
        return [evaluate(design) for design in self.designs_at(positions)]

    def _split(self, positions: Positions) -> Iterator[tuple[_Part, Positions]]:
        """The parts with what of some positions lies in each."""
        for part in self.parts:
            inside = (positions >= part.start) & (positions < part.start + part.layouts.size)
            if inside.any():
                yield part, np.flatnonzero(inside)


def even_steps(positions: Positions, most: int) -> Positions:
    """At most as many, in even steps, the first and the last among them."""
    if positions.size <= most:
        return positions
    return positions[np.linspace(0, positions.size - 1, most).astype(np.intp)]


def search_layouts(design: Design, space: Space, others: Sequence[Design] = ()) -> LayoutSearch:
    """Compute every layout of a space for a design, by the median of the samples.

    `others` are the same design under other frameworks; the search covers them too.
    """
    return search_of([(one, design_layouts(one, space)) for one in (design, *others)])


def design_layouts(design: Design, space: Space) -> Layouts:
    """Every layout of a space for a design that its framework runs; none is computed yet.

    Raises
    ------
    TypeError : the design does not train a model, so it has no layout
    """
    return layouts_of(design.training, design.supernode, design.pod, space, design.framework)


def search_of(pairs: Sequence[tuple[Design, Layouts]]) -> LayoutSearch:
    """Compute some layouts of a design, by framework and by the median of the samples."""
    parts: list[_Part] = []
    start = 0
    for design, layouts in pairs:
        rooms = design.assumptions.rooms
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            kinds = all_kinds(design)
            mean = blended(design, kinds).supernode
            fabric = evaluate_fabric(supernode=mean, pod=design.pod, assumptions=rooms["fabric"])
            found = searched(design.training, mean, design.pod, fabric, rooms["performance"], layouts, kinds)
        parts.append(_Part(design=design, layouts=layouts, computed=found, start=start))
        start += layouts.size
    return LayoutSearch(parts=tuple(parts))


def fastest_layout(design: Design, space: Space, others: Sequence[Design] = ()) -> LayoutSearch:
    """The fastest layout, the same that `search_layouts` finds.

    Layouts that cannot be the fastest are not computed.
    """
    parts: list[_Part] = []
    start, within_s = 0, np.inf
    for one in (design, *others):
        if all_kinds(one):
            return search_layouts(design, space, others)
        layouts, rooms = design_layouts(one, space), one.assumptions.rooms
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            fabric = evaluate_fabric(supernode=one.supernode, pod=one.pod, assumptions=rooms["fabric"])
            found, within_s = fastest_searched(
                one.training, one.supernode, one.pod, fabric, rooms["performance"], layouts, within_s
            )
        parts.append(_Part(design=one, layouts=layouts, computed=found, start=start))
        start += layouts.size
    return LayoutSearch(parts=tuple(parts))
