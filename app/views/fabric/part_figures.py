"""Figures and prices of catalog parts as plain numbers: NaN where nobody published one."""

from __future__ import annotations

import math

import numpy as np

from app.catalog.values import Part, Price
from app.engine.fabric.media.medium import PriceRange
from app.engine.trace import Array


def price_range(low: float | None, typical: float, high: float | None) -> PriceRange:
    """A price that may have been published without a range: then it is a point.

    >>> price_range(None, 80.0, 100.0)
    PriceRange(low=80.0, typical=80.0, high=100.0)
    """
    return PriceRange(
        low=typical if low is None else low, typical=typical, high=typical if high is None else high
    )


def range_of(price: Price | None) -> PriceRange:
    """Price range; unknown where there is none."""
    return price_range(price.low, price.value, price.high) if price else PriceRange()


def with_typical(worth: PriceRange, typical: float) -> PriceRange:
    """The range about another typical price."""
    return PriceRange(low=worth.low, typical=typical, high=worth.high)


def note_of(price: Price | None) -> str:
    """Source of a price."""
    return f"{price.source}, {price.as_of}".rstrip(", ") if price else "no published price"


def first(value: Array) -> float:
    """The first sample."""
    return float(np.ravel(value)[0])


def fact_of(part: Part, name: str) -> float:
    """A figure of a part, NaN where nobody published it."""
    fact = part.facts.get(name)
    return math.nan if fact is None else float(fact.value)


def power_of(part: Part) -> float:
    """Typical where it is published, else the most, as the evaluation takes it."""
    typical = fact_of(part, "typical_power_w")
    return fact_of(part, "max_power_w") if math.isnan(typical) else typical
