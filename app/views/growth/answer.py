"""Trends as plain JSON: what grows how fast, beside the rates of others; and one trend with its projection."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.catalog.growth import Limit, Rate
from app.catalog.lookup import Catalog
from app.engine.growth.bootstrap import LEAST_ROWS, PROBABILITY, RESAMPLES, SEED, quantile_ends
from app.engine.growth.projection import Crossing, crossing, project
from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.views.growth.fitted import Fitted, Growth, Trends, agreement, doubling_of, trends_of
from app.views.growth.series import SERIES

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
        return "Ours lies in their interval."
    if found == "overlap":
        if rate.low is None:
            return "Theirs lies in our interval."
        return f"The intervals overlap; ours lies outside theirs. {one.series.differs}"
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
