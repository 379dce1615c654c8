"""Trends as plain JSON: what grows how fast, beside the rates of others; and one trend with its projection."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from app.catalog.growth import Limit, Rate, growth_data
from app.catalog.lookup import Catalog
from app.engine.growth.projection import Crossing, crossing, project
from app.engine.growth.trend import (
    LEAST_ROWS,
    PROBABILITY,
    RESAMPLES,
    SEED,
    annual_factor,
    doubling_time_years,
    ends,
    fit,
    quantile_ends,
    r_squared,
    resampled,
)
from app.engine.trace import Array
from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.views.growth.series import SERIES, Material, Point, Series, material_of

HORIZON = 2030
"""The year of the published limits: no projection goes beyond it."""
STEPS_PER_YEAR = 4
QUARTILES = (0.25, 0.5, 0.75)
HARDWARE_SOURCE = "The catalog of accelerators and systems: /catalog names the source of every figure."
TRANSISTOR_SOURCE = "Data sheets and white papers, named row by row in seed_data/growth/transistors.csv."


class UnknownTrendError(LookupError):
    """There is no such trend; `nearest` are the most like it."""

    def __init__(self, key: str) -> None:
        self.nearest = nearest_names(key[:80], list(SERIES))
        super().__init__(f"There is no trend {shorten(key)}. Nearest: {self.nearest}.")


def trends_answer(catalog: Catalog) -> dict[str, Any]:
    """Every trend with its growth, doubling time, intervals, and the rates of others."""
    found = trends_of(catalog)
    return {
        "probability": PROBABILITY,
        "seed": SEED,
        "resamples": RESAMPLES,
        "items": [_summary(found, one) for one in found.fitted.values()],
        "mfu": mfu_answer(found),
    }


def trend_answer(catalog: Catalog, key: str) -> dict[str, Any]:
    """One trend: its points, its line with both bands to 2030, and the limits that it meets.

    Raises
    ------
    UnknownTrendError : no such trend
    """
    found = trends_of(catalog)
    if key not in found.fitted:
        raise UnknownTrendError(key)
    one = found.fitted[key]
    limits = _limits(found, one)
    return {
        **_summary(found, one),
        "points": [
            {"key": point.key, "name": point.name, "year": point.year, "value": point.value}
            for point in one.points
        ],
        "projection": _projection(one, limits),
        "limits": [_limit_answer(one, limit, binds=limit is limits[0]) for limit in limits],
    }


def mfu_answer(trends: Trends) -> dict[str, Any]:
    """Quartiles of the model FLOPs utilisation that runs report, each with its interval."""
    values = [one.figures["mfu"] for one in trends.material.data.models if "mfu" in one.figures]
    quartiles = np.quantile(values, QUARTILES)
    low, high = quantile_ends(np.array(values), QUARTILES)
    rate = next(one for one in trends.material.data.rates if one.shape == "quartiles")
    return {
        "n": len(values),
        "quartiles": [
            {"share": share, "value": float(value), "low": float(least), "high": float(most)}
            for share, value, least, most in zip(QUARTILES, quartiles, low, high, strict=True)
        ],
        "published": [rate.low, rate.central, rate.high],
        "published_source": rate.source,
        "source": trends.material.data.models_source,
    }


def _summary(trends: Trends, one: Fitted) -> dict[str, Any]:
    years = [point.year for point in one.points]
    return {
        "key": one.series.key,
        "name": one.series.name,
        "group": one.series.group,
        "unit": one.series.unit,
        "what": one.series.what,
        "n": len(one.points),
        "first_year": min(years) if years else None,
        "last_year": max(years) if years else None,
        "fit": _growth_answer(one.growth) if one.growth else None,
        "unknown": ""
        if one.growth
        else f"{len(one.points)} dated figures are too few: at least {LEAST_ROWS} are needed.",
        "rates": [_rate_answer(one, rate) for rate in one.rates],
        "differs": one.series.differs,
        "source": source_of(trends, one),
    }


def source_of(trends: Trends, one: Fitted) -> str:
    """Source of the points of a trend."""
    if one.series.group == "models":
        return trends.material.data.models_source
    return TRANSISTOR_SOURCE if one.series.key == "transistors" else HARDWARE_SOURCE


def _growth_answer(growth: Growth) -> dict[str, Any]:
    return {
        "annual_factor": growth.annual_factor,
        "low": growth.low,
        "high": growth.high,
        "doubling_years": _finite(growth.doubling_years),
        "doubling_low_years": _finite(growth.doubling_low),
        "doubling_high_years": _finite(growth.doubling_high),
        "r_squared": growth.r_squared,
    }


def _rate_answer(one: Fitted, rate: Rate) -> dict[str, Any]:
    found = agreement(one.growth, rate) if one.growth else "unknown"
    return {
        "key": rate.key,
        "quantity": rate.quantity,
        "annual_factor": rate.central,
        "low": rate.low,
        "high": rate.high,
        "probability": rate.probability,
        "doubling_years": _finite(doubling_of(rate.central)),
        "window": rate.window,
        "basis": rate.basis,
        "confidence": rate.confidence,
        "source": rate.source,
        "agreement": found,
        "says": _sentence(one, rate, found),
    }


def _sentence(one: Fitted, rate: Rate, found: str) -> str:
    """How the two rates stand to each other, and where they are apart, why."""
    if found == "within":
        return "Podwright's rate lies in the published interval."
    if found == "overlap":
        if rate.low is None:
            return "Theirs lies in our interval."
        return f"The intervals overlap; Podwright's rate lies outside the published one. {one.series.differs}"
    if found == "apart":
        said = "Theirs lies outside our interval." if rate.low is None else "The intervals do not overlap."
        return f"{said} {one.series.differs}"
    return "Too few figures of our own to compare."


def _limits(trends: Trends, one: Fitted) -> list[Limit]:
    """Limits of what the trend is of, the lowest first."""
    found = [limit for limit in trends.material.data.limits if limit.measure == one.series.measure]
    return sorted(found, key=lambda limit: limit.value)


def _projection(one: Fitted, limits: list[Limit]) -> dict[str, Any] | None:
    if one.growth is None:
        return None
    first = math.floor(one.years.min())
    grid = np.linspace(first, HORIZON, (HORIZON - first) * STEPS_PER_YEAR + 1)
    band = project(one.years, one.values, grid, limits[0].value if limits else math.inf)
    return {
        name: getattr(band, name).tolist() for name in ("years", "central", "low", "high", "least", "most")
    }


def _limit_answer(one: Fitted, limit: Limit, *, binds: bool) -> dict[str, Any]:
    met = crossing(one.years, one.values, limit.value) if one.growth else None
    return {
        "key": limit.key,
        "name": limit.name,
        "value": limit.value,
        "unit": limit.unit,
        "year": limit.year,
        "confidence": limit.confidence,
        "source": limit.source,
        "note": limit.note,
        "binds_first": binds,
        "met_year": _finite(float(met.year)) if met else None,
        "met_early": _finite(float(met.early)) if met else None,
        "met_late": _finite(float(met.late)) if met else None,
        "says": _when(limit, met),
    }


def _when(limit: Limit, met: Crossing | None) -> str:
    """When a trend meets a limit, in words."""
    if met is None:
        return "Too few figures to say when it is met."
    year = float(met.year)
    if not math.isfinite(year):
        return "The trend does not grow, so it is never met."
    late = float(met.late)
    between = f"{float(met.early):.1f} to {f'{late:.1f}' if math.isfinite(late) else 'never'}"
    if year > limit.year:
        return f"The trend stays below it until {limit.year}: it would be met in {year:.1f} ({between})."
    return f"The trend meets it in {year:.1f} ({between})."


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


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
    """A trend with its points. `growth` is None where there are too few."""

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
    """The doubling time of a growth per year, infinite for one that does not grow."""
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
