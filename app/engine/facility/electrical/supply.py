"""Backup power: generators with their fuel, and batteries until they run."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

PRACTICE = "engineering practice: sizing of standby generators; go by the data sheet"


@quantity(unit="1", source=PRACTICE)
def generator_derating(
    *,
    elevation_m: Array,
    hottest_dry_bulb_c: Array,
    derating_altitude_m: Array,
    altitude_derating_per_m: Array,
    derating_dry_bulb_c: Array,
    temperature_derating_per_k: Array,
) -> Array:
    """Rating of a generator at a site in its hottest hour, over its rating."""
    thin_air = altitude_derating_per_m * np.maximum(elevation_m - derating_altitude_m, 0)
    heat = temperature_derating_per_k * np.maximum(hottest_dry_bulb_c - derating_dry_bulb_c, 0)
    return (1 - thin_air) * (1 - heat)


@quantity(unit="1", source=PRACTICE)
def transformer_derating(
    *, elevation_m: Array, derating_altitude_m: Array, altitude_derating_per_m: Array
) -> Array:
    """Rating of a transformer at a site's altitude, over its rating."""
    return 1 - altitude_derating_per_m * np.maximum(elevation_m - derating_altitude_m, 0)


@quantity(unit="1", source=PRACTICE)
def generators(
    *,
    site_power_w: Array,
    generator_unit_w: Array,
    generator_derating: Array,
    generator_load_share: Array,
    spare_units: Array,
) -> Array:
    """Generators: those that carry the site at their usual load, and spares."""
    carried_w = generator_load_share * generator_derating * generator_unit_w
    return np.maximum(np.ceil(site_power_w / carried_w), 1) + spare_units


@quantity(unit="1", source=PRACTICE)
def load_steps(*, site_power_w: Array, running_power_w: Array, generator_block_load_share: Array) -> Array:
    """Steps in which running generators take the site's load, each no larger than they can take at once."""
    return np.ceil(site_power_w / (running_power_w * generator_block_load_share))


@quantity(unit="L", source="definition")
def fuel_l(*, site_power_w: Array, fuel_hours: Array, fuel_l_per_kwh: Array) -> Array:
    """Fuel on site: the hottest hour's load all the time."""
    return site_power_w / 1e3 * fuel_hours * fuel_l_per_kwh


@quantity(unit="J", source="definition")
def battery_energy_j(
    *,
    power_w: Array,
    battery_time_s: Array,
    battery_depth_of_discharge: Array,
    battery_efficiency: Array,
    battery_end_of_life_share: Array,
) -> Array:
    """Energy of new batteries that still carry the load for their time at the end of their life."""
    usable = battery_depth_of_discharge * battery_efficiency * battery_end_of_life_share
    return power_w * battery_time_s / usable


@quantity(unit="W", source="definition", at="power.generator_standby_w")
def generator_standby_w(*, generators_installed_w: Array, generator_heater_share: Array) -> Array:
    """Standby power of generators: heaters, chargers and controls of all that are installed."""
    return generators_installed_w * generator_heater_share


@quantity(unit="W", source="definition")
def generators_rated_w(*, it_power_design_w: Array, generator_rating_ratio: Array) -> Array:
    """Rating of the generators that just carry the site."""
    return it_power_design_w * generator_rating_ratio


@quantity(unit="W", source="definition", at="power.house_load_w")
def house_load_w(*, it_power_mean_w: Array, house_load_share: Array, generator_standby_w: Array) -> Array:
    """House load (lighting, offices, controls) with generators on standby.

    The first follows the IT power, the second what is installed, so spare generators are paid for in the PUE.
    """
    return it_power_mean_w * house_load_share + generator_standby_w


@quantity(unit="W", source="definition", at="power.utility_mean_w")
def utility_mean_w(
    *, it_power_mean_w: Array, electrical_losses_w: Array, cooling_power_mean_w: Array, house_load_w: Array
) -> Array:
    """Mean utility power: the annual mean over the hours of the climate."""
    return it_power_mean_w + electrical_losses_w + cooling_power_mean_w + house_load_w


@quantity(
    unit="W", source="definition", at="power.utility_peak_w", short="Utility peak", key=True, better="less"
)
def utility_peak_w(*, it_power_peak_w: Array, pue_hottest_hour: Array) -> Array:
    """Peak utility power: the coincident IT peak in the hottest hour.

    The hottest hour of a typical year is no extreme: plants and feeds are sized with a margin above.
    """
    return it_power_peak_w * pue_hottest_hour


@quantity(unit="kWh/year", source="definition", at="power.energy_it_kwh_per_year")
def energy_it_kwh_per_year(*, it_power_mean_w: Array) -> Array:
    """Annual IT energy at full use."""
    return it_power_mean_w / 1e3 * 24 * 365


@quantity(unit="kWh/year", source="definition", at="power.energy_utility_kwh_per_year")
def energy_utility_kwh_per_year(*, utility_mean_w: Array) -> Array:
    """Annual utility energy at full use."""
    return utility_mean_w / 1e3 * 24 * 365


@quantity(unit="W", source="definition", at="power.meter_power_per_accelerator_w")
def meter_power_per_accelerator_w(*, utility_mean_w: Array, accelerators_used: Array) -> Array:
    """Mean power per accelerator at the utility meter."""
    return utility_mean_w / accelerators_used


@quantity(unit="1", source="definition", at="power.meter_to_tdp_ratio")
def meter_to_tdp_ratio(*, utility_mean_w: Array, accelerator_tdp_power_w: Array) -> Array:
    """Utility power over accelerator TDP: what a TDP-only boundary leaves out."""
    return utility_mean_w / accelerator_tdp_power_w


@quantity(
    unit="J/token",
    source="definition",
    at="power.energy_j_per_token",
    short="Energy per token",
    key=True,
    better="less",
)
def energy_j_per_token(*, utility_mean_w: Array, tokens_per_s: Array) -> Array:
    """Energy per token at the meter: trained, or of output where the pod serves; while it works.

    Where a demand is stated, of its tokens that the pod answers, mean over its years, at the power of its load.
    """
    return utility_mean_w / tokens_per_s
