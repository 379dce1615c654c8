"""Own plant: what of its rating is left in the heat and at a height, and the fuel that it takes at part load."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_DERATING = "correction to site conditions as in ISO 2314 (gas turbines) and ISO 3046 (engines), linear; slopes are assumptions"
METHANE_KG_PER_KWH = 3.6 / 50.0
"""Mass of methane by its lower heating value, 50 MJ/kg."""
METHANE_WARMING = 29.8
"""Of fossil methane over CO2 in 100 years: IPCC, Sixth Assessment Report, working group I, table 7.15."""
SCALE_HEIGHT_PER_M, PRESSURE_EXPONENT = 2.25577e-5, 5.25588
"""Pressure of the standard atmosphere (ISO 2533) over that at sea level: (1 - 2.25577e-5 h)^5.25588."""


@quantity(unit="1", source=_DERATING)
def power_derating(
    *,
    dry_bulb_c: Array,
    elevation_m: Array,
    temperature_derating_per_k: Array,
    derating_dry_bulb_c: Array,
    altitude_derating_per_m: Array,
    derating_altitude_m: Array,
) -> Array:
    """Power at site conditions over rated power: less in the heat and in thin air, never more than rated.

    Cold air would let turbines give more; generators, inlets and contracts hold them to their rating here.
    """
    heat = 1 - temperature_derating_per_k * np.maximum(dry_bulb_c - derating_dry_bulb_c, 0)
    height = 1 - altitude_derating_per_m * np.maximum(elevation_m - derating_altitude_m, 0)
    return np.clip(heat, 0, 1) * np.clip(height, 0, 1)


@quantity(unit="1", source="ISO 2533 standard atmosphere")
def pressure_ratio(*, elevation_m: Array) -> Array:
    """Air pressure over that at sea level: how the power of a turbine falls with height."""
    return (1 - SCALE_HEIGHT_PER_M * elevation_m) ** PRESSURE_EXPONENT


@quantity(unit="W", source="definition")
def firm_w(*, capacity_w: Array, power_derating: Array) -> Array:
    """Firm power of own plant: its rating at site conditions with the spare units out of service."""
    return capacity_w * power_derating


@quantity(unit="1", source="definition")
def plant_units(*, capacity_w: Array, unit_w: Array) -> Array:
    """Units that make up the capacity, without spares."""
    return np.ceil(capacity_w / unit_w - 1e-9)


@quantity(unit="1", source="mean of independent units: what spares leave of outages, no more than all")
def running_share(*, availability: Array, plant_units: Array, spare_units: Array) -> Array:
    """Share of the capacity that is there on average, with outages and spare units."""
    return np.minimum(availability * (1 + spare_units / np.maximum(plant_units, 1)), 1)


@quantity(unit="W", source="Willans line: fuel grows linearly with power from that at no load")
def fuel_w(
    *, power_w: Array, capacity_w: Array, unit_w: Array, efficiency: Array, no_load_fuel_share: Array
) -> Array:
    """Fuel that a plant burns (lower heating value), with as few units running as carry its power.

    Each running unit takes (n + (1 - n) x) / efficiency of its rating at the load x; n is its fuel at no load.

    Parameters
    ----------
    capacity_w, unit_w : at the conditions of the hour
    """
    running_w = np.minimum(np.ceil(power_w / unit_w - 1e-9) * unit_w, np.maximum(capacity_w, power_w))
    return (no_load_fuel_share * running_w + (1 - no_load_fuel_share) * power_w) / efficiency


@quantity(unit="USD/kWh", source="definition")
def full_load_usd_per_kwh(
    *, fuel_usd_per_kwh: Array, efficiency: Array, variable_om_usd_per_kwh: Array
) -> Array:
    """Cost of a kWh at rated load, without capital: fuel and variable upkeep."""
    return fuel_usd_per_kwh / efficiency + variable_om_usd_per_kwh


@quantity(unit="kg/kWh", source="definition")
def full_load_kg_per_kwh(
    *, fuel_co2_kg_per_kwh: Array, methane_kg_per_kwh: Array, efficiency: Array
) -> Array:
    """Emissions of a kWh at rated load: CO2 of the fuel and unburnt methane."""
    return (fuel_co2_kg_per_kwh + methane_kg_per_kwh) / efficiency


@quantity(unit="kg/kWh", source="IPCC AR6 WG1 table 7.15: 29.8; lower heating value of methane 50 MJ/kg")
def methane_kg_per_kwh(*, methane_slip_share: Array) -> Array:
    """Warming by unburnt methane, as CO2 of the same effect, by the fuel's energy."""
    return methane_slip_share * METHANE_KG_PER_KWH * METHANE_WARMING
