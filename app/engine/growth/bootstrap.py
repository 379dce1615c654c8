"""How sure a trend is: the same fit on rows drawn again with replacement, from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.growth.trend import Trend, fit
from app.engine.trace import Array

SEED = 2030
RESAMPLES = 4000
PROBABILITY = 0.9
ENDS = ((1 - PROBABILITY) / 2, (1 + PROBABILITY) / 2)
LEAST_ROWS = 5
"""Fewer rows say nothing of how far they might be off."""


def drawn_rows(rows: int, *, seed: int = SEED, resamples: int = RESAMPLES) -> NDArray[np.intp]:
    """Rows of each resample, shape (resamples, rows)."""
    return np.random.default_rng(seed).integers(0, rows, size=(resamples, rows))


def resampled(years: Array, values: Array, *, seed: int = SEED, resamples: int = RESAMPLES) -> Trend:
    """The trend of every resample. One that drew a single date has no slope: it is not a number."""
    rows = drawn_rows(len(years), seed=seed, resamples=resamples)
    with np.errstate(divide="ignore", invalid="ignore"):
        return fit(years[rows], values[rows])


def ends(values: Array) -> tuple[Array, Array]:
    """The 90 % interval of resampled figures, along the first axis."""
    low, high = np.nanquantile(values, ENDS, axis=0)
    return low, high


def quantile_ends(
    values: Array, shares: tuple[float, ...], *, seed: int = SEED, resamples: int = RESAMPLES
) -> tuple[Array, Array]:
    """The 90 % interval of each quantile of undated figures."""
    drawn = np.quantile(values[drawn_rows(len(values), seed=seed, resamples=resamples)], shares, axis=1)
    return ends(drawn.T)
