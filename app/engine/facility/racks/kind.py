"""One kind of rack of a floor with all that is checked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.elevation import FullRack
from app.engine.fabric.floor.floor import DeviceSize
from app.engine.fabric.floor.limits import demand_of_node, limits_of_rack
from app.engine.fabric.graph.kinds import HOST
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.racks.air import RackAir, rack_air
from app.engine.facility.racks.bounds import (
    Bound,
    building_bounds,
    cooling_bounds,
    electrical_bounds,
    planned_bounds,
    tighter,
)
from app.engine.facility.racks.checks import Check, first_limit, rack_checks
from app.engine.facility.racks.feeds import RackFeeds, feeder_power_w, rack_feeds
from app.engine.facility.racks.heat import CooledSuperNode, RackHeat, liquid_share_in, rack_heat
from app.engine.facility.racks.loads import (
    OnFloor,
    RackLoads,
    floor_load_n_per_m2,
    measures,
    rack_coolant_flow_l_per_min,
    rack_floor_share_m2,
)
from app.engine.specs import FloorRules
from app.engine.trace import Array, first_of

PLANNED = ("height", "power", "air_heat", "liquid_heat", "weight")  # the order of floor.limits.MEASURES
STATED = {name: f"rack_{name}_w" for name in ("power", "air_heat", "liquid_heat")} | {"height": "rack_units"}
"""By check, the field of the floor by which a scenario binds a rack that comes whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """What the racks of a design stand in."""

    plant: str
    chain: Chain
    rules: FloorRules
    coolant_flow_m3_per_j: Array
    air_pressure_pa: Array
    assumptions: FacilityAssumptions
    electrical: ElectricalAssumptions


@dataclass(frozen=True, slots=True, kw_only=True)
class RackKind:
    """Racks that hold the same. Unknown is NaN."""

    name: str
    kind: str  # of RACK_KINDS
    racks: int
    example: FullRack
    servers: int
    whole: bool  # delivered as it is, with power shelves and manifolds of its own
    heat: RackHeat
    weight_kg: float
    footprint_load_kg_per_m2: float
    footprint_load_n_per_m2: float
    coolant_flow_l_per_min: float
    pumping_units: float  # rack pumping units that would carry that flow
    feeds: RackFeeds
    air: RackAir
    checks: tuple[Check, ...]  # the fullest first
    first: Check | None  # what stops it from taking more

    @property
    def over(self) -> tuple[Check, ...]:
        """Checks beyond a limit: it cannot be built so."""
        return tuple(check for check in self.checks if check.status == "over")


