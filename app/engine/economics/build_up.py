"""Cost of one part: its share of the total, over the life and per utilised hour."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def cost_share(*, part_usd_per_year: Array, annual_cost_usd_per_year: Array) -> Array:
    """Share of the total cost."""
    return part_usd_per_year / annual_cost_usd_per_year


@quantity(unit="USD", source="definition")
def part_tco_usd(*, part_usd_per_year: Array, life_years: Array) -> Array:
    """One part over the life of the equipment."""
    return part_usd_per_year * life_years


@quantity(unit="USD/h", source="definition")
def part_usd_per_accelerator_hour(*, cost_share: Array, usd_per_accelerator_hour: Array) -> Array:
    """One part of the cost of a utilised accelerator-hour."""
    return cost_share * usd_per_accelerator_hour


@quantity(unit="USD/h", source="definition")
def usd_per_accelerator_hour_at_pue(
    *,
    usd_per_accelerator_hour: Array,
    annual_cost_usd_per_year: Array,
    electricity_usd_per_year: Array,
    demand_usd_per_year: Array,
    pue: Array,
    other_pue: Array,
) -> Array:
    """Cost per utilised accelerator-hour at another PUE.

    Energy and peak at the meter go with the PUE; nothing else of the cost does.
    """
    energy_share = (electricity_usd_per_year + demand_usd_per_year) / annual_cost_usd_per_year
    return usd_per_accelerator_hour * (1 + energy_share * (other_pue / pue - 1))
