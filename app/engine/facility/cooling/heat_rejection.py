"""What takes the heat outdoors: dry coolers, towers, economisers and chillers, hour by hour.

Each formula takes the weather of every hour along the last axis. Fans follow the cube law on the
ratio of the temperature difference that the equipment was built for and the one it has.
"""

from __future__ import annotations

import numpy as np

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


@quantity(unit="kg/J", source="h2ocooling.com, calcady.com: make-up = evaporation + blowdown + drift")
def tower_makeup_kg_per_j(
    *,
    dry_bulb_c: Array,
    latent_share_at_freezing: Array,
    latent_share_per_k: Array,
    least_latent_share: Array,
    greatest_latent_share: Array,
    evaporation_heat_j_per_kg: Array,
    concentration_cycles: Array,
    drift_share: Array,
    heat_capacity_j_per_kg_k: Array,
    temperature_rise_k: Array,
) -> Array:
    """Make-up water of a cooling tower for each joule of heat.

    Evaporation takes a share of the heat that grows with the dry bulb; blowdown B = E / (C - 1) keeps
    the dissolved solids at C times those of make-up water; drift is a share of the circulating flow.
    """
    wanted_share = latent_share_at_freezing + latent_share_per_k * dry_bulb_c
    latent_share = np.clip(wanted_share, least_latent_share, greatest_latent_share)
    evaporation = latent_share / evaporation_heat_j_per_kg
    drift = drift_share / (heat_capacity_j_per_kg_k * temperature_rise_k)
    return evaporation * concentration_cycles / (concentration_cycles - 1) + drift


@quantity(unit="1", source="ideal gas at the rated temperature")
def fan_power_altitude_factor(
    *, pressure_pa: Array, hours: Array, standard_pressure_pa: Array, air_density_exponent: Array
) -> Array:
    """Fan power at the site's air pressure over fan power at sea level."""
    site_pressure_pa = np.matmul(pressure_pa, hours)[..., None] / hours.sum()
    factor: Array = (standard_pressure_pa / site_pressure_pa) ** air_density_exponent
    return factor
