"""The air plant: air handlers in the hall, chilled water, a dry economiser and an air-cooled chiller.

Everything is for one watt of heat in the hall's air, in each hour of a `Year`.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.heat_rejection import chiller_cop, economiser_share
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


def air_plant(*, year: Year, altitude_factor: Array, assumptions: FacilityAssumptions) -> AirPlant:
    """The air plant in every hour of a year."""
    a = assumptions
    fans = hall_fans_w_per_w(hall_fan_power_share=a.hall_fan_power_share, altitude_factor=altitude_factor)
    share = economiser_share(
        return_c=a.chilled_water_return_c,
        supply_c=a.chilled_water_supply_c,
        outdoor_c=year.dry_bulb_c,
        approach_k=a.air_economiser_approach_k,
    )
    cop = chiller_cop(
        supply_c=a.chilled_water_supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.dry_bulb_c,
        condenser_approach_k=a.chiller_condenser_approach_air_k,
        carnot_share=a.chiller_carnot_share_air,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )
    return AirPlant(
        fans_w_per_w=fans,
        pumps_w_per_w=a.chilled_water_pump_power_share,
        rejection_w_per_w=air_rejection_w_per_w(
            air_rejection_fan_power_share=a.air_rejection_fan_power_share, altitude_factor=altitude_factor
        ),
        chiller_w_per_w=air_chiller_w_per_w(
            economiser_share=share,
            chiller_cop=cop,
            hall_fans_w_per_w=fans,
            chilled_water_pump_power_share=a.chilled_water_pump_power_share,
        ),
        economiser_share=share,
    )
