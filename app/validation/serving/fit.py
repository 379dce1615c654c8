"""Fitting the constants of serving to measured runs, and again without a part of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.validation.serving.constants import SPREADS, values_of
from app.validation.serving.left_out import Without
from app.validation.serving.residuals import LatencyResiduals, RateResiduals

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]

STEP = 1e-3
PASSES = 12
CHORDS = 4
"""Steps for each derivative of a fit without a part: it is near the whole fit, and derivatives change little."""
DAMPING = (1.0, 0.5, 0.25, 0.1)


class Fit:
    """The fit over measured latencies and rates. Values are held as logarithms over the priors."""

    def __init__(self, latencies: LatencyResiduals, rates: RateResiduals | None = None) -> None:
        self._parts: Sequence[LatencyResiduals | RateResiduals] = [latencies, *([rates] if rates else [])]

    def fitted(self, progress: Callable[[str], None] = lambda _: None) -> Numbers:
        """Values that fit best, priors being believed in: Gauss and Newton's steps, none of which may be worse."""
        at = np.zeros(len(SPREADS))
        everything = np.ones(len(self._residuals(at)), dtype=bool)
        for number in range(PASSES):
            before = _cost(self._residuals(at))
            at = self._step(at, self._derivative(at), everything)
            after = _cost(self._residuals(at))
            progress(f"pass {number + 1}: {after:.1f}")
            if before - after < 1e-4 * before:
                break
        return at

    def without(
        self, start: Numbers, parts: Sequence[Without], progress: Callable[[str], None] = lambda _: None
    ) -> dict[str, Mapping[str, float]]:
        """Constants fitted without each part, by its label, from the whole fit on."""
        first = self._derivative(start)
        found: dict[str, Mapping[str, float]] = {}
        for part in parts:
            progress(f"fitting without {part.label}")
            kept = np.concatenate(
                [
                    *(~part.members(one.words)[rows] for one in self._parts for rows in one.rows),
                    np.ones(len(SPREADS), dtype=bool),
                ]
            )
            at, slope = start, first
            for again in (True, False):
                for _ in range(CHORDS):
                    at = self._step(at, slope, kept)
                if again:
                    slope = self._derivative(at)
            found[part.label] = values_of(at)
        return found

    def _step(self, at: Numbers, slope: Numbers, kept: Mask) -> Numbers:
        """Towards where the rows that are kept fit best by these derivatives; no step where all are worse."""
        residuals = self._residuals(at)
        move = np.linalg.lstsq(slope[kept], residuals[kept], rcond=None)[0]
        cost = _cost(residuals[kept])
        for share in DAMPING:
            tried = at - share * move
            if _cost(self._residuals(tried)[kept]) < cost:
                return tried
        return at

    def _derivative(self, at: Numbers) -> Numbers:
        base = self._residuals(at)
        columns = []
        for number in range(len(at)):
            moved = at.copy()
            moved[number] += STEP
            columns.append((self._residuals(moved) - base) / STEP)
        found: Numbers = np.stack(columns, axis=1)
        return found

    def _residuals(self, numbers: Numbers) -> Numbers:
        constants = values_of(numbers)
        parts = [residual for part in self._parts for residual in part.residuals(constants)]
        return np.concatenate([*parts, numbers / SPREADS])


def _cost(residuals: Numbers) -> float:
    return float(residuals @ residuals)
