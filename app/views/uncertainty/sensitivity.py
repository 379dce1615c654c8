"""Sensitivity of the figures: tornado, spider and Sobol indices."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.view import CatalogView
from app.engine.explore.job_sizes import evaluate_block
from app.engine.specs import Design
from app.engine.trace import Array
from app.engine.uncertainty.one_at_a_time import along_ranges, low_and_high, swing
from app.engine.uncertainty.sobol import indices
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.axes import scenario_with
from app.scenarios.sweeping.chunks import REFUSED
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.report import Progress, SobolShare, SpiderLine, TornadoBar

LEAST_SWING = 0.01
"""A range of the catalog that moves no figure by more than this between its ends is held."""
SPIDER_LINES = 6
SPIDER_SHARES = np.linspace(0, 1, 9)
MOST_SOBOL_INPUTS = 30
SOBOL_SAMPLES = 1024


def ends(inputs: Sequence[VaryingInput]) -> tuple[Array, Array, Array]:
    """Values as they are, low ends, high ends: each (inputs,)."""
    return (
        np.array([one.point for one in inputs]),
        np.array([one.distribution.low for one in inputs]),
        np.array([one.distribution.high for one in inputs]),
    )


def tornado_rows(inputs: Sequence[VaryingInput]) -> Array:
    """Designs that a tornado needs: (2 inputs + 1, inputs)."""
    typical, low, high = ends(inputs)
    return low_and_high(typical=typical, low=low, high=high)


def swings(found: Array) -> Array:
    """Swing of each figure by input: (figures, inputs), from figures at the rows of a tornado."""
    base, at_low, at_high = _parts(found)
    return swing(at_low=at_low, at_high=at_high, base=base)


def tornado(paths: Sequence[str], inputs: Sequence[VaryingInput], found: Array) -> Iterator[TornadoBar]:
    """The bars of each figure, the widest first; an input that does not move a figure has none."""
    _, at_low, at_high = _parts(found)
    widths = swings(found)
    for figure, path in enumerate(paths):
        for place in np.argsort(-widths[figure], kind="stable").tolist():
            if widths[figure, place] > 0:
                one = inputs[place]
                yield TornadoBar(
                    figure=path,
                    place=one.place,
                    low_value=one.distribution.low,
                    high_value=one.distribution.high,
                    at_low=_known(at_low[figure, place]),
                    at_high=_known(at_high[figure, place]),
                    swing=float(widths[figure, place]),
                )


def most_moving(widths: Array, count: int) -> list[int]:
    """Inputs that make the most of any figure's swings, in the order in which they stand."""
    squares = widths**2
    whole = squares.sum(axis=1, keepdims=True)
    part = np.max(np.divide(squares, whole, out=np.zeros_like(squares), where=whole > 0), axis=0)
    return sorted(np.argsort(-part, kind="stable")[:count].tolist())


def spider_rows(inputs: Sequence[VaryingInput]) -> Array:
    """Designs along the range of each input: (inputs x shares, inputs)."""
    typical, low, high = ends(inputs)
    whole = np.array([one.whole for one in inputs])
    rows = along_ranges(typical=typical, low=low, high=high, shares=SPIDER_SHARES)
    return np.where(whole, rows.round(), rows).reshape(len(inputs) * len(SPIDER_SHARES), len(inputs))


def spider(
    paths: Sequence[str], inputs: Sequence[VaryingInput], widths: Array, found: Array
) -> Iterator[SpiderLine]:
    """The lines of the inputs that move each figure most."""
    lines = found.reshape(len(paths), len(inputs), len(SPIDER_SHARES))
    for figure, path in enumerate(paths):
        for place in np.argsort(-widths[figure], kind="stable")[:SPIDER_LINES].tolist():
            if widths[figure, place] > 0:
                yield SpiderLine(
                    figure=path,
                    place=inputs[place].place,
                    shares=tuple(SPIDER_SHARES.tolist()),
                    values=tuple(_known(value) for value in lines[figure, place]),
                )


