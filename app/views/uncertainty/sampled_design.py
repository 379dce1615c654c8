"""The design of a scenario as a function of its uncertain inputs, evaluated in blocks."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.view import CatalogView
from app.engine.explore.blocks import evaluate_block
from app.engine.specs import Design
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.axes import scenario_with
from app.scenarios.sweeping.chunks import REFUSED
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.report import Progress

BLOCK = 4096


class Evaluated(NamedTuple):
    """Figures of designs, (outputs, rows), and `limits` as of `BlockFigures`, or REFUSED where none can be."""

    figures: Array
    limits: NDArray[np.uint8]


@dataclass(frozen=True)
class SampledDesign:
    """`design` is the scenario as it stands; `scenario` its plain values, for what decides the structure."""

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
