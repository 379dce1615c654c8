"""Total cost of ownership: capital as level yearly payments, running cost, and the cost of an hour."""

from __future__ import annotations

import numpy as np

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
installation_tco_usd = alias(
    "installation_tco_usd",
    "Installation in the TCO",
    of="installation_usd",
    at="cost.tco_breakdown_usd.installation",
    unit="USD",
)


duties_tco_usd = alias(
    "duties_tco_usd",
    "Duty and sales tax in the TCO",
    of="duties_usd",
    at="cost.tco_breakdown_usd.duties",
    unit="USD",
)


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.fabric")
def fabric_tco_usd(*, network_usd: Array, life_years: Array, network_life_years: Array) -> Array:
    """Scale-out network in the TCO.

    Straight-line share of the years that SuperNodes live.
    """
    return network_usd * life_years / network_life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.storage")
def storage_tco_usd(*, storage_usd: Array, life_years: Array, storage_life_years: Array) -> Array:
    """Shared storage in the TCO.

    Straight-line share of the years that SuperNodes live.
    """
    return storage_usd * life_years / storage_life_years


@quantity(unit="USD", source="definition", at="cost.tco_breakdown_usd.facility")
def facility_tco_usd(
    *,
    facility_usd: Array,
    life_years: Array,
    facility_life_years: Array,
    shell_life_years: Array,
    shell_share: Array,
) -> Array:
    """Facility in the TCO.

    Straight-line share of the years that SuperNodes live: of plant over its life, of the shell over its own.
    """
    plant = (1 - shell_share) / facility_life_years
    return facility_usd * life_years * (plant + shell_share / shell_life_years)


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
def resale_tco_usd(
    *,
    compute_tco_usd: Array,
    spares_tco_usd: Array,
    fabric_tco_usd: Array,
    storage_tco_usd: Array,
    residual_value: Array,
    network_residual_value: Array,
    storage_residual_value: Array,
) -> Array:
    """Residual value (credit).

    Of each kind of equipment at the end of its own life, for the years that SuperNodes live.
    """
    servers = (compute_tco_usd + spares_tco_usd) * residual_value
    return -(servers + fabric_tco_usd * network_residual_value + storage_tco_usd * storage_residual_value)


@quantity(unit="USD", source=_LEVELISED, at="cost.tco_breakdown_usd.capital_cost")
def capital_cost_tco_usd(
    *,
    capital_usd_per_year: Array,
    life_years: Array,
    compute_tco_usd: Array,
    spares_tco_usd: Array,
    fabric_tco_usd: Array,
    storage_tco_usd: Array,
    installation_usd: Array,
    duties_usd: Array,
    facility_tco_usd: Array,
    resale_tco_usd: Array,
) -> Array:
    """Cost of capital in the TCO.

    What the yearly payments come to beyond the prices paid and the resale: interest and return. All that
    land costs is in it, as land is sold for what it cost.
    """
    equipment = compute_tco_usd + spares_tco_usd + fabric_tco_usd + storage_tco_usd
    repaid = equipment + installation_usd + duties_usd + facility_tco_usd + resale_tco_usd
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
    """Levelised cost per utilised accelerator-hour.

    Hours without work are paid by the hours with work.
    """
    return usd_per_available_accelerator_hour / utilisation


@quantity(unit="USD/h", source=_LEVELISED, at="cost.usd_per_useful_accelerator_hour")
def usd_per_useful_accelerator_hour(*, usd_per_accelerator_hour: Array, ettr: Array) -> Array:
    """Levelised cost per useful accelerator-hour.

    Of the hours in which training advances: failures and checkpoints are paid by them.
    """
    return usd_per_accelerator_hour / ettr


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

    u* = (K / L + O) / (p x 8,760 n): all cost is fixed, rent is paid for utilised hours only.
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


@quantity(unit="h", source="definition")
def accelerator_hours_per_day(*, accelerators: Array) -> Array:
    """Accelerator-hours of a day, mean over the days: those that are paid in each hour, along the last axis."""
    mean: Array = np.mean(accelerators, axis=-1, keepdims=True)
    return 24 * mean


@quantity(unit="1", source="definition")
def freed_share(*, accelerator_hours_per_day: Array, always_on_hours_per_day: Array) -> Array:
    """Share of the accelerator-hours of replicas that never stop, which are freed."""
    return 1 - accelerator_hours_per_day / always_on_hours_per_day


@quantity(unit="W", source="definition")
def working_power_w(*, it_power_mean_w: Array, it_power_idle_w: Array, accelerators_used: Array) -> Array:
    """Power of an accelerator at work beyond that of an idle one, with its share of the host.

    At the mean power of the pod's load, whatever the load of an hour.
    """
    return (it_power_mean_w - it_power_idle_w) / accelerators_used


@quantity(unit="kWh", source="definition")
def always_on_kwh_per_day(
    *, always_on_hours_per_day: Array, working_w: Array, idle_w: Array, meter_per_it: Array
) -> Array:
    """Energy at the meter of a day of replicas that never stop: their SuperNodes, without network and storage."""
    return always_on_hours_per_day * (working_w + idle_w) * meter_per_it / 1e3


@quantity(unit="kWh", source="definition")
def saved_kwh_per_day(
    *, freed_hours_per_day: Array, working_w: Array, idle_w: Array, off: Array, meter_per_it: Array
) -> Array:
    """Energy at the meter that a day saves.

    Stopped replicas do not work; their nodes draw idle power where they stay on, and nothing where they are off.

    Parameters
    ----------
    off : 1 where nodes are powered down, 0 where they stay on
    """
    return freed_hours_per_day * (working_w + off * idle_w) * meter_per_it / 1e3


@quantity(unit="USD/h", source="definition")
def usd_per_hour_with_saving(
    *, usd_per_serving_hour: Array, saved_kwh_per_day: Array, electricity_price_usd_per_kwh: Array
) -> Array:
    """Cost of an hour of owned replicas of which some stop: hardware is paid all the same, only energy is saved."""
    return usd_per_serving_hour - saved_kwh_per_day / 24 * electricity_price_usd_per_kwh
