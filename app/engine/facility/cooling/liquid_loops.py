"""What every liquid plant starts from: its loops, and what it takes for a watt of heat."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.coolant import (
    coolant_loop,
    facility_return_c,
    facility_supply_c,
    liquid_loops,
)
from app.engine.facility.cooling.plants import IMMERSED
from app.engine.facility.cooling.year import Year
from app.engine.quantities import quantity
from app.engine.specs import SuperNode
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class LiquidPlant:
    """What the liquid plant takes for each watt or joule of heat: constants, and arrays over hours.

    `to_hall_w_per_w` is what a liquid-to-air CDU gives to the hall's air, its own power included; 0 with
    any other plant. Fans of such CDUs are with their pumps.
    """

    flow_m3_per_j: Array
    pumps_w_per_w: Array
    rejection_w_per_w: Array
    chiller_w_per_w: Array
    economiser_share: Array
    makeup_kg_per_j: Array
    to_hall_w_per_w: Array

    @property
    def power_w_per_w(self) -> Array:
        """Everything that it draws for each watt of heat."""
        return self.pumps_w_per_w + self.rejection_w_per_w + self.chiller_w_per_w


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """Coolant and facility water of a plant in a year: what dry coolers, towers and chillers are given."""

    year: Year
    flow_m3_per_j: Array
    pumps: Array
    supply_c: Array
    return_c: Array
    altitude_factor: Array


@quantity(unit="1", source="definition")
def trim_chiller_w_per_w(
    *, economiser_share: Array, chiller_cop: Array, liquid_pumps_w_per_w: Array
) -> Array:
    """Trim-chiller power for each watt of liquid heat, in each hour; pump heat is chilled too."""
    return (1 + liquid_pumps_w_per_w) * (1 - economiser_share) / chiller_cop


@quantity(unit="1", source="fan law")
def cdu_to_air_fans_w_per_w(*, cdu_to_air_fan_power_share: Array, altitude_factor: Array) -> Array:
    """Fan power of liquid-to-air CDUs for each watt of liquid heat."""
    return cdu_to_air_fan_power_share * altitude_factor


@quantity(unit="1", source="definition")
def cdu_to_air_w_per_w(*, coolant_pump_w_per_w: Array, cdu_to_air_fans_w_per_w: Array) -> Array:
    """Pumps and fans of liquid-to-air CDUs for each watt of liquid heat."""
    return coolant_pump_w_per_w + cdu_to_air_fans_w_per_w


@quantity(unit="1", source="first law")
def heat_to_hall_w_per_w(*, cdu_to_air_w_per_w: Array) -> Array:
    """Heat that liquid-to-air CDUs give to the hall's air for each watt of liquid heat."""
    return 1 + cdu_to_air_w_per_w


def loops_of(
    *, year: Year, coolant_supply_c: Array, altitude_factor: Array, assumptions: FacilityAssumptions
) -> Loops:
    """Flow, pumps and facility water of a plant with CDUs from liquid to liquid."""
    flow_m3_per_j, pumps = liquid_loops(coolant_supply_c=coolant_supply_c, assumptions=assumptions)
    supply_c = facility_supply_c(coolant_supply_c=coolant_supply_c, cdu_approach_k=assumptions.cdu_approach_k)
    return Loops(
        year=year,
        flow_m3_per_j=flow_m3_per_j,
        pumps=pumps,
        supply_c=supply_c,
        return_c=facility_return_c(
            facility_supply_c=supply_c, temperature_rise_k=assumptions.facility_water_temperature_rise_k
        ),
        altitude_factor=altitude_factor,
    )


def to_hall(
    *, year: Year, coolant_supply_c: Array, altitude_factor: Array, assumptions: FacilityAssumptions
) -> LiquidPlant:
    """CDUs that give the coolant's heat to the hall's air: no facility water, and nothing outdoors."""
    flow_m3_per_j, pump = coolant_loop(coolant_supply_c=coolant_supply_c, assumptions=assumptions)
    cdus = cdu_to_air_w_per_w(
        coolant_pump_w_per_w=pump,
        cdu_to_air_fans_w_per_w=cdu_to_air_fans_w_per_w(
            cdu_to_air_fan_power_share=assumptions.cdu_to_air_fan_power_share,
            altitude_factor=altitude_factor,
        ),
    )
    nothing = np.zeros(year.hours.shape)
    return LiquidPlant(
        flow_m3_per_j=flow_m3_per_j,
        pumps_w_per_w=cdus,
        rejection_w_per_w=nothing,
        chiller_w_per_w=nothing,
        economiser_share=nothing,
        makeup_kg_per_j=nothing,
        to_hall_w_per_w=heat_to_hall_w_per_w(cdu_to_air_w_per_w=cdus),
    )


@quantity(unit="W", source="definition")
def rating_without_fans_w(*, max_power_w: Array, liquid_share: Array, fan_power_share_air: Array) -> Array:
    """Rating of an immersed SuperNode: that of the data sheet less the fans of what air would cool."""
    return max_power_w * (1 - fan_power_share_air * (1 - liquid_share))


@quantity(unit="1", source="definition of single-phase immersion")
def immersed_liquid_share(*, liquid_share: Array) -> Array:
    """Share of an immersed SuperNode's heat that the oil takes: all of it, whatever it is otherwise."""
    return np.ones_like(liquid_share)


def as_cooled(*, supernode: SuperNode, plant: str, assumptions: FacilityAssumptions) -> SuperNode:
    """The SuperNode as it is in a plant's hall: immersed ones lose their fans, others stay as they are."""
    if plant not in IMMERSED:
        return supernode
    return dataclasses.replace(
        supernode,
        max_power_w=rating_without_fans_w(
            max_power_w=supernode.max_power_w,
            liquid_share=supernode.liquid_share,
            fan_power_share_air=assumptions.fan_power_share_air,
        ),
        liquid_share=immersed_liquid_share(liquid_share=supernode.liquid_share),
    )
