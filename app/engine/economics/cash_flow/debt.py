"""A loan on the purchase, in level payments."""

from __future__ import annotations

import numpy as np

from app.engine.economics.finance import capital_recovery_factor, unpaid_share
from app.engine.quantities import quantity
from app.engine.trace import Array

_ANNUITY = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), uniform capital recovery"


@quantity(unit="USD/year", source=_ANNUITY)
def level_payment_usd_per_year(*, borrowed_usd: Array, debt_rate: Array, debt_years: Array) -> Array:
    """Level payment on a loan.

    Interest and principal together, the same every year.
    """
    return borrowed_usd * capital_recovery_factor(rate=debt_rate, years=debt_years)


@quantity(unit="USD", source=_ANNUITY)
def agreed_debt_usd(*, borrowed_usd: Array, debt_rate: Array, debt_years: Array, years: Array) -> Array:
    """Debt left at the end of each year by the loan's own plan.

    D (1 - (1 + d)^-(m - y)) / (1 - (1 + d)^-m): the payments still to come, at the rate of the loan.

    Parameters
    ----------
    borrowed_usd : D
    debt_rate : d, nominal
    debt_years : m; a last part of a year is paid at the end of it
    years : y
    """
    return borrowed_usd * unpaid_share(rate=debt_rate, life_years=debt_years, after_years=years)


@quantity(unit="USD", source=_ANNUITY)
def debt_usd(*, agreed_debt_usd: Array, years: Array, last_year: Array) -> Array:
    """Debt left at the end of each year.

    What is left when the equipment is sold is paid back then.
    """
    return np.where(years < last_year, agreed_debt_usd, 0.0)


@quantity(unit="USD", source="definition")
def interest_usd(*, debt_before_usd: Array, debt_rate: Array) -> Array:
    """Interest of each year, on the debt at its beginning."""
    return debt_before_usd * debt_rate


@quantity(unit="USD", source="definition")
def principal_usd(*, debt_before_usd: Array, debt_after_usd: Array) -> Array:
    """Debt paid back in each year."""
    return debt_before_usd - debt_after_usd


def year_before(values: Array) -> Array:
    """What stood a year earlier; nothing before the day of purchase."""
    return np.concatenate([np.zeros_like(values[..., :1]), values[..., :-1]], axis=-1)
