"""An exponential trend: the straight line through logarithms of figures against their dates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.quantities import quantity
from app.engine.trace import Array

LEAST_SQUARES = "[1] ordinary least squares on logarithms, as Epoch AI fits its trends, epoch.ai/data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A line, or as many as there are resamples: shape (), or (resamples,)."""

    mean_year: Array
    log_level: Array
    log_slope_per_year: Array

    def value(self, years: Array) -> Array:
        """Figures of the line; the years lie on the last axis."""
        return trend_value(
            years=years,
            mean_year=self.mean_year[..., None],
            log_level=self.log_level[..., None],
            log_slope_per_year=self.log_slope_per_year[..., None],
        )


@quantity(unit="1/year", source=LEAST_SQUARES)
def log_slope_per_year(*, years: Array, log_values: Array) -> Array:
    """Slope of logarithms: natural logarithms against years, along the last axis."""
    from_mean = years - years.mean(axis=-1, keepdims=True)
    above_mean = log_values - log_values.mean(axis=-1, keepdims=True)
    slope: Array = (from_mean * above_mean).sum(axis=-1) / (from_mean**2).sum(axis=-1)
    return slope


@quantity(unit="1", source="definition")
def annual_factor(*, log_slope_per_year: Array) -> Array:
    """Growth per year."""
    return np.exp(log_slope_per_year)


@quantity(unit="years", source="definition")
def doubling_time_years(*, annual_factor: Array) -> Array:
    """Time in which a trend doubles; below zero the time in which it halves."""
    years: Array = np.log(2) / np.log(annual_factor)
    return years


@quantity(unit="1", source="definition")
def r_squared(*, years: Array, log_values: Array) -> Array:
    """Share of the variance of the logarithms that the line explains."""
    from_mean = years - years.mean(axis=-1, keepdims=True)
    above_mean = log_values - log_values.mean(axis=-1, keepdims=True)
    shared: Array = (from_mean * above_mean).sum(axis=-1)
    apart: Array = (from_mean**2).sum(axis=-1) * (above_mean**2).sum(axis=-1)
    return shared**2 / apart


@quantity(unit="as the data", source="definition")
def trend_value(*, years: Array, mean_year: Array, log_level: Array, log_slope_per_year: Array) -> Array:
    """Figure of a trend in a year.

    Parameters
    ----------
    log_level : of the line in the mean year of its data
    """
    return np.exp(log_level + log_slope_per_year * (years - mean_year))


def fit(years: Array, values: Array) -> Trend:
    """The trend of dated figures, all above zero; resamples on the first axis are fitted each."""
    logs = np.log(values)
    return Trend(
        mean_year=years.mean(axis=-1),
        log_level=logs.mean(axis=-1),
        log_slope_per_year=log_slope_per_year(years=years, log_values=logs),
    )


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
