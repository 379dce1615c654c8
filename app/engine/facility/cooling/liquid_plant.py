"""The liquid plant: coolant loop, CDUs, facility water, dry coolers or towers, and a trim chiller.

Everything is for one watt of heat that liquid takes from the racks, in each hour of a `Year`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.coolant import facility_return_c, facility_supply_c, liquid_loops
from app.engine.facility.cooling.heat_rejection import (
    chiller_cop,
    economiser_share,
    fan_power_share,
    tower_makeup_kg_per_j,
)
from app.engine.facility.cooling.plants import TOWER
from app.engine.facility.cooling.year import Year
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class LiquidPlant:
    """What the liquid plant takes for each watt or joule of heat: constants, and arrays over hours."""

    flow_m3_per_j: Array
    pumps_w_per_w: Array
    rejection_w_per_w: Array
    chiller_w_per_w: Array
    economiser_share: Array
    makeup_kg_per_j: Array


@quantity(unit="1", source="fan law")
def dry_cooler_w_per_w(
    *,
    fan_power_share: Array,
    dry_cooler_fan_power_share: Array,
    altitude_factor: Array,
    liquid_pumps_w_per_w: Array,
) -> Array:
    """Dry-cooler fan power for each watt of liquid heat, in each hour; pump heat is rejected too."""
    return (1 + liquid_pumps_w_per_w) * dry_cooler_fan_power_share * altitude_factor * fan_power_share


@quantity(unit="1", source="fan law")
def tower_w_per_w(
    *,
    fan_power_share: Array,
    tower_fan_power_share: Array,
    altitude_factor: Array,
    tower_pump_power_share: Array,
    liquid_pumps_w_per_w: Array,
) -> Array:
    """Tower fan and pump power for each watt of liquid heat, in each hour; pump heat is rejected too."""
    fans_w_per_w = tower_fan_power_share * altitude_factor * fan_power_share
    return (1 + liquid_pumps_w_per_w) * (fans_w_per_w + tower_pump_power_share)


@quantity(unit="1", source="definition")
def trim_chiller_w_per_w(
    *, economiser_share: Array, chiller_cop: Array, liquid_pumps_w_per_w: Array
) -> Array:
    """Trim-chiller power for each watt of liquid heat, in each hour; pump heat is chilled too."""
    return (1 + liquid_pumps_w_per_w) * (1 - economiser_share) / chiller_cop


@quantity(unit="kg/J", source="definition")
def makeup_kg_per_j(
    *,
    tower_makeup_kg_per_j: Array,
    liquid_pumps_w_per_w: Array,
    trim_chiller_w_per_w: Array,
    tower_trim_water_cooled: Array,
) -> Array:
    """Make-up water for each joule of liquid heat, in each hour.

    The tower takes the heat, that of the pumps and, where it cools the trim chiller, the compressor's.
    """
    to_tower = 1 + liquid_pumps_w_per_w + tower_trim_water_cooled * trim_chiller_w_per_w
    return tower_makeup_kg_per_j * to_tower


@quantity(unit="1", source="definition")
def tower_trim_cop(
    *, water_cooled_cop: Array, air_cooled_cop: Array, tower_trim_water_cooled: Array
) -> Array:
    """Coefficient of performance of the trim chiller beside a tower, in each hour."""
    return np.where(tower_trim_water_cooled == 1, water_cooled_cop, air_cooled_cop)


def liquid_plant(
    *,
    year: Year,
    plant: str,
    coolant_supply_c: Array,
    altitude_factor: Array,
    assumptions: FacilityAssumptions,
) -> LiquidPlant:
    """The liquid plant with towers or, for any other `plant`, with dry coolers."""
    flow_m3_per_j, pumps = liquid_loops(coolant_supply_c=coolant_supply_c, assumptions=assumptions)
    supply_c = facility_supply_c(coolant_supply_c=coolant_supply_c, cdu_approach_k=assumptions.cdu_approach_k)
    return_c = facility_return_c(
        facility_supply_c=supply_c, temperature_rise_k=assumptions.facility_water_temperature_rise_k
    )
    build = _tower if plant == TOWER else _dry_cooler
    return build(
        year=year,
        flow_m3_per_j=flow_m3_per_j,
        pumps=pumps,
        supply_c=supply_c,
        return_c=return_c,
        altitude_factor=altitude_factor,
        a=assumptions,
    )


def _air_cooled_cop(*, year: Year, supply_c: Array, a: FacilityAssumptions) -> Array:
    return chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.dry_bulb_c,
        condenser_approach_k=a.chiller_condenser_approach_air_k,
        carnot_share=a.chiller_carnot_share_air,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )


def _dry_cooler(
    *,
    year: Year,
    flow_m3_per_j: Array,
    pumps: Array,
    supply_c: Array,
    return_c: Array,
    altitude_factor: Array,
    a: FacilityAssumptions,
) -> LiquidPlant:
    share = economiser_share(
        return_c=return_c,
        supply_c=supply_c,
        outdoor_c=year.dry_bulb_c,
        approach_k=a.dry_cooler_approach_k,
    )
    fan = fan_power_share(
        hot_water_c=return_c,
        outdoor_c=year.dry_bulb_c,
        design_outdoor_c=a.dry_cooler_design_dry_bulb_c,
        least_design_difference_k=a.dry_cooler_least_design_difference_k,
        least_fan_speed=a.dry_cooler_least_fan_speed,
    )
    return LiquidPlant(
        flow_m3_per_j=flow_m3_per_j,
        pumps_w_per_w=pumps,
        rejection_w_per_w=dry_cooler_w_per_w(
            fan_power_share=fan,
            dry_cooler_fan_power_share=a.dry_cooler_fan_power_share,
            altitude_factor=altitude_factor,
            liquid_pumps_w_per_w=pumps,
        ),
        chiller_w_per_w=trim_chiller_w_per_w(
            economiser_share=share,
            chiller_cop=_air_cooled_cop(year=year, supply_c=supply_c, a=a),
            liquid_pumps_w_per_w=pumps,
        ),
        economiser_share=share,
        makeup_kg_per_j=np.zeros(1),
    )


def _tower(
    *,
    year: Year,
    flow_m3_per_j: Array,
    pumps: Array,
    supply_c: Array,
    return_c: Array,
    altitude_factor: Array,
    a: FacilityAssumptions,
) -> LiquidPlant:
    share = economiser_share(
        return_c=return_c,
        supply_c=supply_c,
        outdoor_c=year.wet_bulb_c,
        approach_k=a.tower_approach_k + a.tower_plate_approach_k,
    )
    fan = fan_power_share(
        hot_water_c=return_c - a.tower_plate_approach_k,
        outdoor_c=year.wet_bulb_c,
        design_outdoor_c=a.tower_design_wet_bulb_c,
        least_design_difference_k=a.tower_least_design_difference_k,
        least_fan_speed=a.tower_least_fan_speed,
    )
    water_cooled = chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.wet_bulb_c,
        condenser_approach_k=a.tower_approach_k + a.chiller_condenser_approach_water_k,
        carnot_share=a.chiller_carnot_share_water,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )
    trim = trim_chiller_w_per_w(
        economiser_share=share,
        chiller_cop=tower_trim_cop(
            water_cooled_cop=water_cooled,
            air_cooled_cop=_air_cooled_cop(year=year, supply_c=supply_c, a=a),
            tower_trim_water_cooled=a.tower_trim_water_cooled,
        ),
        liquid_pumps_w_per_w=pumps,
    )
    makeup = tower_makeup_kg_per_j(
        dry_bulb_c=year.dry_bulb_c,
        latent_share_at_freezing=a.tower_latent_share_at_freezing,
        latent_share_per_k=a.tower_latent_share_per_k,
        least_latent_share=a.tower_least_latent_share,
        greatest_latent_share=a.tower_greatest_latent_share,
        evaporation_heat_j_per_kg=a.tower_evaporation_heat_j_per_kg,
        concentration_cycles=a.tower_concentration_cycles,
        drift_share=a.tower_drift_share,
        heat_capacity_j_per_kg_k=a.facility_water_heat_capacity_j_per_kg_k,
        temperature_rise_k=a.facility_water_temperature_rise_k,
    )
    return LiquidPlant(
        flow_m3_per_j=flow_m3_per_j,
        pumps_w_per_w=pumps,
        rejection_w_per_w=tower_w_per_w(
            fan_power_share=fan,
            tower_fan_power_share=a.tower_fan_power_share,
            altitude_factor=altitude_factor,
            tower_pump_power_share=a.tower_pump_power_share,
            liquid_pumps_w_per_w=pumps,
        ),
        chiller_w_per_w=trim,
        economiser_share=share,
        makeup_kg_per_j=makeup_kg_per_j(
            tower_makeup_kg_per_j=makeup,
            liquid_pumps_w_per_w=pumps,
            trim_chiller_w_per_w=trim,
            tower_trim_water_cooled=a.tower_trim_water_cooled,
        ),
    )
