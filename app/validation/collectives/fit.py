"""Fitting the constants to measured collectives, and refitting them without some of them.

Least squares on the logarithm of predicted over measured time, each system counting the same, large errors
counting by their size (soft L1), priors being believed in weakly. The values that the catalog ships are the
result on the whole file, rounded.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import scipy
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.validation.collectives.batch import Batch, Numbers
from app.validation.collectives.constants import FITTED, Constant, room_of

Mask = NDArray[np.bool_]

SOFT = 0.15
"""Error, in logarithms, from which a row counts by its size and no longer by its square."""
STEP = np.full(len(FITTED), 1e-4)
PASSES = 40
ENOUGH = 1e-4
"""Relative gain of a pass at which the search ends."""


class Fit:
    """The fit over one batch. Values are held as logarithms over the priors."""

    def __init__(self, batch: Batch, catalog: Catalog) -> None:
        self._batch = batch
        self._spread = np.array([constant.spread for constant in FITTED])
        self._systems = np.array([case.system for case in batch.cases])
        sizes = Counter(self._systems.tolist())
        # Between all rows alike and all systems alike: a curve says more than a point, but not as often.
        weight = np.array([sizes[name] ** -0.5 for name in self._systems])
        self._weight = np.sqrt(weight / weight.mean())
        self._used = [_users(constant, batch, catalog) for constant in FITTED]

    def time_s(self, values: Numbers) -> Numbers:
        """Time of every collective with these values."""
        constants = list(self.named(values).values())
        overrides = {
            constant.assumption: self._batch.values[constant.assumption].copy() for constant in FITTED
        }
        for constant, used, value in zip(FITTED, self._used, constants, strict=True):
            overrides[constant.assumption][used] = value
        return self._batch.time_s(overrides)

    def fitted(self, without: Mask | None = None, start: Numbers | None = None) -> Numbers:
        """Values that fit the rows best; rows `without` are not looked at."""
        kept = np.ones(len(self._batch.cases), dtype=bool) if without is None else ~without
        found = scipy.optimize.least_squares(
            self._residuals,
            np.zeros(len(FITTED)) if start is None else start,
            args=(kept,),
            max_nfev=PASSES,
            diff_step=STEP,
            ftol=ENOUGH,
            xtol=ENOUGH,
        )
        return np.asarray(found.x, dtype=float)

    def left_out(self) -> Numbers:
        """Each row predicted with constants that were fitted without the rows of its system.

        The fit to all rows is only where the search begins.
        """
        predicted = np.full(len(self._batch.cases), np.nan)
        everything = self.fitted()
        for name in sorted(set(self._systems.tolist())):
            without = self._systems == name
            predicted[without] = self.time_s(self.fitted(without, everything))[without]
        return predicted

    def named(self, values: Numbers) -> dict[str, float]:
        """The constants themselves, by name; what narrows a row is a ratio to that row."""
        found: dict[str, float] = {}
        for constant, value in zip(FITTED, np.exp(values), strict=True):
            wider = 1.0 if constant.narrows is None else found[f"{constant.assumption}[{constant.narrows}]"]
            found[constant.name] = float(wider * constant.prior * value)
        return found

    def _residuals(self, values: Numbers, kept: Mask) -> Numbers:
        scaled = np.log(self.time_s(values) / self._batch.measured_s) / SOFT
        soft = np.sign(scaled) * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
        return np.concatenate([(soft * self._weight)[kept], values / self._spread])


def _users(constant: Constant, batch: Batch, catalog: Catalog) -> Mask:
    """The collectives that a constant holds for."""
    room = room_of(constant.assumption)
    rows = (catalog.assumption(room, constant.assumption, case.place.context) for case in batch.cases)
    return np.array([dict(row.applies_to) == constant.conditions for row in rows])
