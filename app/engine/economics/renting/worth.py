"""Money of months in today's money. Payments fall at the end of their month."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_ANNUITY = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), present value"


@quantity(unit="1", source=_ANNUITY)
def worth_of_a_dollar(*, month: Array, monthly_rate: Array) -> Array:
    """What a dollar at the end of a month is worth today."""
    return np.exp(-month * np.log1p(monthly_rate))


@quantity(unit="months", source=_ANNUITY)
def worth_of_payments(*, month: Array, monthly_rate: Array) -> Array:
    """What a dollar at the end of every month so far is worth today.

    (1 - (1 + r)^-m) / r, and m without interest.
    """
    free = monthly_rate < 1e-15
    paid = -np.expm1(-month * np.log1p(monthly_rate)) / np.where(free, 1.0, monthly_rate)
    return np.where(free, month + 0 * monthly_rate, paid)


@quantity(unit="USD", source=_ANNUITY)
def worth_so_far_usd(*, usd_per_month: Array, month: Array, monthly_rate: Array) -> Array:
    """What all payments until a month are worth today."""
    return np.cumsum(usd_per_month * worth_of_a_dollar(month=month, monthly_rate=monthly_rate), axis=-1)
