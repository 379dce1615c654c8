"""Rent saved against the price of owning, month by month, by the engine's own formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.economics.finance import monthly_rate, payback_months
from app.engine.economics.rent import monthly_gain_on_demand_usd
from app.engine.economics.tco import installed_accelerator_hours_per_year

Line = NDArray[np.float64]


class Term(NamedTuple):
    key: str
    label: str
    words: str  # in a sentence
    adjective: str
    slot: str
    dash: str


class Rented(NamedTuple):
    term: Term
    usd_per_hour: float
    cost: Line  # after each month
    months: float  # until owning has paid for itself, infinite when it never does


TERMS = (
    Term("on_demand", "On demand", "renting on demand", "on-demand", "c4", "dot"),
    Term("reserved", "Reserved", "a reserved rate", "reserved", "c2", "dash"),
)


def worth_of_payments(months: Line, wacc: float) -> Line:
    """Worth today of one dollar at the end of each month so far."""
    rate = monthly_rate(yearly_rate=np.array([wacc]))
    return months if wacc == 0 else -np.expm1(-months * np.log1p(rate)) / rate


def rented_line(term: Term, price: float, inputs: dict[str, float], worth: Line) -> Rented:
    """The engine's own gain and pay-back, for one price."""
    hours = installed_accelerator_hours_per_year(
        supernodes=np.array([inputs["supernodes"]]),
        accelerators_per_supernode=np.array([inputs["accelerators"]]),
    )
    gain = monthly_gain_on_demand_usd(
        available_accelerator_hours_per_year=hours * inputs["availability"],
        utilisation=np.array([inputs["utilisation"]]),
        on_demand_usd_per_hour=np.array([price]),
        opex_usd_per_year=np.array([inputs["opex"]]),
    )
    with np.errstate(divide="ignore", invalid="ignore"):  # a pod that never pays back
        months = payback_months(
            price_usd=np.array([inputs["capex"]]),
            monthly_gain_usd=gain,
            monthly_rate=monthly_rate(yearly_rate=np.array([inputs["wacc"]])),
        )
    return Rented(term, price, (gain + inputs["opex"] / 12) * worth, float(months[0]))
