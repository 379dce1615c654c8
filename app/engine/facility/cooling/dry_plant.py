"""Liquid plants that reject to outdoor air: dry coolers, wet pads before them, or chillers alone."""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.adiabatic import (
    cooler_inlet_c,
    pad_makeup_kg_per_j,
    pre_cooling_set_point_c,
)
from app.engine.facility.cooling.chillers import air_cooled_cop
from app.engine.facility.cooling.heat_rejection import economiser_share, fan_power_share
from app.engine.facility.cooling.liquid_loops import LiquidPlant, Loops, trim_chiller_w_per_w
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
    """Air-cooled chillers for all the heat in every hour, with no economiser beside them."""
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
