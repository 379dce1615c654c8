"""Plants that give their heat to a sea or a lake: water pumped through a plate exchanger and back, none consumed."""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.heat_rejection import chiller_cop, economiser_share
from app.engine.facility.cooling.liquid_loops import LiquidPlant, Loops, trim_chiller_w_per_w
from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(
    unit="degC", source="deep water keeps the yearly mean of its place; fresh water is densest at 4 degC"
)
def source_water_c(
    *, mean_dry_bulb_c: Array, source_water_over_air_k: Array, source_water_least_c: Array, hours: Array
) -> Array:
    """Temperature of the sea or lake water at its intake, the same in every hour.

    T = max(T_mean of the air + difference, least). Water taken near the surface swings with the seasons, which
    is not counted.
    """
    return np.maximum(mean_dry_bulb_c + source_water_over_air_k, source_water_least_c) + 0 * hours


@quantity(unit="1", source="definition")
def source_pumps_w_per_w(*, source_water_pump_power_share: Array, liquid_pumps_w_per_w: Array) -> Array:
    """Power of the intake's pumps for each watt of liquid heat; heat of the loops' pumps is rejected too."""
    return (1 + liquid_pumps_w_per_w) * source_water_pump_power_share


def source_cooled_cop(*, source_c: Array, supply_c: Array, a: FacilityAssumptions) -> Array:
    """Of a chiller that makes water of `supply_c` and condenses against the sea or lake water."""
    return chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=source_c,
        condenser_approach_k=a.source_water_approach_k + a.chiller_condenser_approach_water_k,
        carnot_share=a.chiller_carnot_share_water,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )


def source_cooled(*, loops: Loops, a: FacilityAssumptions) -> LiquidPlant:
    """Facility water against sea or lake water, and a trim chiller where that is too warm."""
    source_c = source_water_c(
        mean_dry_bulb_c=loops.year.mean_dry_bulb_c,
        source_water_over_air_k=a.source_water_over_air_k,
        source_water_least_c=a.source_water_least_c,
        hours=loops.year.hours,
    )
    share = economiser_share(
        return_c=loops.return_c,
        supply_c=loops.supply_c,
        outdoor_c=source_c,
        approach_k=a.source_water_approach_k,
    )
    pumps = source_pumps_w_per_w(
        source_water_pump_power_share=a.source_water_pump_power_share, liquid_pumps_w_per_w=loops.pumps
    )
    return LiquidPlant(
        flow_m3_per_j=loops.flow_m3_per_j,
        pumps_w_per_w=loops.pumps,
        rejection_w_per_w=pumps + 0 * loops.year.hours,
        chiller_w_per_w=trim_chiller_w_per_w(
            economiser_share=share,
            chiller_cop=source_cooled_cop(source_c=source_c, supply_c=loops.supply_c, a=a),
            liquid_pumps_w_per_w=loops.pumps,
        ),
        economiser_share=share,
        makeup_kg_per_j=np.zeros(1),
        to_hall_w_per_w=np.zeros(1),
    )
