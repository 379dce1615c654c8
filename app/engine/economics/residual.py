"""Resale value of used equipment by its age, and the lives of its kinds.

The curve has two causes: whatever is no longer new is worth less, and each year the successor does more for its money.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.finance import unpaid_share
from app.engine.quantities import quantity
from app.engine.specs import Economics
from app.engine.trace import Array

_RESALE = (
    "[1] residual values of H100 servers: 0.30 (0.25 to 0.35) of the price after 36 months, autumn 2026; "
    "[2] Cottier et al., arXiv 2405.21015: hardware gets better for its money by 0.14 orders of magnitude a year"
)
_COMPARISON = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995): same horizon, leftover value credited"


@quantity(unit="1", source=_RESALE)
def worth_by_age_share(*, used_value_share: Array, value_decline_per_year: Array, age_years: Array) -> Array:
    """Worth of used equipment over its price.

    f (1 - d)^a.

    Parameters
    ----------
    used_value_share : f, as soon as it is no longer new
    value_decline_per_year : d, what the successor takes off it every year by its price for the same work
    age_years : a
    """
    return used_value_share * (1 - value_decline_per_year) ** age_years


@quantity(unit="1/year", source="definition")
def decline_to_residual_per_year(*, residual_value: Array, life_years: Array) -> Array:
    """Yearly loss of worth that leaves a stated residual value.

    1 - s^(1 / n): the same share every year, from the full price to s of it at the end of the life n.
    """
    return 1 - residual_value ** (1 / life_years)


@quantity(unit="1", source=_COMPARISON)
def worth_in_use_share(
    *, unpaid_share: Array, residual_value: Array, rate: Array, life_years: Array, age_years: Array
) -> Array:
    """Worth over its price of what goes on to be used.

    (1 - s v^n) u + s v^(n - a): level payments still to come and the resale after them; s at the end of its life.

    Parameters
    ----------
    unpaid_share : u, the payments still to come over all, in worth
    residual_value : s
    rate : i, with v = 1 / (1 + i)
    """
    resale = residual_value * (1 + rate) ** -life_years
    return (1 - resale) * unpaid_share + residual_value * (1 + rate) ** -(life_years - age_years)


@quantity(unit="years", source="definition")
def age_at_end_years(*, life_years: Array, horizon_years: Array) -> Array:
    """Age at the end of a horizon of what is bought again whenever it has served its life."""
    served: Array = np.maximum(np.ceil(horizon_years / life_years), 1) - 1
    return horizon_years - life_years * served


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCurve:
    """The life of a kind of equipment and what it fetches by age."""

    life_years: Array
    used_value_share: Array
    value_decline_per_year: Array

    def at(self, age_years: Array) -> Array:
        """Worth over its price."""
        share: Array = worth_by_age_share(
            used_value_share=self.used_value_share,
            value_decline_per_year=self.value_decline_per_year,
            age_years=age_years,
        )
        return share

    @property
    def residual_value(self) -> Array:
        """Worth over its price at the end of the life."""
        share: Array = self.at(self.life_years)
        return share

    def in_use_at(self, horizon_years: Array, rate: Array) -> Array:
        """Worth over its price at the end of a horizon, where it goes on to be used."""
        age = age_at_end_years(life_years=self.life_years, horizon_years=horizon_years)
        share: Array = worth_in_use_share(
            unpaid_share=unpaid_share(rate=rate, life_years=self.life_years, after_years=age),
            residual_value=self.residual_value,
            rate=rate,
            life_years=self.life_years,
            age_years=age,
        )
        return share


def worthless_after(life_years: Array) -> ValueCurve:
    """Of what has no used market: it is paid off over its life."""
    return ValueCurve(life_years=life_years, used_value_share=np.ones(1), value_decline_per_year=np.ones(1))


def value_curves(economics: Economics) -> dict[str, ValueCurve]:
    """Of SuperNodes, network and storage: by the stated residual value, else by generation."""
    lives = {
        "servers": (economics.life_years, economics.value_decline_per_year),
        "network": (economics.network_life_years, economics.hardware_decline_per_year),
        "storage": (economics.storage_life_years, economics.hardware_decline_per_year),
    }
    stated = economics.residual_value
    return {
        kind: ValueCurve(
            life_years=life,
            used_value_share=economics.used_value_share if stated is None else np.ones(1),
            value_decline_per_year=decline
            if stated is None
            else decline_to_residual_per_year(residual_value=stated, life_years=life),
        )
        for kind, (life, decline) in lives.items()
    }
