"""Owning against renting: the rented price of a run, and where the two meet."""

from __future__ import annotations

import numpy as np

from app.engine.economics.finance import payback_months
from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="USD", source="definition", at="cost.usd_per_run_rented_on_demand", key=True)
def usd_per_run_rented_on_demand(*, run_accelerator_hours: Array, on_demand_usd_per_hour: Array) -> Array:
    """Cost per run, rented on demand."""
    return run_accelerator_hours * on_demand_usd_per_hour


@quantity(unit="USD", source="definition", at="cost.usd_per_run_rented_reserved", key=True)
def usd_per_run_rented_reserved(*, run_accelerator_hours: Array, reserved_usd_per_hour: Array) -> Array:
    """Cost per run, reserved rental.

    The hours of the run alone; a commitment is paid whether it is used or not.
    """
    return run_accelerator_hours * reserved_usd_per_hour


@quantity(unit="USD/year", source="definition")
def use_dependent_usd_per_year(
    *,
    electricity_at_full_use_usd_per_year: Array,
    water_at_full_use_usd_per_year: Array,
    idle_power_share: Array,
) -> Array:
    """Annual variable cost at full use."""
    at_full_use = electricity_at_full_use_usd_per_year + water_at_full_use_usd_per_year
    return at_full_use * (1 - idle_power_share)


@quantity(unit="USD/year", source="definition")
def idle_cost_usd_per_year(
    *, annual_cost_usd_per_year: Array, use_dependent_usd_per_year: Array, utilisation: Array
) -> Array:
    """Annual cost of an idle pod."""
    return annual_cost_usd_per_year - use_dependent_usd_per_year * utilisation


@quantity(unit="1", percent=True, source="definition", at="cost.break_even_utilisation")
def break_even_utilisation(
    *,
    idle_cost_usd_per_year: Array,
    use_dependent_usd_per_year: Array,
    available_accelerator_hours_per_year: Array,
    rent_usd_per_hour: Array,
) -> Array:
    """Break-even utilisation against renting.

    On the terms that owning is compared with. u* with F + V u* = H p u*: idle cost F, use-dependent cost V, available hours H, rental price p.
    Above 1, owning does not pay even at full use; infinite where energy alone costs more than rent.
    """
    margin = available_accelerator_hours_per_year * rent_usd_per_hour - use_dependent_usd_per_year
    return np.where(margin <= 0, np.inf, idle_cost_usd_per_year / margin)


@quantity(unit="1", percent=True, source="definition", at="cost.break_even_utilisation_reserved")
def break_even_utilisation_reserved(
    *,
    idle_cost_usd_per_year: Array,
    use_dependent_usd_per_year: Array,
    available_accelerator_hours_per_year: Array,
    reserved_usd_per_hour: Array,
) -> Array:
    """Break-even utilisation against reserved rental.

    As against renting on demand, with the commitment's price and only for hours that are used.
    """
    margin = available_accelerator_hours_per_year * reserved_usd_per_hour - use_dependent_usd_per_year
    return np.where(margin <= 0, np.inf, idle_cost_usd_per_year / margin)


@quantity(unit="1", source="definition: failures of nodes and of the facility are independent")
def availability_at_site(*, availability: Array, facility_availability: Array) -> Array:
    """Share of accelerator-hours with a working accelerator, power and cooling."""
    return availability * facility_availability


@quantity(unit="h/year", source="definition")
def available_accelerator_hours_per_year(
    *, installed_accelerator_hours_per_year: Array, availability: Array
) -> Array:
    """Available accelerator-hours per year."""
    return installed_accelerator_hours_per_year * availability


@quantity(unit="h/year", source="definition")
def used_accelerator_hours_per_year(
    *, available_accelerator_hours_per_year: Array, utilisation: Array
) -> Array:
    """Utilised accelerator-hours per year."""
    return available_accelerator_hours_per_year * utilisation


@quantity(unit="USD", source="definition")
def monthly_gain_usd(
    *,
    available_accelerator_hours_per_year: Array,
    utilisation: Array,
    rent_usd_per_hour: Array,
    opex_usd_per_year: Array,
) -> Array:
    """Monthly rent saved, less running cost."""
    saved = available_accelerator_hours_per_year * utilisation * rent_usd_per_hour
    return (saved - opex_usd_per_year) / 12


@quantity(unit="months", source="definition", at="cost.break_even_months")
def break_even_months(
    *, capex_usd: Array, monthly_gain_usd: Array, monthly_rate: Array, life_years: Array
) -> Array:
    """Payback against the hourly rent alone.

    Cash view, without support, storage and hours booked for a peak: the whole capital expenditure, the
    facility included, against rent saved less running cost, discounted; infinite when it does not within the
    life of the equipment.
    """
    months = payback_months(price_usd=capex_usd, monthly_gain_usd=monthly_gain_usd, monthly_rate=monthly_rate)
    return np.where(months > 12 * life_years, np.inf, months)
