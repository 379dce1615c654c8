"""The exchange rate that amounts of a page are read at."""

from __future__ import annotations

from app.charts.unit_choice import Units
from app.exchange import Rate
from app.saved.exchange_rates import exchange_rates

__all__ = ["exchange_rates", "rate_of"]


def rate_of(units: Units) -> Rate | None:
    """The rate of a choice of units; None where it is of dollars."""
    return exchange_rates().get(units.currency)
