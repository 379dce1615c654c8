"""The air plant: air handlers at the racks or in the hall, chilled water, an economiser and a chiller.

Everything is for one watt of heat in the hall's air, in each hour of a `Year`. Air handlers differ by
their coefficients alone (rows `air_handling=...` of the assumptions).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.dry_plant import (
    air_cooled_cop,
    cooler_inlet_c,
    pad_makeup_kg_per_j,
    water_cooled_cop,
)
from app.engine.facility.cooling.heat_rejection import economiser_share, fan_power_share
from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.cooling.source_water import source_cooled_cop, source_water_c
from app.engine.facility.cooling.tower_plant import tower_water_kg_per_j
from app.engine.facility.cooling.year import Year
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class AirPlant:
    """What the air plant takes for each watt of heat: constants, and arrays over hours."""

    fans_w_per_w: Array
    pumps_w_per_w: Array
    rejection_w_per_w: Array
    chiller_w_per_w: Array
    economiser_share: Array
    makeup_kg_per_j: Array

    @property
    def power_w_per_w(self) -> Array:
        """Everything that it draws for each watt of heat."""
        return self.fans_w_per_w + self.pumps_w_per_w + self.rejection_w_per_w + self.chiller_w_per_w


@quantity(unit="1", source="fan law")
def hall_fans_w_per_w(*, hall_fan_power_share: Array, altitude_factor: Array) -> Array:
    """Power of the hall's air handlers for each watt of air heat."""
    return hall_fan_power_share * altitude_factor


@quantity(unit="1", source="fan law")
def air_rejection_w_per_w(*, air_rejection_fan_power_share: Array, altitude_factor: Array) -> Array:
    """Power of the fans that reject the air plant's heat for each watt of air heat."""
    return air_rejection_fan_power_share * altitude_factor


@quantity(unit="1", source="definition")
def air_chiller_w_per_w(
    *,
    economiser_share: Array,
    chiller_cop: Array,
    hall_fans_w_per_w: Array,
    chilled_water_pump_power_share: Array,
) -> Array:
    """Chiller power for each watt of air heat, in each hour; fan and pump heat is chilled too."""
    heat = 1 + hall_fans_w_per_w + chilled_water_pump_power_share
    return heat * (1 - economiser_share) / chiller_cop


@quantity(unit="1", source="first law")
def heat_to_air_tower_w_per_w(
    *, hall_fans_w_per_w: Array, chilled_water_pump_power_share: Array, air_chiller_w_per_w: Array
) -> Array:
    """Heat that the tower of an air plant takes for each watt of air heat, in each hour."""
    return 1 + hall_fans_w_per_w + chilled_water_pump_power_share + air_chiller_w_per_w


@quantity(unit="1", source="fan law")
def air_tower_w_per_w(
    *,
    fan_power_share: Array,
    tower_fan_power_share: Array,
    altitude_factor: Array,
    tower_pump_power_share: Array,
    heat_to_air_tower_w_per_w: Array,
) -> Array:
    """Tower fan and pump power for each watt of air heat, in each hour.

    Fans run at full speed while the chiller does, and slow down below the wet bulb at which the tower
    alone makes the chilled water.
    """
    fans_w_per_w = tower_fan_power_share * altitude_factor * fan_power_share
    return heat_to_air_tower_w_per_w * (fans_w_per_w + tower_pump_power_share)


@quantity(unit="kg/J", source="definition")
def air_makeup_kg_per_j(*, tower_makeup_kg_per_j: Array, heat_to_air_tower_w_per_w: Array) -> Array:
    """Make-up water of the air plant's tower for each joule of air heat, in each hour."""
    return tower_makeup_kg_per_j * heat_to_air_tower_w_per_w


@quantity(unit="degC", source="definition")
def hall_return_c(*, hall_air_supply_c: Array, outdoor_air_rise_k: Array) -> Array:
    """Air that comes back from the racks of a hall without chilled water."""
    return hall_air_supply_c + outdoor_air_rise_k


