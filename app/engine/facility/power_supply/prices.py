"""Hours of a market as deviations from the mean of its year, so that a site's yearly price stays its mean."""

from __future__ import annotations

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.quantities import quantity
from app.engine.trace import Array

LEVELS = np.array([0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.98])
"""Quantiles over the days of a month that a shape is made of."""
GOLDEN = (np.sqrt(5) - 1) / 2
MONTH_OF_DAY = np.repeat(np.arange(12), DAYS_IN_MONTH)


def day_ranks() -> Array:
    """Rank of each day within its month, from cheap to dear, evenly spread and without order in time.

    Multiples of the golden ratio fall evenly; their order is taken, so that each month has every rank once.
    """
    ranks = []
    for days in DAYS_IN_MONTH:
        order = np.argsort(np.argsort(np.arange(1, days + 1) * GOLDEN % 1))
        ranks.append((order + 0.5) / days)
    found: Array = np.concatenate(ranks)
    return found


DAY_RANKS = day_ranks()


@quantity(unit="USD/kWh", source="quantiles of the market's hours by month and hour of the day", leaf=True)
def price_deviation_usd_per_kwh(*, quantiles_usd_per_kwh: Array) -> Array:
    """Price of each hour of a year less its mean, from quantiles by month and hour of the day.

    A day has one rank, from cheap to dear, in all its hours. What lies beyond the outer quantiles is cut off; the
    mean over the year is zero.

    Parameters
    ----------
    quantiles_usd_per_kwh : shape (12, 24, 7), of the levels in `LEVELS`
    """
    of_day = quantiles_usd_per_kwh[MONTH_OF_DAY]  # (365, 24, 7)
    above = np.clip(np.searchsorted(LEVELS, DAY_RANKS), 1, LEVELS.size - 1)
    share = np.clip((DAY_RANKS - LEVELS[above - 1]) / (LEVELS[above] - LEVELS[above - 1]), 0, 1)[:, None]
    days = np.arange(365)
    hours = (1 - share) * of_day[days, :, above - 1] + share * of_day[days, :, above]
    found: Array = hours.ravel() - hours.mean()
    return found


@quantity(unit="1", source="means of the grid's hours by month and hour of the day", leaf=True)
def carbon_ratio(*, ratios: Array) -> Array:
    """Carbon intensity of each hour over the mean of the year, which is one; ratios are of months and hours."""
    hours = ratios[MONTH_OF_DAY].ravel()
    found: Array = hours / hours.mean()
    return found
