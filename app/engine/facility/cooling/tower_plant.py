"""The liquid plant with cooling towers behind a plate heat exchanger, and a trim chiller."""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.dry_plant import air_cooled_cop, water_cooled_cop
from app.engine.facility.cooling.heat_rejection import (
    economiser_share,
    evaporation_kg_per_j,
    fan_power_share,
    leaving_air_c,
    tower_makeup_kg_per_j,
)
from app.engine.facility.cooling.liquid_loops import LiquidPlant, Loops, trim_chiller_w_per_w
from app.engine.facility.cooling.year import Year
from app.engine.quantities import quantity
from app.engine.trace import Array


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


def tower_water_kg_per_j(*, year: Year, cold_water_c: Array, range_k: Array, a: FacilityAssumptions) -> Array:
    """Make-up water for each joule that a tower takes, of water that cools by `range_k` to `cold_water_c`."""
    return tower_makeup_kg_per_j(
        evaporation_kg_per_j=evaporation_kg_per_j(
            dry_bulb_c=year.dry_bulb_c,
            wet_bulb_c=year.wet_bulb_c,
            pressure_pa=year.pressure_pa,
            leaving_air_c=leaving_air_c(
                cold_water_c=cold_water_c,
                wet_bulb_c=year.wet_bulb_c,
                approach_k=a.tower_approach_k,
                range_k=range_k,
            ),
        ),
        concentration_cycles=a.tower_concentration_cycles,
        drift_share=a.tower_drift_share,
        heat_capacity_j_per_kg_k=a.facility_water_heat_capacity_j_per_kg_k,
        temperature_rise_k=range_k,
    )


def tower_cooled(*, loops: Loops, a: FacilityAssumptions) -> LiquidPlant:
    """Towers, and a trim chiller in the hours that are too damp for them."""
    year = loops.year
    share = economiser_share(
        return_c=loops.return_c,
        supply_c=loops.supply_c,
        outdoor_c=year.wet_bulb_c,
        approach_k=a.tower_approach_k + a.tower_plate_approach_k,
    )
    fan = fan_power_share(
        hot_water_c=loops.return_c - a.tower_plate_approach_k,
        outdoor_c=year.wet_bulb_c,
        design_outdoor_c=a.tower_design_wet_bulb_c,
        least_design_difference_k=a.tower_least_design_difference_k,
        least_fan_speed=a.tower_least_fan_speed,
    )
    trim = trim_chiller_w_per_w(
        economiser_share=share,
        chiller_cop=tower_trim_cop(
            water_cooled_cop=water_cooled_cop(year=year, supply_c=loops.supply_c, a=a),
            air_cooled_cop=air_cooled_cop(year=year, supply_c=loops.supply_c, a=a),
            tower_trim_water_cooled=a.tower_trim_water_cooled,
        ),
        liquid_pumps_w_per_w=loops.pumps,
    )
    return LiquidPlant(
        flow_m3_per_j=loops.flow_m3_per_j,
        pumps_w_per_w=loops.pumps,
        rejection_w_per_w=tower_w_per_w(
            fan_power_share=fan,
            tower_fan_power_share=a.tower_fan_power_share,
            altitude_factor=loops.altitude_factor,
            tower_pump_power_share=a.tower_pump_power_share,
            liquid_pumps_w_per_w=loops.pumps,
        ),
        chiller_w_per_w=trim,
        economiser_share=share,
        makeup_kg_per_j=makeup_kg_per_j(
            tower_makeup_kg_per_j=tower_water_kg_per_j(
                year=year,
                cold_water_c=loops.supply_c - a.tower_plate_approach_k,
                range_k=a.facility_water_temperature_rise_k,
                a=a,
            ),
            liquid_pumps_w_per_w=loops.pumps,
            trim_chiller_w_per_w=trim,
            tower_trim_water_cooled=a.tower_trim_water_cooled,
        ),
        to_hall_w_per_w=np.zeros(1),
    )