@quantity(unit="1", source="fan law")
def outdoor_fans_w_per_w(*, outdoor_air_fan_power_share: Array, altitude_factor: Array) -> Array:
    """Power of the fans that blow outdoor air through the hall for each watt of air heat."""
    return outdoor_air_fan_power_share * altitude_factor


@quantity(unit="1", source="definition")
def direct_expansion_w_per_w(*, economiser_share: Array, chiller_cop: Array, fans_w_per_w: Array) -> Array:
    """Compressor power for each watt of air heat, in each hour; heat of the fans is taken too."""
    return (1 + fans_w_per_w) * (1 - economiser_share) / chiller_cop


@quantity(
    unit="degC", source="effectiveness of an exchanger, eps = (T_return - T_supply) / (T_return - T_in)"
)
def scavenger_set_point_c(
    *, hall_return_c: Array, hall_air_supply_c: Array, indirect_exchanger_effectiveness: Array
) -> Array:
    """Outdoor air with which the exchanger alone makes the hall's supply."""
    return hall_return_c - (hall_return_c - hall_air_supply_c) / indirect_exchanger_effectiveness


@quantity(unit="1", source="effectiveness of an exchanger, eps = (T_return - T_supply) / (T_return - T_in)")
def exchanger_share(
    *,
    hall_return_c: Array,
    hall_air_supply_c: Array,
    scavenger_inlet_c: Array,
    indirect_exchanger_effectiveness: Array,
) -> Array:
    """Share of the heat that an air-to-air exchanger takes without a compressor, in each hour."""
    reached_k = indirect_exchanger_effectiveness * (hall_return_c - scavenger_inlet_c)
    return np.clip(reached_k / (hall_return_c - hall_air_supply_c), 0, 1)


@quantity(unit="1", source="fan law")
def scavenger_fans_w_per_w(
    *, fan_power_share: Array, scavenger_fan_power_share: Array, altitude_factor: Array
) -> Array:
    """Power of the fans that blow outdoor air through the exchanger for each watt of air heat, in each hour."""
    return scavenger_fan_power_share * altitude_factor * fan_power_share


def air_plant(
    *, year: Year, plant: str, altitude_factor: Array, assumptions: FacilityAssumptions
) -> AirPlant:
    """The air side of a plant of `plants.PLANTS` in every hour of a year."""
    side = PLANTS[plant].air
    if side in WITHOUT_CHILLED_WATER:
        return WITHOUT_CHILLED_WATER[side](year=year, altitude_factor=altitude_factor, a=assumptions)
    build = {"dry": _air_cooled, "tower": _tower_cooled, "source": _source_cooled}[side]
    fans = hall_fans_w_per_w(
        hall_fan_power_share=assumptions.hall_fan_power_share, altitude_factor=altitude_factor
    )
    return build(year=year, fans=fans, altitude_factor=altitude_factor, a=assumptions)


def _air_cooled(*, year: Year, fans: Array, altitude_factor: Array, a: FacilityAssumptions) -> AirPlant:
    """An economiser and a chiller in outdoor air, without water."""
    share = economiser_share(
        return_c=a.chilled_water_return_c,
        supply_c=a.chilled_water_supply_c,
        outdoor_c=year.dry_bulb_c,
        approach_k=a.air_economiser_approach_k,
    )
    return AirPlant(
        fans_w_per_w=fans,
        pumps_w_per_w=a.chilled_water_pump_power_share,
        rejection_w_per_w=air_rejection_w_per_w(
            air_rejection_fan_power_share=a.air_rejection_fan_power_share, altitude_factor=altitude_factor
        ),
        chiller_w_per_w=air_chiller_w_per_w(
            economiser_share=share,
            chiller_cop=air_cooled_cop(year=year, supply_c=a.chilled_water_supply_c, a=a),
            hall_fans_w_per_w=fans,
            chilled_water_pump_power_share=a.chilled_water_pump_power_share,
        ),
        economiser_share=share,
        makeup_kg_per_j=np.zeros(1),
    )