def sobol_shares(paths: Sequence[str], inputs: Sequence[VaryingInput], found: Array) -> Iterator[SobolShare]:
    """Indices of each figure, the largest part first.

    Parameters
    ----------
    found : (figures, inputs + 2, samples), at `saltelli_samples` of these inputs
    """
    for figure, path in enumerate(paths):
        first, total = indices(found[figure])
        for place in np.argsort(-total[0], kind="stable").tolist():
            yield SobolShare(
                figure=path,
                place=inputs[place].place,
                first=float(first[0, place]),
                first_low=float(first[1, place]),
                first_high=float(first[2, place]),
                total=float(total[0, place]),
                total_low=float(total[1, place]),
                total_high=float(total[2, place]),
            )


def _parts(found: Array) -> tuple[Array, Array, Array]:
    """As it is, at low ends and at high ends."""
    inputs = (found.shape[1] - 1) // 2
    return found[:, 0], found[:, 1 : inputs + 1], found[:, inputs + 1 :]


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


BLOCK = 4096


class Evaluated(NamedTuple):
    """Figures of designs, (outputs, rows), and `limits` as of `BlockFigures`, or REFUSED where none can be."""

    figures: Array
    limits: NDArray[np.uint8]


@dataclass(frozen=True)
class SampledDesign:
    """`design` is the scenario as it is; `scenario` its plain values, for what decides the structure."""

    design: Design
    scenario: dict[str, Any]
    catalog: CatalogView
    inputs: tuple[VaryingInput, ...]
    outputs: Sequence[str]
    _designs: dict[tuple[float, ...], Design | None] = field(default_factory=dict)

    @property
    def points(self) -> Array:
        """Every input as the scenario is evaluated."""
        return np.array([one.point for one in self.inputs])

    def evaluated(self, values: Array, before: Progress) -> Generator[Progress, None, Evaluated]:
        """Designs by their inputs (rows, inputs), a block at a time; after each it is told how far the work is.

        `before` is how far it was when these began.
        """
        figures = np.empty((len(self.outputs), len(values)))
        limits = np.empty(len(values), dtype=np.uint8)
        for start in range(0, len(values), BLOCK):
            rows = slice(start, start + BLOCK)
            figures[:, rows], limits[rows] = self.block(values[rows])
            done = min(start + BLOCK, len(values))
            yield Progress(done=before.done + done, total=max(before.total, len(values)))
        return Evaluated(figures, limits)

    def block(self, values: Array) -> Evaluated:
        """A few designs by their inputs (rows, inputs), at once."""
        figures = np.full((len(self.outputs), len(values)), np.nan)
        limits = np.full(len(values), REFUSED, dtype=np.uint8)
        structure = [place for place, one in enumerate(self.inputs) if one.levels]
        columns = {
            one.place: values[:, place]
            for place, one in enumerate(self.inputs)
            if not one.levels and (values[:, place] != one.point).any()
        }
        kinds, which = np.unique(values[:, structure], axis=0, return_inverse=True)
        for number, kind in enumerate(kinds):
            design = self._design([self.inputs[place] for place in structure], kind)
            rows = np.flatnonzero(which.ravel() == number)
            if design is not None:
                found = evaluate_block(
                    design, {at: column[rows] for at, column in columns.items()}, len(rows), self.outputs
                )
                figures[:, rows], limits[rows] = found.values, found.limits
        return Evaluated(figures, limits)

    def _design(self, structure: Sequence[VaryingInput], kind: Array) -> Design | None:
        """The design of a structure, resolved once; None where the scenario refuses it."""
        key = tuple(kind.tolist())
        if key not in self._designs:
            self._designs[key] = self._resolved(structure, key)
        return self._designs[key]

    def _resolved(self, structure: Sequence[VaryingInput], key: tuple[float, ...]) -> Design | None:
        if all(one.point == number for one, number in zip(structure, key, strict=True)):
            return self.design
        fields: Mapping[str, Any] = {
            one.field: int(number) if one.whole else number
            for one, number in zip(structure, key, strict=True)
        }
        try:
            return resolve(scenario_with(self.scenario, dict(fields)), self.catalog).design
        except ScenarioError:
            return None