def rack_kind(
    rack: FullRack,
    *,
    racks: int,
    supernode: CooledSuperNode | None,
    devices: Mapping[str, Mapping[str, DeviceSize]],
    hall: Hall,
) -> RackKind:
    """A rack and its checks.

    Parameters
    ----------
    rack : one of them
    racks : how many hold the same
    supernode : whose servers stand in it; None where there are none
    devices : sizes of all else, by network and kind
    """
    heat = rack_heat(rack, supernode=supernode, devices=devices, plant=hall.plant)
    servers = sum(shelf.kind == HOST for shelf in rack.shelves)
    whole = supernode is not None and supernode.size.own_racks > 0
    rules, a = hall.rules, hall.assumptions
    floor = OnFloor(
        coolant_flow_m3_per_j=hall.coolant_flow_m3_per_j,
        floor_share_m2=rack_floor_share_m2(
            rack_width_m=rules.rack_width_m,
            rack_depth_m=rules.rack_depth_m,
            cold_aisle_m=rules.cold_aisle_m,
            hot_aisle_m=rules.hot_aisle_m,
        ),
        panel_load_share=a.floor_panel_load_share,
    )
    service_u = 0.0 if whole else first_of(rules.service_units)
    values = measures(_loads(heat, rack.weight_kg, rack.used_u + service_u), floor)
    one_more = None if supernode is None or whole else measures(_of_one(supernode, hall.plant), floor)
    checks = rack_checks(values=values, of_one=one_more, bounds=_bounds(heat, whole, hall))
    footprint = floor_load_n_per_m2(
        weight_kg=np.full(1, rack.weight_kg), area_m2=rules.rack_width_m * rules.rack_depth_m
    )
    flow = rack_coolant_flow_l_per_min(
        liquid_heat_w=np.full(1, heat.liquid_heat_w), coolant_flow_m3_per_j=hall.coolant_flow_m3_per_j
    )
    return RackKind(
        name=_name(rack, supernode),
        kind=rack.kind,
        racks=racks,
        example=rack,
        servers=servers,
        whole=whole,
        heat=heat,
        weight_kg=rack.weight_kg,
        footprint_load_kg_per_m2=rack.weight_kg / first_of(rules.rack_width_m * rules.rack_depth_m),
        footprint_load_n_per_m2=first_of(footprint),
        coolant_flow_l_per_min=first_of(flow),
        pumping_units=float(np.ceil(first_of(flow / a.rack_pumping_unit_flow_l_per_min))),
        feeds=rack_feeds(
            power_w=np.full(1, heat.power_w), has_shelves=whole, chain=hall.chain, electrical=hall.electrical
        ),
        air=rack_air(air_heat_w=np.full(1, heat.air_heat_w), pressure_pa=hall.air_pressure_pa, assumptions=a),
        checks=tuple(checks),
        first=first_limit(checks),
    )


def _loads(heat: RackHeat, weight_kg: float, height_u: float) -> RackLoads:
    return RackLoads(
        power_w=np.full(1, heat.power_w),
        air_heat_w=np.full(1, heat.air_heat_w),
        liquid_heat_w=np.full(1, heat.liquid_heat_w),
        weight_kg=np.full(1, weight_kg),
        height_u=np.full(1, float(height_u)),
    )


def _of_one(supernode: CooledSuperNode, plant: str) -> RackLoads:
    """One server more, as the plant cools it."""
    units, _, _, _, weight_kg = demand_of_node(supernode.size).tolist()
    power_w, share = supernode.power_w / supernode.size.nodes, liquid_share_in(plant, supernode.liquid_share)
    heat = RackHeat(
        power_w=power_w, air_heat_w=power_w * (1 - share), liquid_heat_w=power_w * share, shelves=()
    )
    return _loads(heat, weight_kg, units)


def _bounds(heat: RackHeat, whole: bool, hall: Hall) -> dict[str, Bound]:
    limits = dict(zip(PLANNED, np.split(limits_of_rack(hall.rules), len(PLANNED)), strict=True))
    binds = {
        name: np.array([not whole or name == "weight" or STATED[name] in hall.rules.stated])
        for name in limits
    }
    planned = planned_bounds(limits, binds)
    share = heat.liquid_heat_w / heat.power_w if heat.power_w else 0.0
    cooling = cooling_bounds(
        plant=hall.plant, liquid_heat_share=np.full(1, share), assumptions=hall.assumptions
    )
    cooling["air_heat"] = tighter(cooling["air_heat"], planned.pop("air_heat"))
    electrical = electrical_bounds(
        distribution=hall.chain.distribution,
        feeder_w=feeder_power_w(hall.chain, hall.electrical),
        assumptions=hall.assumptions,
    )
    return cooling | electrical | planned | building_bounds(hall.assumptions)


def _name(rack: FullRack, supernode: CooledSuperNode | None) -> str:
    """What stands in it, most of it first."""
    if supernode and supernode.size.own_racks:
        return f"{'Rack of ' if supernode.size.own_racks > 1 else ''}{supernode.size.name}"
    things = Counter(shelf.what for shelf in rack.shelves if shelf.units)
    return ", ".join(f"{count} \u00d7 {what}" for what, count in things.most_common()) or "Nothing"