def _tower_cooled(*, year: Year, fans: Array, altitude_factor: Array, a: FacilityAssumptions) -> AirPlant:
    """A wet economiser and a water-cooled chiller, both behind a tower."""
    supply_c, return_c = a.chilled_water_supply_c, a.chilled_water_return_c
    share = economiser_share(
        return_c=return_c,
        supply_c=supply_c,
        outdoor_c=year.wet_bulb_c,
        approach_k=a.tower_approach_k + a.tower_plate_approach_k,
    )
    chiller = air_chiller_w_per_w(
        economiser_share=share,
        chiller_cop=water_cooled_cop(year=year, supply_c=supply_c, a=a),
        hall_fans_w_per_w=fans,
        chilled_water_pump_power_share=a.chilled_water_pump_power_share,
    )
    to_tower = heat_to_air_tower_w_per_w(
        hall_fans_w_per_w=fans,
        chilled_water_pump_power_share=a.chilled_water_pump_power_share,
        air_chiller_w_per_w=chiller,
    )
    fan = fan_power_share(
        hot_water_c=return_c - a.tower_plate_approach_k,
        outdoor_c=year.wet_bulb_c,
        design_outdoor_c=supply_c - a.tower_approach_k - a.tower_plate_approach_k,
        least_design_difference_k=a.tower_least_design_difference_k,
        least_fan_speed=a.tower_least_fan_speed,
    )
    return AirPlant(
        fans_w_per_w=fans,
        pumps_w_per_w=a.chilled_water_pump_power_share,
        rejection_w_per_w=air_tower_w_per_w(
            fan_power_share=fan,
            tower_fan_power_share=a.tower_fan_power_share,
            altitude_factor=altitude_factor,
            tower_pump_power_share=a.tower_pump_power_share,
            heat_to_air_tower_w_per_w=to_tower,
        ),
        chiller_w_per_w=chiller,
        economiser_share=share,
        makeup_kg_per_j=air_makeup_kg_per_j(
            tower_makeup_kg_per_j=tower_water_kg_per_j(
                year=year, cold_water_c=supply_c - a.tower_plate_approach_k, range_k=return_c - supply_c, a=a
            ),
            heat_to_air_tower_w_per_w=to_tower,
        ),
    )


def _source_cooled(*, year: Year, fans: Array, altitude_factor: Array, a: FacilityAssumptions) -> AirPlant:
    """Chilled water from a sea or a lake; a chiller that the same water cools makes up what is too warm."""
    source_c = source_water_c(
        mean_dry_bulb_c=year.mean_dry_bulb_c,
        source_water_over_air_k=a.source_water_over_air_k,
        source_water_least_c=a.source_water_least_c,
        hours=year.hours,
    )
    share = economiser_share(
        return_c=a.chilled_water_return_c,
        supply_c=a.chilled_water_supply_c,
        outdoor_c=source_c,
        approach_k=a.source_water_approach_k,
    )
    return AirPlant(
        fans_w_per_w=fans,
        pumps_w_per_w=a.chilled_water_pump_power_share,
        rejection_w_per_w=a.source_water_pump_power_share,
        chiller_w_per_w=air_chiller_w_per_w(
            economiser_share=share,
            chiller_cop=source_cooled_cop(source_c=source_c, supply_c=a.chilled_water_supply_c, a=a),
            hall_fans_w_per_w=fans,
            chilled_water_pump_power_share=a.chilled_water_pump_power_share,
        ),
        economiser_share=share,
        makeup_kg_per_j=np.zeros(1),
    )


