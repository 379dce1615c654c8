"""Fitting the constants to measured runs, and refitting them without some of the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.validation.training.batch import Batch, Numbers
from app.validation.training.constants import FITTED, chosen_condition, shipped_values

Mask = NDArray[np.bool_]

SOFT = 0.08
"""Error, in logarithms, from which a run counts by its size and no longer by its square."""
STEP = 1e-3
FIRST_PASSES, LATER_PASSES = 20, 4


class Fit:
    """The fit over one batch. Values are held as logarithms over the priors."""

    def __init__(self, batch: Batch, catalog: Catalog) -> None:
        self._batch = batch
        self._prior = np.array([constant.prior for constant in FITTED])
        self._spread = np.array([constant.spread for constant in FITTED])
        self._used, self._plain = _places(batch, catalog)
        self._apart = _apart(self._used)
        self._without: dict[bytes, Numbers] = {}  # values by the runs that were not looked at
        families = Counter(case.row.family for case in batch.cases)
        # Each source counts the same, however many runs it published.
        share = len(batch.cases) / max(len(families), 1)
        self._weight = np.array([np.sqrt(share / families[case.row.family]) for case in batch.cases])
        shipped = shipped_values(catalog)
        self.shipped = np.log([shipped[constant.name] / constant.prior for constant in FITTED])

    def predicted(self, values: Numbers) -> Numbers:
        """Tokens a second and accelerator of every run with these values."""
        return self._batch.tokens_per_s(self._overrides(values))

    def fitted(
        self, start: Numbers | None = None, without: Mask | None = None, passes: int = FIRST_PASSES
    ) -> Numbers:
        """Values that fit the runs best, priors being believed in; runs `without` are not looked at."""
        kept = np.ones(len(self._batch.cases), dtype=bool) if without is None else ~without
        begin = np.zeros(len(FITTED)) if start is None else start
        found = scipy.optimize.least_squares(
            self._residuals, begin, jac=self._slopes, args=(kept,), max_nfev=passes
        )
        return np.asarray(found.x, dtype=float)

    def left_out(self, *labelings: Sequence[str]) -> Numbers:
        """Each run predicted with constants that were fitted without the runs that share any label with it."""
        predicted = np.full(len(self._batch.cases), np.nan)
        names = [np.array(labels) for labels in labelings]
        for group in sorted(set(zip(*labelings, strict=True))):
            same = [labels == label for labels, label in zip(names, group, strict=True)]
            without = np.logical_or.reduce(same)
            values = self._without.get(without.tobytes())
            if values is None:  # a source that used one accelerator alone is left out like both
                values = self.fitted(self.shipped, without, LATER_PASSES)
                self._without[without.tobytes()] = values
            members = np.logical_and.reduce(same)
            predicted[members] = self.predicted(values)[members]
        return predicted

    def named(self, values: Numbers) -> dict[str, float]:
        """The constants themselves, by name."""
        return {
            constant.name: float(value)
            for constant, value in zip(FITTED, self._prior * np.exp(values), strict=True)
        }

    def _overrides(self, values: Numbers) -> dict[str, Numbers]:
        constants = self._prior * np.exp(values)
        overrides = {name: plain.copy() for name, plain in self._plain.items()}
        for position, (constant, used) in enumerate(zip(FITTED, self._used, strict=True)):
            overrides[constant.assumption][used] = constants[position]
        return overrides

    def _slopes(self, values: Numbers, kept: Mask) -> Numbers:
        """How each residual changes with each constant; those that no run shares are moved in one pass."""
        runs = int(kept.sum())
        plain = self._residuals(values, kept)[:runs]
        slopes = np.zeros((runs + len(values), len(values)))
        slopes[runs:] = np.diag(1 / self._spread)
        for together in self._apart:
            moved = values.copy()
            moved[together] += STEP
            change = (self._residuals(moved, kept)[:runs] - plain) / STEP
            for constant in together:
                slopes[:runs, constant] = np.where(self._used[constant][kept], change, 0.0)
        return slopes

    def _residuals(self, values: Numbers, kept: Mask) -> Numbers:
        error = np.log(self.predicted(values) / self._batch.measured)
        # A run that cannot be computed is an error of e cubed, not nothing.
        scaled = np.nan_to_num(error, nan=3.0) / SOFT
        soft = np.sign(scaled) * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
        return np.concatenate([(soft * self._weight)[kept], values / self._spread])


def _apart(used: Sequence[Mask]) -> list[list[int]]:
    """The constants in groups that no run uses two of."""
    groups: list[list[int]] = []
    taken: list[Mask] = []
    for constant, runs in enumerate(used):
        for group, together in enumerate(taken):
            if not (together & runs).any():
                groups[group].append(constant)
                taken[group] = together | runs
                break
        else:
            groups.append([constant])
            taken.append(runs)
    return groups


def _places(batch: Batch, catalog: Catalog) -> tuple[list[Mask], dict[str, Numbers]]:
    """Which runs use each constant, and the values of its assumption in the runs that use another row."""
    names = {constant.assumption for constant in FITTED}
    plain: dict[str, Numbers] = {}
    rows: dict[str, list[dict[str, str]]] = {}
    for name in names:
        plain[name] = np.array(
            [getattr(case.design.assumptions.rooms["performance"], name)[0] for case in batch.cases]
        )
        rows[name] = [chosen_condition(catalog, name, case.context) for case in batch.cases]
    used = [
        np.array([row == constant.conditions for row in rows[constant.assumption]], dtype=bool)
        for constant in FITTED
    ]
    return used, plain
