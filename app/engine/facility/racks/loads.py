"""What racks ask of a hall, each as a value that grows with what stands in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

STANDARD_GRAVITY_M_PER_S2 = 9.80665


@dataclass(frozen=True, slots=True, kw_only=True)
class RackLoads:
    """Loads of racks as arrays over racks or samples, rated. Unknown is NaN."""

    power_w: Array
    air_heat_w: Array
    liquid_heat_w: Array
    weight_kg: Array  # of the rack and all that is in it
    height_u: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class OnFloor:
    """What turns the loads of a rack into what pipes and floor feel."""

    coolant_flow_m3_per_j: Array
    floor_share_m2: Array  # of a rack, with its half of the aisles before and behind
    panel_load_share: Array  # of a rack's weight on one panel of a raised floor


@quantity(unit="W", source="definition")
def rack_liquid_heat_w(*, power_per_rack_w: Array, air_heat_per_rack_w: Array) -> Array:
    """Heat that one rack at its rating gives to liquid."""
    return power_per_rack_w - air_heat_per_rack_w


@quantity(unit="L/min", source="heat balance V = Q / (rho cp dT)")
def rack_coolant_flow_l_per_min(*, liquid_heat_w: Array, coolant_flow_m3_per_j: Array) -> Array:
    """Coolant flow of one rack at its rating; none without liquid heat."""
    flow: Array = np.where(liquid_heat_w == 0, 0.0, liquid_heat_w * coolant_flow_m3_per_j * 1e3 * 60)
    return flow


@quantity(unit="m2", source="definition")
def rack_floor_share_m2(
    *, rack_width_m: Array, rack_depth_m: Array, cold_aisle_m: Array, hot_aisle_m: Array
) -> Array:
    """Floor that a rack in its row has to itself: its footprint and half of both aisles"""
    return rack_width_m * (rack_depth_m + (cold_aisle_m + hot_aisle_m) / 2)


@quantity(unit="N/m2", source="definition")
def floor_load_n_per_m2(*, weight_kg: Array, area_m2: Array) -> Array:
    """Weight of a rack over an area of floor"""
    return weight_kg * STANDARD_GRAVITY_M_PER_S2 / area_m2


@quantity(
    unit="N", source="IBM POWER8 site preparation, floor construction: one third of a rack on one panel"
)
def panel_load_n(*, weight_kg: Array, panel_load_share: Array) -> Array:
    """Weight on the panel of a raised floor that takes most of a rack"""
    return weight_kg * STANDARD_GRAVITY_M_PER_S2 * panel_load_share


def measures(loads: RackLoads, floor: OnFloor) -> dict[str, Array]:
    """By check, what the racks ask. All grow in proportion to what stands in them."""
    return {
        "density": loads.power_w,
        "air_heat": loads.air_heat_w,
        "coolant_flow": rack_coolant_flow_l_per_min(
            liquid_heat_w=loads.liquid_heat_w, coolant_flow_m3_per_j=floor.coolant_flow_m3_per_j
        ),
        "feeds": loads.power_w,
        "current_kind": loads.power_w,
        "power": loads.power_w,
        "liquid_heat": loads.liquid_heat_w,
        "weight": loads.weight_kg,
        "floor_load": floor_load_n_per_m2(weight_kg=loads.weight_kg, area_m2=floor.floor_share_m2),
        "panel_load": panel_load_n(weight_kg=loads.weight_kg, panel_load_share=floor.panel_load_share),
        "height": loads.height_u,
    }
