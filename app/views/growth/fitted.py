"""Trends fitted: growth a year and doubling time with 90 % intervals, and how they stand to the rates of others."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.catalog.growth import Rate, growth_data
from app.catalog.lookup import Catalog
from app.engine.growth.bootstrap import LEAST_ROWS, ends, resampled
from app.engine.growth.trend import annual_factor, doubling_time_years, fit, r_squared
from app.engine.trace import Array
from app.views.growth.material import Material, Point, material_of
from app.views.growth.series import SERIES, Series

CATALOGS_KEPT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Growth rate of a trend. A doubling time is infinite where its trend may not grow at all."""

    annual_factor: float
    low: float
    high: float
    r_squared: float

    @property
    def doubling_years(self) -> float:
        return doubling_of(self.annual_factor)

    @property
    def doubling_low(self) -> float:
        return doubling_of(self.high)

    @property
    def doubling_high(self) -> float:
        return doubling_of(self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A trend with its points. `growth` is None where there are too few of them."""

    series: Series
    points: tuple[Point, ...]
    growth: Growth | None
    rates: tuple[Rate, ...]

    @property
    def years(self) -> Array:
        return np.array([point.year for point in self.points])

    @property
    def values(self) -> Array:
        return np.array([point.value for point in self.points])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trends:
    """Every trend of a catalog, and what they were fitted to."""

    material: Material
    fitted: dict[str, Fitted]


@lru_cache(maxsize=CATALOGS_KEPT)
def trends_of(catalog: Catalog) -> Trends:
    """All trends, fitted once for each catalog."""
    material = material_of(catalog, growth_data())
    return Trends(
        material=material, fitted={key: _fitted(series, material) for key, series in SERIES.items()}
    )


def agreement(growth: Growth, rate: Rate) -> str:
    """Agreement of a fit with a published rate: within its interval, overlapping it, or apart from it.

    A rate that comes without an interval agrees where it lies in ours.
    """
    if rate.low is None or rate.high is None:
        return "overlap" if growth.low <= rate.central <= growth.high else "apart"
    if rate.low <= growth.annual_factor <= rate.high:
        return "within"
    return "overlap" if growth.low <= rate.high and rate.low <= growth.high else "apart"


def doubling_of(factor: float) -> float:
    """The doubling time of a growth a year, infinite for one that does not grow."""
    return float(doubling_time_years(annual_factor=np.array(factor))) if factor > 1 else math.inf


def _fitted(series: Series, material: Material) -> Fitted:
    points = tuple(point for point in series.points(material) if point.year >= series.since)
    return Fitted(
        series=series,
        points=points,
        growth=_growth(points),
        rates=tuple(_rates(material, series.key)),
    )


def _rates(material: Material, key: str) -> Iterator[Rate]:
    return (rate for rate in material.data.rates if rate.trend == key)


def _growth(points: tuple[Point, ...]) -> Growth | None:
    if len(points) < LEAST_ROWS or len({point.year for point in points}) < 2:
        return None
    years = np.array([point.year for point in points])
    values = np.array([point.value for point in points])
    slopes = (fit(years, values).log_slope_per_year, *ends(resampled(years, values).log_slope_per_year))
    central, low, high = (float(annual_factor(log_slope_per_year=slope)) for slope in slopes)
    return Growth(
        annual_factor=central,
        low=low,
        high=high,
        r_squared=float(r_squared(years=years, log_values=np.log(values))),
    )
