"""The price of money and time. Rates are nominal or real as the cost of capital is; prices stay flat."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_ANNUITY = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), capital recovery factor"


@quantity(unit="1/year", source=_ANNUITY)
def capital_recovery_factor(*, rate: Array, years: Array) -> Array:
    """Capital recovery factor.

    i / (1 - (1 + i)^-n): the level yearly payment for a price of one.

    Parameters
    ----------
    rate : i, cost of capital a year; zero gives straight-line repayment
    years : n, life; infinite gives interest alone

    Examples
    --------
    >>> capital_recovery_factor(rate=np.array([0.0, 0.10]), years=np.array([4.0])).round(5)
    array([0.25   , 0.31547])
    """
    free = rate < 1e-15  # below it the quotient is rounding only: at 5e-324 it is off by a third
    paid_back = -np.expm1(-years * np.log1p(rate))
    return np.where(free, 1 / years, rate / np.where(free, 1.0, paid_back))


@quantity(unit="1/year", source=_ANNUITY)
def yearly_capital_share(*, capital_recovery_factor: Array, rate: Array, residual_value: Array) -> Array:
    """Annual capital charge over the price.

    CRF - s (CRF - i): what is left at the end of life, s of the price, need not be paid back but
    bears interest.
    """
    return capital_recovery_factor - residual_value * (capital_recovery_factor - rate)


@quantity(unit="1/year", source=_ANNUITY)
def facility_yearly_share(*, plant_recovery: Array, shell_recovery: Array, shell_share: Array) -> Array:
    """Annual capital charge over the price of the facility: plant and shell over their own lives."""
    return plant_recovery * (1 - shell_share) + shell_recovery * shell_share


@quantity(unit="1", source=_ANNUITY)
def unpaid_share(*, rate: Array, life_years: Array, after_years: Array) -> Array:
    """Unamortised share of a price.

    (1 - (1 + i)^-(n - y)) / (1 - (1 + i)^-n): the payments still to come; nothing after the life.

    Parameters
    ----------
    rate : i; zero gives straight-line repayment
    life_years : n
    after_years : y
    """
    left = np.maximum(life_years - after_years, 0.0)
    free = np.abs(rate) < 1e-12  # below it the quotient is rounding only
    compound = np.log1p(np.where(free, 1.0, rate))
    unpaid = np.expm1(-left * compound) / np.expm1(-life_years * compound)
    return np.where(free, left / life_years, unpaid)


@quantity(unit="1", source="definition")
def monthly_rate(*, yearly_rate: Array) -> Array:
    """Monthly discount rate."""
    return np.expm1(np.log1p(yearly_rate) / 12)


@quantity(unit="months", source=_ANNUITY)
def payback_months(*, price_usd: Array, monthly_gain_usd: Array, monthly_rate: Array) -> Array:
    """Payback period.

    First whole month m with -C + K (1 - (1 + r)^-m) / r >= 0; infinite when that never comes.

    Parameters
    ----------
    price_usd : C, paid at the start [USD]
    monthly_gain_usd : K, at the end of each month [USD]
    monthly_rate : r
    """
    interest_share = price_usd * monthly_rate / monthly_gain_usd
    discounted = -np.log1p(-np.minimum(interest_share, 1)) / np.where(
        monthly_rate == 0, 1.0, np.log1p(monthly_rate)
    )
    months = np.where(monthly_rate == 0, price_usd / monthly_gain_usd, discounted)
    return np.where(monthly_gain_usd <= 0, np.inf, np.ceil(months))
