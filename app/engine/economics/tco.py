"""Total cost of ownership: capital as level yearly payments, running cost, and the cost of an hour."""

from __future__ import annotations

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_LEVELISED = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), levelised cost"


@quantity(unit="USD/year", source=_LEVELISED, at="cost.annual_cost_usd_per_year")
def annual_cost_usd_per_year(*, capital_usd_per_year: Array, opex_usd_per_year: Array) -> Array:
    """Annual cost of ownership."""
    return capital_usd_per_year + opex_usd_per_year


@quantity(unit="USD", source=_LEVELISED, at="cost.tco_usd", key=True, better="less")
def tco_usd(*, annual_cost_usd_per_year: Array, life_years: Array) -> Array:
    """Total cost of ownership.

    Level yearly cost over the life of the equipment, interest included, not discounted. Of a
    facility that lives longer only these years are charged.
    """
    return annual_cost_usd_per_year * life_years


compute_tco_usd = alias(
    "compute_tco_usd",
    "SuperNodes in the TCO",
    of="servers_usd",
    at="cost.tco_breakdown_usd.compute",
    unit="USD",
)
spares_tco_usd = alias(
    "spares_tco_usd",
    "Spare SuperNodes in the TCO",
    of="spares_usd",
    at="cost.tco_breakdown_usd.spares",
    unit="USD",
)
fabric_tco_usd = alias(
    "fabric_tco_usd",
    "Scale-out network in the TCO",
    of="network_usd",
    at="cost.tco_breakdown_usd.fabric",
    unit="USD",
)
storage_tco_usd = alias(
    "storage_tco_usd",
    "Shared storage in the TCO",
    of="storage_usd",
    at="cost.tco_breakdown_usd.storage",
    unit="USD",
)
installation_tco_usd = alias(
    "installation_tco_usd",
    "Installation in the TCO",
    of="installation_usd",
    at="cost.tco_breakdown_usd.installation",
    unit="USD",
)


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.facility")
def facility_tco_usd(*, facility_usd: Array, life_years: Array, facility_life_years: Array) -> Array:
    """Facility in the TCO.

    Straight-line share of the years the equipment lives.
    """
    return facility_usd * life_years / facility_life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.colocation")
def colocation_tco_usd(*, colocation_usd_per_year: Array, life_years: Array) -> Array:
    """Colocation in the TCO."""
    return colocation_usd_per_year * life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.energy")
def energy_tco_usd(
    *, electricity_usd_per_year: Array, demand_usd_per_year: Array, life_years: Array
) -> Array:
    """Energy in the TCO."""
    return (electricity_usd_per_year + demand_usd_per_year) * life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.upkeep")
def upkeep_tco_usd(
    *,
    opex_usd_per_year: Array,
    electricity_usd_per_year: Array,
    demand_usd_per_year: Array,
    staff_usd_per_year: Array,
    engineers_usd_per_year: Array,
    colocation_usd_per_year: Array,
    life_years: Array,
) -> Array:
    """Maintenance and support in the TCO.

    Support, maintenance, insurance, property tax, software and water.
    """
    energy = electricity_usd_per_year + demand_usd_per_year
    people = staff_usd_per_year + engineers_usd_per_year
    return (opex_usd_per_year - energy - people - colocation_usd_per_year) * life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.staff")
def staff_tco_usd(*, staff_usd_per_year: Array, life_years: Array) -> Array:
    """Facility staff in the TCO."""
    return staff_usd_per_year * life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.engineers")
def engineers_tco_usd(*, engineers_usd_per_year: Array, life_years: Array) -> Array:
    """Cluster engineers in the TCO."""
    return engineers_usd_per_year * life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.resale")
def resale_tco_usd(*, equipment_usd: Array, residual_value: Array) -> Array:
    """Residual value (credit)."""
    return -equipment_usd * residual_value


@quantity(unit="USD", source=_LEVELISED, at="cost.tco_breakdown_usd.capital_cost")
def capital_cost_tco_usd(
    *,
    capital_usd_per_year: Array,
    life_years: Array,
    equipment_usd: Array,
    installation_usd: Array,
    facility_tco_usd: Array,
    resale_tco_usd: Array,
) -> Array:
    """Cost of capital in the TCO.

    What the yearly payments come to beyond the prices paid and the resale: interest and return. All that
    land costs is in it, as land is sold for what it cost.
    """
    repaid = equipment_usd + installation_usd + facility_tco_usd + resale_tco_usd
    return capital_usd_per_year * life_years - repaid


@quantity(unit="h/year", source="definition")
def installed_accelerator_hours_per_year(*, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Installed accelerator-hours per year.

    Spares are left out: they stand in for the others.
    """
    return supernodes * accelerators_per_supernode * 24 * 365


@quantity(unit="USD/h", source=_LEVELISED, at="cost.usd_per_installed_accelerator_hour")
def usd_per_installed_accelerator_hour(
    *, annual_cost_usd_per_year: Array, installed_accelerator_hours_per_year: Array
) -> Array:
    """Levelised cost per installed accelerator-hour."""
    return annual_cost_usd_per_year / installed_accelerator_hours_per_year


@quantity(unit="USD/h", source=_LEVELISED, at="cost.usd_per_available_accelerator_hour")
def usd_per_available_accelerator_hour(
    *, usd_per_installed_accelerator_hour: Array, availability: Array
) -> Array:
    """Levelised cost per available accelerator-hour."""
    return usd_per_installed_accelerator_hour / availability


@quantity(unit="USD/h", source=_LEVELISED, at="cost.usd_per_accelerator_hour", key=True)
def usd_per_accelerator_hour(*, usd_per_available_accelerator_hour: Array, utilisation: Array) -> Array:
    """Levelised cost per used accelerator-hour.

    Hours without work are paid by the hours with work.
    """
    return usd_per_available_accelerator_hour / utilisation


@quantity(unit="USD/h", source=_LEVELISED, at="cost.usd_per_useful_accelerator_hour")
def usd_per_useful_accelerator_hour(*, usd_per_accelerator_hour: Array, ettr: Array) -> Array:
    """Levelised cost per useful accelerator-hour.

    Of the hours in which training advances: failures and checkpoints are paid by them.
    """
    return usd_per_accelerator_hour / ettr
