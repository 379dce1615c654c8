"""The designs of a sweep by index: which values each has.

Structure varies slowest, whatever the order of the axes, so that designs that can be evaluated together stand
together: a run. Axes that are columns of numbers vary within a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy
from numpy.typing import NDArray

from app.engine.trace import Array
from app.scenarios.sweeping.axes import Axis
from app.scenarios.sweeping.document import SampleDocument

Indices = NDArray[np.intp]


class Points(Protocol):
    """Values by field and index. `structure` and `columns` are the axes of each kind."""

    @property
    def structure(self) -> tuple[Axis, ...]: ...

    @property
    def columns(self) -> tuple[Axis, ...]: ...

    @property
    def count(self) -> int: ...

    def run_starts(self) -> Indices:
        """Indices at which a run of equal structure begins, in order."""
        ...

    def values(self, axis: Axis, start: int, stop: int) -> NDArray[Any]:
        """Values of an axis, of the designs from `start` up to `stop`."""
        ...


@dataclass(frozen=True)
class Crossed:
    """Every combination; the last axis of each kind varies fastest."""

    structure: tuple[Axis, ...]
    columns: tuple[Axis, ...]

    @property
    def count(self) -> int:
        return math.prod(self._sizes)

    def run_starts(self) -> Indices:
        width = math.prod(len(axis.levels) for axis in self.columns)
        return np.arange(0, self.count, width)

    def values(self, axis: Axis, start: int, stop: int) -> NDArray[Any]:
        axes = (*self.structure, *self.columns)
        place = axes.index(axis)
        stride = math.prod(self._sizes[place + 1 :])
        chosen = np.arange(start, stop) // stride % len(axis.levels)
        return level_array(axis)[chosen]

    @property
    def _sizes(self) -> list[int]:
        return [len(axis.levels) for axis in (*self.structure, *self.columns)]


@dataclass(frozen=True)
class Sampled:
    """A seeded sample, ordered by structure; `table` holds levels by place and numbers as they are."""

    structure: tuple[Axis, ...]
    columns: tuple[Axis, ...]
    table: dict[str, Array]

    @property
    def count(self) -> int:
        return len(next(iter(self.table.values())))

    def run_starts(self) -> Indices:
        changed = np.zeros(self.count, dtype=bool)
        changed[0] = True
        for axis in self.structure:
            changed[1:] |= np.diff(self.table[axis.field]) != 0
        return np.flatnonzero(changed)

    def values(self, axis: Axis, start: int, stop: int) -> NDArray[Any]:
        drawn = self.table[axis.field][start:stop]
        return level_array(axis)[drawn.astype(np.intp)] if axis.levels else drawn


def sampled(sample: SampleDocument, structure: Sequence[Axis], columns: Sequence[Axis]) -> Sampled:
    """Draw a sample. Axes are drawn in the order of their fields, so that theirs in the document plays no part."""
    axes = sorted((*structure, *columns), key=lambda axis: axis.field)
    shares = _shares(sample, len(axes))
    table = {axis.field: _drawn(axis, shares[:, place]) for place, axis in enumerate(axes)}
    if structure:
        order = np.lexsort([table[axis.field] for axis in reversed(structure)])
        table = {field: drawn[order] for field, drawn in table.items()}
    return Sampled(tuple(structure), tuple(columns), table)


def runs(points: Points) -> Iterator[tuple[int, int]]:
    """Start and end of every run, in order."""
    starts = points.run_starts().tolist()
    yield from zip(starts, [*starts[1:], points.count], strict=True)


def level_array(axis: Axis) -> NDArray[Any]:
    """Levels as an array that keeps what they are: numbers as numbers, anything else as it was written."""
    if axis.numeric:
        return np.array(axis.levels)
    levels = np.empty(len(axis.levels), dtype=object)
    levels[:] = axis.levels
    return levels


def _shares(sample: SampleDocument, axes: int) -> Array:
    """Points of the unit cube, of shape (count, axes)."""
    if sample.kind == "latin_hypercube":
        drawn: Array = scipy.stats.qmc.LatinHypercube(axes, rng=np.random.default_rng(sample.seed)).random(
            sample.count
        )
        return drawn
    # A Sobol sequence is drawn to a power of two, and its beginning is taken.
    sequence = scipy.stats.qmc.Sobol(axes, rng=np.random.default_rng(sample.seed))
    found: Array = sequence.random_base2(max(sample.count - 1, 0).bit_length())[: sample.count]
    return found


def _drawn(axis: Axis, shares: Array) -> Array:
    if not axis.levels:
        return axis.at(shares)
    return np.minimum(np.floor(shares * len(axis.levels)), len(axis.levels) - 1)
