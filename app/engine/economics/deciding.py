"""What turns a decision: the rent at which owning and renting cost the same, and what a constraint costs."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="USD/h", source="definition")
def break_even_rent_usd_per_hour(
    *, own_usd: Array, rent_fixed_usd: Array, rent_of_hours_usd: Array, usd_per_hour: Array
) -> Array:
    """Rental price at which owning and renting cost the same.

    p* with E + R p* / p = A: what renting costs beside its hours E, its hours R at today's price p, owning A.
    """
    return usd_per_hour * (own_usd - rent_fixed_usd) / rent_of_hours_usd


@quantity(unit="USD", source="definition")
def more_than_the_least_usd(*, usd: Array, least_usd: Array) -> Array:
    """Extra cost of a choice over the cheapest; below zero, less."""
    return usd - least_usd


@quantity(unit="1", source="definition")
def runs_per_year(*, used_accelerator_hours_per_year: Array, run_accelerator_hours: Array) -> Array:
    """Runs that fit into the utilised hours of a year."""
    return used_accelerator_hours_per_year / run_accelerator_hours


@quantity(unit="USD", source="definition")
def usd_per_thousand_accelerators(*, usd: Array, accelerators: Array) -> Array:
    """Cost of a pod for each thousand of its accelerators."""
    return 1000 * usd / accelerators
