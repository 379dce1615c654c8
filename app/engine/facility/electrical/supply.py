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
