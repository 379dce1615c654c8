"""Liquid plants that reject to outdoor air: dry coolers, wet pads before them, or chillers alone.

Pre-cooling of a dry cooler's air by wet pads: when it is on, how cool the air gets, what water it takes.

Pads are wetted only as far as the cooler needs it: above a set point the air is held at the set point
as long as the pads can. So the cooler never draws more at a lower wet bulb, nor less at a higher dry bulb.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.heat_rejection import chiller_cop, economiser_share, fan_power_share
from app.engine.facility.cooling.liquid_loops import LiquidPlant, Loops, trim_chiller_w_per_w
from app.engine.facility.cooling.year import Year
from app.engine.quantities import quantity
from app.engine.trace import Array


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


@quantity(unit="kg/J", source="definition")
def adiabatic_makeup_kg_per_j(*, pad_makeup_kg_per_j: Array, liquid_pumps_w_per_w: Array) -> Array:
    """Make-up water of wet pads for each joule of liquid heat, in each hour; pump heat is rejected too."""
    return (1 + liquid_pumps_w_per_w) * pad_makeup_kg_per_j


@quantity(unit="1", source="fan law")
def condenser_fans_w_per_w(
    *,
    air_rejection_fan_power_share: Array,
    altitude_factor: Array,
    liquid_pumps_w_per_w: Array,
    trim_chiller_w_per_w: Array,
) -> Array:
    """Condenser fan power of a chiller plant for each watt of liquid heat, in each hour."""
    rejected = 1 + liquid_pumps_w_per_w + trim_chiller_w_per_w
    return rejected * air_rejection_fan_power_share * altitude_factor


@quantity(unit="1", source="a plant without an economiser")
def no_economiser_share(*, chiller_cop: Array) -> Array:
    """Share of the heat that goes outdoors without a chiller where there is no economiser: none."""
    return 0 * chiller_cop


def dry_cooled(*, loops: Loops, a: FacilityAssumptions) -> LiquidPlant:
    """Dry coolers, and a trim chiller in the hours that are too hot for them."""
    return _with_coolers(loops=loops, inlet_c=loops.year.dry_bulb_c, wetted=False, a=a)


def adiabatic(*, loops: Loops, a: FacilityAssumptions) -> LiquidPlant:
    """Dry coolers behind wet pads, and a trim chiller in the hours that are too hot and damp for them."""
    inlet_c = cooler_inlet_c(
        dry_bulb_c=loops.year.dry_bulb_c,
        wet_bulb_c=loops.year.wet_bulb_c,
        set_point_c=pre_cooling_set_point_c(
            facility_supply_c=loops.supply_c,
            dry_cooler_approach_k=a.dry_cooler_approach_k,
            lead_k=a.adiabatic_lead_k,
            least_dry_bulb_c=a.adiabatic_least_dry_bulb_c,
        ),
        effectiveness=a.adiabatic_effectiveness,
    )
    return _with_coolers(loops=loops, inlet_c=inlet_c, wetted=True, a=a)


def chilled(*, loops: Loops, a: FacilityAssumptions) -> LiquidPlant:
    """Air-cooled chillers for all the heat in every hour, without an economiser."""
    cop = air_cooled_cop(year=loops.year, supply_c=loops.supply_c, a=a)
    share = no_economiser_share(chiller_cop=cop)
    chiller = trim_chiller_w_per_w(economiser_share=share, chiller_cop=cop, liquid_pumps_w_per_w=loops.pumps)
    return LiquidPlant(
        flow_m3_per_j=loops.flow_m3_per_j,
        pumps_w_per_w=loops.pumps,
        rejection_w_per_w=condenser_fans_w_per_w(
            air_rejection_fan_power_share=a.air_rejection_fan_power_share,
            altitude_factor=loops.altitude_factor,
            liquid_pumps_w_per_w=loops.pumps,
            trim_chiller_w_per_w=chiller,
        ),
        chiller_w_per_w=chiller,
        economiser_share=share,
        makeup_kg_per_j=np.zeros(1),
        to_hall_w_per_w=np.zeros(1),
    )


def _with_coolers(*, loops: Loops, inlet_c: Array, wetted: bool, a: FacilityAssumptions) -> LiquidPlant:
    share = economiser_share(
        return_c=loops.return_c,
        supply_c=loops.supply_c,
        outdoor_c=inlet_c,
        approach_k=a.dry_cooler_approach_k,
    )
    fan = fan_power_share(
        hot_water_c=loops.return_c,
        outdoor_c=inlet_c,
        design_outdoor_c=a.dry_cooler_design_dry_bulb_c,
        least_design_difference_k=a.dry_cooler_least_design_difference_k,
        least_fan_speed=a.dry_cooler_least_fan_speed,
    )
    makeup = np.zeros(1)
    if wetted:
        makeup = adiabatic_makeup_kg_per_j(
            pad_makeup_kg_per_j=pad_makeup_kg_per_j(
                dry_bulb_c=loops.year.dry_bulb_c,
                cooler_inlet_c=inlet_c,
                fan_power_share=fan,
                air_rise_k=a.adiabatic_air_rise_k,
                evaporation_heat_j_per_kg=a.tower_evaporation_heat_j_per_kg,
                concentration_cycles=a.adiabatic_concentration_cycles,
            ),
            liquid_pumps_w_per_w=loops.pumps,
        )
    return LiquidPlant(
        flow_m3_per_j=loops.flow_m3_per_j,
        pumps_w_per_w=loops.pumps,
        rejection_w_per_w=dry_cooler_w_per_w(
            fan_power_share=fan,
            dry_cooler_fan_power_share=a.dry_cooler_fan_power_share,
            altitude_factor=loops.altitude_factor,
            liquid_pumps_w_per_w=loops.pumps,
        ),
        chiller_w_per_w=trim_chiller_w_per_w(
            economiser_share=share,
            chiller_cop=air_cooled_cop(year=loops.year, supply_c=loops.supply_c, a=a),
            liquid_pumps_w_per_w=loops.pumps,
        ),
        economiser_share=share,
        makeup_kg_per_j=makeup,
        to_hall_w_per_w=np.zeros(1),
    )


@quantity(unit="degC", source="definition of the set point")
def pre_cooling_set_point_c(
    *, facility_supply_c: Array, dry_cooler_approach_k: Array, lead_k: Array, least_dry_bulb_c: Array
) -> Array:
    """Dry bulb above which the pads are wetted: a little before the dry cooler alone loses its supply."""
    return np.maximum(facility_supply_c - dry_cooler_approach_k - lead_k, least_dry_bulb_c)


@quantity(unit="degC", source="definition of the effectiveness of a wet pad")
def cooler_inlet_c(
    *, dry_bulb_c: Array, wet_bulb_c: Array, set_point_c: Array, effectiveness: Array
) -> Array:
    """Air that enters the dry cooler behind the pads, in each hour.

    T_in = T_db - eff (T_db - T_wb) at most, and no cooler than the set point.
    """
    coolest_c = dry_bulb_c - effectiveness * (dry_bulb_c - wet_bulb_c)
    return np.minimum(dry_bulb_c, np.maximum(set_point_c, coolest_c))


@quantity(unit="kg/J", source="m_air (w_out - w_in) along a line of constant wet bulb, cp dT / h_fg")
def pad_makeup_kg_per_j(
    *,
    dry_bulb_c: Array,
    cooler_inlet_c: Array,
    fan_power_share: Array,
    air_rise_k: Array,
    evaporation_heat_j_per_kg: Array,
    concentration_cycles: Array,
) -> Array:
    """Make-up water of wet pads for each joule of heat, in each hour.

    The air is that of the present fan speed; what it loses in temperature evaporates water, as
    m_air (w_out - w_in) does: on a line of constant wet bulb the two are the same within 2 %.
    Bleed keeps the dissolved solids at C times those of make-up water.
    """
    air_kg_k_per_j = np.cbrt(fan_power_share) / air_rise_k
    evaporated = air_kg_k_per_j * (dry_bulb_c - cooler_inlet_c) / evaporation_heat_j_per_kg
    return evaporated * concentration_cycles / (concentration_cycles - 1)


def air_cooled_cop(*, year: Year, supply_c: Array, a: FacilityAssumptions) -> Array:
    """Of a chiller that makes water of `supply_c` and condenses in outdoor air."""
    return chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.dry_bulb_c,
        condenser_approach_k=a.chiller_condenser_approach_air_k,
        carnot_share=a.chiller_carnot_share_air,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )


def water_cooled_cop(*, year: Year, supply_c: Array, a: FacilityAssumptions) -> Array:
    """Of a chiller that a tower cools."""
    return chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.wet_bulb_c,
        condenser_approach_k=a.tower_approach_k + a.chiller_condenser_approach_water_k,
        carnot_share=a.chiller_carnot_share_water,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )
