"""In which money a table is written: nominal, or of the day of purchase. Rates are what the terms say they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Economics
from app.engine.trace import Array

_FISHER = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), real and nominal discount rates"


@quantity(unit="1/year", source=_FISHER)
def nominal_rate(*, real_rate: Array, inflation: Array) -> Array:
    """Nominal rate of a real one.

    (1 + r)(1 + f) - 1, after Fisher.
    """
    return (1 + real_rate) * (1 + inflation) - 1


@quantity(unit="1/year", source=_FISHER)
def real_rate(*, nominal_rate: Array, inflation: Array) -> Array:
    """Real rate of a nominal one.

    (1 + i) / (1 + f) - 1, after Fisher.
    """
    return (1 + nominal_rate) / (1 + inflation) - 1


@quantity(unit="1", source=_FISHER)
def price_growth(*, inflation: Array, years: Array) -> Array:
    """Prices over those of the day of purchase."""
    return (1 + inflation) ** years


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """Rates, and two factors a year that bring amounts into the money of the table.

    `growth` is of what is stated in prices of the day of purchase, such as rent and electricity; `fixed_worth`
    is of what is agreed in nominal money, such as a loan, or what is left to be written off.
    """

    discount_rate: Array
    real_rate: Array
    debt_rate: Array  # nominal, as loans are
    growth: Array
    fixed_worth: Array


def money(economics: Economics, years: Array) -> Money:
    """What the terms mean by their rates: the one place where nominal and real meet."""
    finance = economics.finance
    growth = price_growth(inflation=finance.inflation, years=years)
    flat = np.ones_like(growth)
    if finance.prices == "real":
        return Money(
            discount_rate=economics.wacc,
            real_rate=economics.wacc,
            debt_rate=nominal_rate(real_rate=finance.debt_rate, inflation=finance.inflation),
            growth=flat,
            fixed_worth=1 / growth,
        )
    return Money(
        discount_rate=economics.wacc,
        real_rate=real_rate(nominal_rate=economics.wacc, inflation=finance.inflation),
        debt_rate=finance.debt_rate,
        growth=growth,
        fixed_worth=flat,
    )