def _outdoor_air(*, year: Year, altitude_factor: Array, a: FacilityAssumptions) -> AirPlant:
    """Outdoor air through the hall, mixed with returned air when it is cold and behind wet pads when it is warm.

    What the pads leave too warm is made up by direct expansion. Air that is moistened in winter is not counted.
    """
    supply_c = a.hall_air_supply_c
    return_c = hall_return_c(hall_air_supply_c=supply_c, outdoor_air_rise_k=a.outdoor_air_rise_k)
    inlet_c = cooler_inlet_c(
        dry_bulb_c=year.dry_bulb_c,
        wet_bulb_c=year.wet_bulb_c,
        set_point_c=supply_c,
        effectiveness=a.outdoor_air_pad_effectiveness,
    )
    fans = outdoor_fans_w_per_w(
        outdoor_air_fan_power_share=a.outdoor_air_fan_power_share, altitude_factor=altitude_factor
    )
    return _without_chilled_water(
        year=year,
        fans=fans,
        share=economiser_share(
            return_c=return_c, supply_c=supply_c, outdoor_c=inlet_c, approach_k=np.zeros(1)
        ),
        inlet_c=inlet_c,
        speed_share=np.ones(1),
        rejection=np.zeros(1),
        a=a,
    )


def _indirect(*, year: Year, altitude_factor: Array, a: FacilityAssumptions) -> AirPlant:
    """Hall air against outdoor air in an exchanger, wetted when the dry one no longer makes the supply."""
    supply_c = a.hall_air_supply_c
    return_c = hall_return_c(hall_air_supply_c=supply_c, outdoor_air_rise_k=a.outdoor_air_rise_k)
    set_point_c = scavenger_set_point_c(
        hall_return_c=return_c,
        hall_air_supply_c=supply_c,
        indirect_exchanger_effectiveness=a.indirect_exchanger_effectiveness,
    )
    inlet_c = cooler_inlet_c(
        dry_bulb_c=year.dry_bulb_c,
        wet_bulb_c=year.wet_bulb_c,
        set_point_c=set_point_c,
        effectiveness=a.outdoor_air_pad_effectiveness,
    )
    speed_share = fan_power_share(
        hot_water_c=return_c,
        outdoor_c=inlet_c,
        design_outdoor_c=set_point_c,
        least_design_difference_k=a.dry_cooler_least_design_difference_k,
        least_fan_speed=a.dry_cooler_least_fan_speed,
    )
    return _without_chilled_water(
        year=year,
        fans=hall_fans_w_per_w(
            hall_fan_power_share=a.indirect_fan_power_share, altitude_factor=altitude_factor
        ),
        share=exchanger_share(
            hall_return_c=return_c,
            hall_air_supply_c=supply_c,
            scavenger_inlet_c=inlet_c,
            indirect_exchanger_effectiveness=a.indirect_exchanger_effectiveness,
        ),
        inlet_c=inlet_c,
        speed_share=speed_share,
        rejection=scavenger_fans_w_per_w(
            fan_power_share=speed_share,
            scavenger_fan_power_share=a.scavenger_fan_power_share,
            altitude_factor=altitude_factor,
        ),
        a=a,
    )


def _without_chilled_water(
    *,
    year: Year,
    fans: Array,
    share: Array,
    inlet_c: Array,
    speed_share: Array,
    rejection: Array,
    a: FacilityAssumptions,
) -> AirPlant:
    return AirPlant(
        fans_w_per_w=fans,
        pumps_w_per_w=np.zeros(1),
        rejection_w_per_w=rejection,
        chiller_w_per_w=direct_expansion_w_per_w(
            economiser_share=share,
            chiller_cop=air_cooled_cop(year=year, supply_c=a.chilled_water_supply_c, a=a),
            fans_w_per_w=fans,
        ),
        economiser_share=share,
        makeup_kg_per_j=pad_makeup_kg_per_j(
            dry_bulb_c=year.dry_bulb_c,
            cooler_inlet_c=inlet_c,
            fan_power_share=speed_share,
            air_rise_k=a.outdoor_air_rise_k,
            evaporation_heat_j_per_kg=a.tower_evaporation_heat_j_per_kg,
            concentration_cycles=a.adiabatic_concentration_cycles,
        ),
    )


WITHOUT_CHILLED_WATER = {"outdoor": _outdoor_air, "indirect": _indirect}
"""Sides of `plants.Plant` whose coils hold a refrigerant, if anything."""
