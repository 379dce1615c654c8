"""When it pays to replace SuperNodes by the next generation: rent falls with age, running cost does not."""

from __future__ import annotations

import numpy as np

from app.engine.economics.finance import capital_recovery_factor
from app.engine.economics.renting.bill import worth_of_a_dollar, worth_so_far_usd
from app.engine.quantities import quantity
from app.engine.trace import Array

_ECONOMIC_LIFE = "[1] Grant, Ireson and Leavenworth, Principles of Engineering Economy: economic life by equivalent annual worth"


@quantity(unit="USD/h", source="definition")
def rent_by_age_usd_per_hour(*, rent_usd_per_hour: Array, decline_per_year: Array, month: Array) -> Array:
    """Rent of an hour on equipment of that age.

    p (1 - d)^((m - 1) / 12): the newest does the same work for less.
    """
    return rent_usd_per_hour * (1 - decline_per_year) ** ((month - 1) / 12)


@quantity(unit="USD/month", source="definition")
def gain_by_age_usd_per_month(
    *, rent_by_age_usd_per_hour: Array, used_hours_per_month: Array, opex_usd_per_year: Array
) -> Array:
    """Rent of a month at that age less running cost."""
    return rent_by_age_usd_per_hour * used_hours_per_month - opex_usd_per_year / 12


@quantity(unit="USD", source=_ECONOMIC_LIFE)
def worth_until_usd(
    *, price_usd: Array, resale_usd: Array, gain_usd_per_month: Array, month: Array, monthly_rate: Array
) -> Array:
    """Present worth of buying, using until that month, and selling."""
    earned = worth_so_far_usd(usd_per_month=gain_usd_per_month, month=month, monthly_rate=monthly_rate)
    return earned - price_usd + resale_usd * worth_of_a_dollar(month=month, monthly_rate=monthly_rate)


@quantity(unit="USD/month", source=_ECONOMIC_LIFE)
def level_worth_usd_per_month(*, worth_until_usd: Array, month: Array, monthly_rate: Array) -> Array:
    """The same present worth as a level amount of each month, for ever, when the successor does the same again."""
    return worth_until_usd * capital_recovery_factor(rate=monthly_rate, years=month)


@quantity(unit="months", source=_ECONOMIC_LIFE, leaf=True)
def best_month_to_replace(*, level_worth_usd_per_month: Array, month: Array) -> Array:
    """Economic life: the month with the highest level worth.

    Infinite where it is the last that is looked at: keeping longer is better still; and where no month has a worth
    above nothing, as then buying again pays at no age.
    """
    known = ~np.isnan(level_worth_usd_per_month).any(axis=-1)
    level = np.where(np.isnan(level_worth_usd_per_month), -np.inf, level_worth_usd_per_month)
    best = np.argmax(level, axis=-1)
    is_none = (best == month.size - 1) | (np.max(level, axis=-1) <= 0)
    found = np.where(is_none, np.inf, month[best])
    return np.where(known, found, np.nan)


@quantity(unit="months", source="definition", leaf=True)
def last_month_that_pays(*, gain_usd_per_month: Array, month: Array) -> Array:
    """Last month whose rent covers its running cost; infinite where all that are looked at do, none is 0."""
    known = ~np.isnan(gain_usd_per_month).any(axis=-1)
    loses = gain_usd_per_month < 0
    first = np.where(loses.any(axis=-1), month[np.argmax(loses, axis=-1)] - 1, np.inf)
    return np.where(known, first, np.nan)
