"""What a pod costs every year: energy, water, upkeep and the people who run it; `building` has the rest."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def idle_power_share(*, it_power_idle_w: Array, it_power_mean_w: Array) -> Array:
    """Idle power over power at work.

    Of IT power; cooling and losses are taken to follow it.
    """
    return it_power_idle_w / it_power_mean_w


@quantity(unit="1", source="definition")
def load_share(*, utilisation: Array, idle_power_share: Array) -> Array:
    """Mean power over the power at work.

    u + (1 - u) p: hours without work draw idle power.
    """
    return utilisation + (1 - utilisation) * idle_power_share


@quantity(unit="USD/m3", source="definition")
def water_price_usd_per_m3(*, site_usd_per_m3: Array, usual_usd_per_m3: Array) -> Array:
    """Water price.

    The site's own price where one is known, else a usual one.
    """
    return np.where(np.isnan(site_usd_per_m3), usual_usd_per_m3, site_usd_per_m3)


@quantity(unit="USD/year", source="definition")
def electricity_at_full_use_usd_per_year(
    *, energy_utility_kwh_per_year: Array, electricity_price_usd_per_kwh: Array
) -> Array:
    """Annual electricity cost at full use."""
    return energy_utility_kwh_per_year * electricity_price_usd_per_kwh


@quantity(unit="USD/year", source="definition")
def water_at_full_use_usd_per_year(*, water_m3_per_year: Array, water_price_usd_per_m3: Array) -> Array:
    """Annual water cost at full use."""
    return water_m3_per_year * water_price_usd_per_m3


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.electricity")
def electricity_usd_per_year(*, electricity_at_full_use_usd_per_year: Array, load_share: Array) -> Array:
    """Annual cost of electricity.

    At the utility meter: cooling and electrical losses are in it.
    """
    return electricity_at_full_use_usd_per_year * load_share


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.demand")
def demand_usd_per_year(*, utility_peak_w: Array, demand_charge_usd_per_kw_month: Array) -> Array:
    """Annual demand charge.

    On the peak power at the meter, not the mean.
    """
    return 12 * (utility_peak_w / 1e3) * demand_charge_usd_per_kw_month


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.water")
def water_usd_per_year(*, water_at_full_use_usd_per_year: Array, load_share: Array) -> Array:
    """Annual cost of water."""
    return water_at_full_use_usd_per_year * load_share


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.support")
def support_usd_per_year(*, equipment_usd: Array, support_share_per_year: Array) -> Array:
    """Annual support and repair of IT equipment."""
    return equipment_usd * support_share_per_year


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.engineers")
def engineers_usd_per_year(
    *,
    supernodes: Array,
    accelerators_per_supernode: Array,
    cluster_engineers_per_accelerator: Array,
    cluster_engineer_usd_per_year: Array,
    labour_cost_factor: Array,
) -> Array:
    """Annual cost of cluster engineers.

    The people who run the cluster and its software, not those who train models on it. Parts of a
    person count: small pods share theirs. At the pay of the place.
    """
    engineers = supernodes * accelerators_per_supernode * cluster_engineers_per_accelerator
    return engineers * cluster_engineer_usd_per_year * labour_cost_factor


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.insurance")
def insurance_usd_per_year(*, capex_usd: Array, land_usd: Array, insurance_share_per_year: Array) -> Array:
    """Annual insurance.

    On what would have to be replaced: land is not insured.
    """
    return (capex_usd - land_usd) * insurance_share_per_year


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.software")
def software_usd_per_year(
    *, installed_accelerator_hours_per_year: Array, software_usd_per_accelerator_hour: Array
) -> Array:
    """Annual software subscriptions."""
    return installed_accelerator_hours_per_year * software_usd_per_accelerator_hour


@quantity(unit="USD/year", source="definition", at="cost.opex_usd_per_year", key=True)
def opex_usd_per_year(
    *,
    electricity: Array,
    demand: Array,
    water: Array,
    support: Array,
    maintenance: Array,
    staff: Array,
    insurance: Array,
    software: Array,
    colocation: Array,
    engineers: Array,
    property_tax: Array,
) -> Array:
    """Operating expenditure."""
    usual = electricity + demand + water + support + maintenance + staff + insurance + software
    return usual + colocation + engineers + property_tax


@quantity(unit="s", source="definition")
def powered_time_s(*, elapsed_time_s: Array, facility_availability: Array) -> Array:
    """Time of a run with power and cooling.

    Hours in which the facility is out use nothing; they make the hours that are left dearer, and are not charged twice.
    """
    return elapsed_time_s * facility_availability


@quantity(unit="accelerator h", source="definition", at="cost.run_accelerator_hours")
def run_accelerator_hours(*, accelerators_used: Array, powered_time_s: Array) -> Array:
    """Accelerator-hours of the run.

    Of the elapsed time with power and cooling: failures, restarts and checkpoints are in it.
    """
    return accelerators_used * powered_time_s / 3600


@quantity(
    unit="USD", source="definition", at="cost.usd_per_run", short="Cost per run", key=True, better="less"
)
def usd_per_run(*, run_accelerator_hours: Array, usd_per_accelerator_hour: Array) -> Array:
    """Cost per run, owned.

    At the levelised cost of a utilised hour: unused hours between runs are charged, research, failed
    experiments and data are not.
    """
    return run_accelerator_hours * usd_per_accelerator_hour


@quantity(
    unit="USD",
    source="definition",
    at="cost.usd_per_million_tokens",
    short="Cost per million tokens",
    key=True,
    better="less",
)
def usd_per_million_tokens(*, usd_per_run: Array, tokens: Array) -> Array:
    """Cost per million tokens, owned: trained ones."""
    return usd_per_run / (tokens / 1e6)
