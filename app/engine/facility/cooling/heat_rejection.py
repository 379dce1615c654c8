"""What takes the heat outdoors: dry coolers, towers, economisers and chillers, hour by hour.

Each formula takes the weather of every hour along the last axis. Fans follow the cube law on the
ratio of the temperature difference that the equipment was built for and the one it has.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.sites.humid_air import ASHRAE, humidity_ratio, humidity_ratio_at_wet_bulb
from app.engine.quantities import quantity
from app.engine.trace import Array

KELVIN = 273.15
"""0 degC in kelvin, by the definition of the Celsius scale."""


@quantity(unit="1", source="heat balance on the water side")
def economiser_share(*, return_c: Array, supply_c: Array, outdoor_c: Array, approach_k: Array) -> Array:
    """Share of the heat that goes outdoors without a chiller.

    share = clip((T_return - (T_outdoor + A)) / (T_return - T_supply), 0, 1), with the dry bulb for dry
    coolers and the wet bulb for towers.
    """
    return np.clip((return_c - approach_k - outdoor_c) / (return_c - supply_c), 0, 1)


@quantity(unit="1", source="cube law of fans")
def fan_power_share(
    *,
    hot_water_c: Array,
    outdoor_c: Array,
    design_outdoor_c: Array,
    least_design_difference_k: Array,
    least_fan_speed: Array,
) -> Array:
    """Fan power of a dry cooler or tower over its full power.

    speed = design temperature difference / present difference, between its lower limit and 1.

    Parameters
    ----------
    hot_water_c : water that enters [degC]
    outdoor_c, design_outdoor_c : dry bulb, or wet bulb for towers [degC]
    least_design_difference_k : equipment is not built for less [K]
    least_fan_speed : over full speed [1]
    """
    design_k = np.maximum(hot_water_c - design_outdoor_c, least_design_difference_k)
    speed = np.maximum(design_k / np.maximum(hot_water_c - outdoor_c, design_k), least_fan_speed)
    return speed * speed * speed


@quantity(unit="1", source="Carnot's limit times a fixed share")
def chiller_cop(
    *,
    supply_c: Array,
    evaporator_approach_k: Array,
    cooled_by_c: Array,
    condenser_approach_k: Array,
    carnot_share: Array,
    least_cop: Array,
    greatest_cop: Array,
) -> Array:
    """Coefficient of performance of a chiller.

    COP = share * T_e / (T_c - T_e) in kelvin, between its limits.

    Parameters
    ----------
    supply_c : chilled water that it makes [degC]; it evaporates `evaporator_approach_k` below
    cooled_by_c : dry bulb, or wet bulb with a tower [degC]; it condenses `condenser_approach_k` above
    carnot_share : COP over Carnot [1]
    """
    evaporation_k = supply_c - evaporator_approach_k + KELVIN
    lift_k = cooled_by_c + condenser_approach_k + KELVIN - evaporation_k
    ideal_k = carnot_share * evaporation_k
    return np.maximum(ideal_k / np.maximum(lift_k, ideal_k / greatest_cop), least_cop)


@quantity(
    unit="degC", source="air leaves a tower saturated, near the mean of the water that enters and leaves"
)
def leaving_air_c(*, cold_water_c: Array, wet_bulb_c: Array, approach_k: Array, range_k: Array) -> Array:
    """Saturated air that leaves a tower, in each hour.

    T = max(T_cold, T_wb + A) + range / 2: a tower makes no colder water than its approach allows.
    """
    return np.maximum(cold_water_c, wet_bulb_c + approach_k) + range_k / 2


@quantity(unit="kg/J", source=f"{ASHRAE}: moist-air balance of a tower", leaf=True)
def evaporation_kg_per_j(
    *, dry_bulb_c: Array, wet_bulb_c: Array, pressure_pa: Array, leaving_air_c: Array
) -> Array:
    """Water that evaporates for each joule of heat that a tower takes, in each hour.

    E = (w_out - w_in) / (h_out - h_in), h = 1006 T + w (2.501e6 + 1860 T), between the outdoor air and the
    saturated air that leaves. Cold air takes much of the heat as sensible heat; dry air that is warmer than the
    water brings some of its own; thin air holds more vapour. What heats the make-up water, 2 %, is left out.
    """
    entering = humidity_ratio_at_wet_bulb(
        dry_bulb_c=dry_bulb_c, wet_bulb_c=np.minimum(wet_bulb_c, dry_bulb_c), pressure_pa=pressure_pa
    )
    leaving = humidity_ratio(dry_bulb_c=leaving_air_c, relative_humidity=np.ones(1), pressure_pa=pressure_pa)
    taken = np.maximum(leaving - entering, 0.0)
    heat = _enthalpy_j_per_kg(leaving_air_c, leaving) - _enthalpy_j_per_kg(dry_bulb_c, entering)
    evaporated: Array = taken / heat
    return evaporated


def _enthalpy_j_per_kg(temperature_c: Array, ratio: Array) -> Array:
    """Of moist air, for a kilogram of dry air; equation 30."""
    return 1006 * temperature_c + ratio * (2.501e6 + 1860 * temperature_c)


@quantity(unit="kg/J", source="h2ocooling.com, calcady.com: make-up = evaporation + blowdown + drift")
def tower_makeup_kg_per_j(
    *,
    evaporation_kg_per_j: Array,
    concentration_cycles: Array,
    drift_share: Array,
    heat_capacity_j_per_kg_k: Array,
    temperature_rise_k: Array,
) -> Array:
    """Make-up water of a cooling tower for each joule of heat.

    Blowdown B = E / (C - 1) keeps the dissolved solids at C times those of make-up water; drift is a share of
    the circulating flow.
    """
    drift = drift_share / (heat_capacity_j_per_kg_k * temperature_rise_k)
    return evaporation_kg_per_j * concentration_cycles / (concentration_cycles - 1) + drift


@quantity(unit="1", source="ideal gas at the rated temperature")
def fan_power_altitude_factor(
    *, pressure_pa: Array, hours: Array, standard_pressure_pa: Array, air_density_exponent: Array
) -> Array:
    """Fan power at the site's air pressure over fan power at sea level."""
    site_pressure_pa = np.matmul(pressure_pa, hours)[..., None] / hours.sum()
    factor: Array = (standard_pressure_pa / site_pressure_pa) ** air_density_exponent
    return factor
