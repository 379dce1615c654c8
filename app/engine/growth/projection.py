"""Where a trend leads: a band of years to come, never above a limit, and when the limit is met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.growth.trend import ENDS, SEED, Trend, ends, fit, resampled
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A trend over years. `low` and `high` hold the line in 90 % of cases, `least` and `most` a figure."""

    years: Array
    central: Array
    low: Array
    high: Array
    least: Array
    most: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The year in which a trend meets a limit, with its 90 % interval; infinite where it never does."""

    year: Array
    early: Array
    late: Array


@quantity(unit="as the data", source="definition")
def capped(*, value: Array, limit: Array) -> Array:
    """A projection as far as a limit lets it grow."""
    return np.minimum(value, limit)


@quantity(unit="year", source="definition")
def crossing_year(*, limit: Array, mean_year: Array, log_level: Array, log_slope_per_year: Array) -> Array:
    """Year in which a trend meets a limit."""
    return mean_year + (np.log(limit) - log_level) / log_slope_per_year


def project(years: Array, values: Array, grid: Array, limit: float = np.inf, *, seed: int = SEED) -> Band:
    """The trend of dated figures over a grid of years.

    The band of the line comes from the resampled fits; that of single figures adds to each of these a
    residual of the data, drawn again.
    """
    best = fit(years, values)
    lines = resampled(years, values, seed=seed)
    residuals = np.log(values) - np.log(best.value(years))
    scatter = np.random.default_rng(seed + 1).choice(residuals, size=len(lines.log_level))
    fitted = lines.value(grid)
    top = np.array(limit)
    low, high = ends(fitted)
    least, most = ends(fitted * np.exp(scatter)[:, None])
    central = best.value(grid)
    return Band(
        years=grid,
        central=capped(value=central, limit=top),
        low=capped(value=low, limit=top),
        high=capped(value=high, limit=top),
        least=capped(value=least, limit=top),
        most=capped(value=most, limit=top),
    )


def crossing(years: Array, values: Array, limit: float, *, seed: int = SEED) -> Crossing:
    """When the trend of dated figures meets a limit."""
    met = np.sort(_met(resampled(years, values, seed=seed), limit))  # those that never do come last
    early, late = (met[round(share * (len(met) - 1))] for share in ENDS)
    return Crossing(year=_met(fit(years, values), limit), early=early, late=late)


def _met(trend: Trend, limit: float) -> Array:
    """Only a trend that rises meets what lies above it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = crossing_year(
            limit=np.array(limit),
            mean_year=trend.mean_year,
            log_level=trend.log_level,
            log_slope_per_year=trend.log_slope_per_year,
        )
    return np.where(trend.log_slope_per_year > 0, found, np.inf)
