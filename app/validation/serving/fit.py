"""Fitting the constants of serving to measured runs, and again without a model or a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from app.validation.serving.constants import FITTED
from app.validation.serving.residuals import LatencyResiduals, RateResiduals

Numbers = NDArray[np.float64]

STEP = np.full(len(FITTED), 1e-3)
FIRST_PASSES, LATER_PASSES = 10, 5


class Fit:
    """The fit over measured latencies and rates. Values are held as logarithms over the priors."""

    def __init__(self, latencies: LatencyResiduals, rates: RateResiduals | None = None) -> None:
        self._parts: Sequence[LatencyResiduals | RateResiduals] = [latencies, *([rates] if rates else [])]
        self._latencies = latencies
        self._spread = np.array([constant.spread for constant in FITTED])

    def fitted(self, start: Numbers | None = None, without: str = "", passes: int = FIRST_PASSES) -> Numbers:
        """Values that fit best, priors being believed in; rows of the model or system `without` are not looked at."""
        found = scipy.optimize.least_squares(
            self._residuals,
            np.zeros(len(FITTED)) if start is None else start,
            args=(without,),
            max_nfev=passes,
            diff_step=STEP,
            x_scale=self._spread,
        )
        return np.asarray(found.x, dtype=float)

    def left_out(
        self, start: Numbers, progress: Callable[[str], None] = lambda _: None
    ) -> dict[str, Mapping[str, float]]:
        """Constants fitted without each model and each system, by its key."""
        labels = sorted({*self._latencies.family, *self._latencies.system})
        found: dict[str, Mapping[str, float]] = {}
        for label in labels:
            progress(f"fitting without {label}")
            found[str(label)] = named(self.fitted(start, str(label), LATER_PASSES))
        return found

    def _residuals(self, values: Numbers, without: str) -> Numbers:
        constants = named(values)
        parts = [
            residual
            for part in self._parts
            for residual in part.residuals(constants, (part.family == without, part.system == without))
        ]
        return np.concatenate([*parts, values / self._spread])


def named(values: Numbers) -> dict[str, float]:
    """The constants themselves, by name."""
    return {
        constant.name: float(constant.prior * np.exp(value))
        for constant, value in zip(FITTED, values, strict=True)
    }
