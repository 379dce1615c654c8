"""Owning by the short sum: a price spread evenly over a life, and a yearly cost. No interest, no resale."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="USD", source="definition")
def purchase_usd(*, units: Array, price_usd: Array) -> Array:
    """Price of several of a kind."""
    return units * price_usd


@quantity(unit="USD/year", source="definition")
def straight_line_usd_per_year(*, capex_usd: Array, life_years: Array, opex_usd_per_year: Array) -> Array:
    """Yearly cost without interest.

    K / L + O: the price in equal parts, and the running cost.
    """
    return capex_usd / life_years + opex_usd_per_year


@quantity(unit="1", source="definition")
def break_even_use(
    *, straight_line_usd_per_year: Array, accelerators: Array, rent_usd_per_hour: Array
) -> Array:
    """Utilisation from which owning is cheaper than renting, by the short sum.

    u* = (K / L + O) / (p x 8,760 n): all cost is fixed, rent is paid for used hours only.
    """
    return straight_line_usd_per_year / (rent_usd_per_hour * 8760 * accelerators)


@quantity(unit="1", source="definition")
def electricity_share(*, electricity_usd_per_year: Array, cost_usd_per_year: Array) -> Array:
    """Share of a yearly cost that is electricity."""
    return electricity_usd_per_year / cost_usd_per_year


@quantity(unit="USD/h", source="definition")
def usd_per_accelerator_hour_of_host(*, host_usd_per_hour: Array, accelerators: Array) -> Array:
    """Price of an accelerator-hour by that of its host."""
    return host_usd_per_hour / accelerators


@quantity(unit="USD/h", source="definition")
def joint_rent_usd_per_hour(*, accelerators: Array, usd_per_accelerator_hour: Array) -> Array:
    """Rent of several accelerators for an hour."""
    return accelerators * usd_per_accelerator_hour


@quantity(unit="accelerator h", source="definition")
def accelerator_hours_of_days(*, accelerator_days: Array) -> Array:
    """Accelerator-hours of accelerator-days."""
    return 24 * accelerator_days
