"""What racks ask of a hall, each as a value that grows with what stands in them.

Racks of SuperNodes as they are installed: how many of each kind, and what the fullest one draws.

The one place from which power, cooling, the electrical chain, the floor plan and the racks take their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.limits import packed_servers, racks_filled
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.liquid_loops import as_cooled
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.feeders import line_current_a
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.electrical.redundancy import units_needed
from app.engine.facility.electrical.sizing import continuous_factor, line_power_w
from app.engine.facility.it import power as it_power
from app.engine.facility.it.supernode import supernode_rating_w
from app.engine.quantities import quantity
from app.engine.specs import Facility, Pod, SuperNode
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Racked:
    """Racks of the SuperNodes of one kind, as arrays over samples. Unknown is NaN."""

    installed: Array  # SuperNodes, with their part of the spares
    rating_w: Array  # of one SuperNode at the inlet of its rack
    liquid_share: Array  # as its plant cools it
    racks: Array
    servers: Array  # in the fullest rack
    power_w: Array  # of the fullest rack


def racked(
    of_kinds: Sequence[tuple[SuperNode, Array]],
    *,
    pod: Pod,
    installed: Array,
    plant: str,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> tuple[Racked, ...]:
    """The racks of each kind of SuperNode.

    Parameters
    ----------
    of_kinds : SuperNodes as their data sheets state them, each with its count
    installed : SuperNodes of all kinds, spares included; fractions are hosts or cubes
    """
    return tuple(
        _racked(supernode, count, len(of_kinds) > 1, pod, installed, plant, facility, assumptions)
        for supernode, count in of_kinds
    )


def _racked(
    supernode: SuperNode,
    count: Array,
    mixed: bool,
    pod: Pod,
    installed: Array,
    plant: str,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> Racked:
    if mixed:
        installed = it_power.installed_of_kind(
            supernodes_of_kind=count,
            supernodes=pod.supernodes,
            installed_supernodes=installed,
            nodes=supernode.nodes,
        )
    each = packed_servers(supernode, pod.floor)
    cooled = as_cooled(supernode=supernode, plant=plant, assumptions=assumptions)
    rating_w = supernode_rating_w(
        supernode=cooled, distribution=facility.distribution, assumptions=assumptions
    )
    servers = it_power.servers_in_fullest_rack(
        servers_per_rack=each, installed_supernodes=installed, nodes=supernode.nodes
    )
    return Racked(
        installed=installed,
        rating_w=rating_w,
        liquid_share=cooled.liquid_share,
        racks=racks_filled(supernodes=installed, nodes=supernode.nodes, servers_per_rack=each),
        servers=servers,
        power_w=it_power.rack_of_kind_w(
            supernode_power_rating_w=rating_w, nodes=supernode.nodes, servers_in_fullest_rack=servers
        ),
    )


DIRECT_CURRENT = "dc_800"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackFeeds:
    """Feeds of one rack. Unknown is NaN; `shelves` are 0 where servers bring their own power supplies."""

    sides: int  # paths that each carry the rack alone: 2 for A and B
    voltage_v: float
    breaker_a: float
    feeder_w: float  # of one feed, continuous
    feeds_per_side: float
    current_a: float  # of a line of each feed, while one side carries all
    current_limit_a: float  # continuous
    shelves: float


@quantity(unit="A", source="P = U I")
def direct_current_a(*, power_w: Array, voltage_v: Array) -> Array:
    """Current of a load of direct current."""
    return power_w / voltage_v


@quantity(unit="W", source="definition")
def power_of_feed_w(*, power_w: Array, feeds_per_side: Array) -> Array:
    """Power of one feed of a rack while its side carries all; none where there is no power"""
    return power_w / np.maximum(feeds_per_side, 1)


def feed_breaker_a(chain: Chain, electrical: ElectricalAssumptions) -> Array:
    """Breaker of one feed of a rack, by the standard."""
    return electrical.feeder_current_nec_a if chain.standard == "nec" else electrical.feeder_current_iec_a


def feeder_power_w(chain: Chain, electrical: ElectricalAssumptions) -> Array:
    """What one feed of a rack carries continuously."""
    return line_power_w(feed_breaker_a(chain, electrical), chain, electrical)


def rack_feeds(
    *, power_w: Array, has_shelves: bool, chain: Chain, electrical: ElectricalAssumptions
) -> RackFeeds:
    """Feeds of a rack at its rating: as few on each side as carry all of it."""
    breaker_a, feeder_w = feed_breaker_a(chain, electrical), feeder_power_w(chain, electrical)
    sides = 2 if chain.redundancy_of("rack_feed") == "2N" else 1
    feeds = units_needed(load_w=power_w, unit_w=feeder_w)
    of_one = {
        "power_w": power_of_feed_w(power_w=power_w, feeds_per_side=feeds),
        "voltage_v": electrical.distribution_voltage_v,
    }
    if chain.distribution == DIRECT_CURRENT:
        current_a = direct_current_a(**of_one)
    else:
        current_a = line_current_a(**of_one, power_factor=electrical.power_factor)
    shelves = (
        sides * units_needed(load_w=power_w, unit_w=electrical.shelf_unit_w) if has_shelves else np.zeros(1)
    )
    numbers = {
        "voltage_v": electrical.distribution_voltage_v,
        "breaker_a": breaker_a,
        "feeder_w": feeder_w,
        "feeds_per_side": feeds,
        "current_a": current_a,
        "current_limit_a": breaker_a * continuous_factor(chain.standard, electrical),
        "shelves": shelves,
    }
    return RackFeeds(sides=sides, **{name: float(number.ravel()[0]) for name, number in numbers.items()})
