"""One kind of rack of a floor with all that is checked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.elevation import FullRack, Shelf
from app.engine.fabric.floor.floor import DeviceSize, SuperNodeSize
from app.engine.fabric.floor.limits import demand_of_node, limits_of_rack
from app.engine.fabric.graph.graph import HOST
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plants import WITHOUT_COOLANT
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.racks.bounds import (
    Bound,
    building_bounds,
    cooling_bounds,
    electrical_bounds,
    planned_bounds,
    tighter,
)
from app.engine.facility.racks.checks import Check, first_limit, rack_checks
from app.engine.facility.racks.loads import (
    OnFloor,
    RackFeeds,
    RackLoads,
    feeder_power_w,
    floor_load_n_per_m2,
    measures,
    rack_coolant_flow_l_per_min,
    rack_feeds,
    rack_floor_share_m2,
)
from app.engine.quantities import quantity
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
class CooledSuperNode:
    """What a SuperNode takes of a rack, and its rating and share of liquid as its plant cools it."""

    size: SuperNodeSize
    power_w: float
    liquid_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfHeat:
    """Heat per height unit of a device in a rack. NaN where unknown."""

    name: str
    what: str
    bottom_u: int
    units: int
    air_w_per_u: float
    liquid_w_per_u: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RackHeat:
    """Rated power and heat of one rack as it is cooled."""

    power_w: float
    air_heat_w: float
    liquid_heat_w: float
    shelves: tuple[ShelfHeat, ...]  # from the bottom up


@quantity(unit="W/U", source="definition")
def heat_w_per_u(*, power_w: Array, loop_share: Array, units: Array) -> Array:
    """Heat that one height unit gives to a loop."""
    return power_w * loop_share / units


def rack_heat(
    rack: FullRack,
    *,
    supernode: CooledSuperNode | None,
    devices: Mapping[str, Mapping[str, DeviceSize]],
    plant: str,
) -> RackHeat:
    """A rack as a plant cools it: without coolant all goes to air, in a tank all of the SuperNode to oil.

    Parameters
    ----------
    rack : with powers and heats as the catalog states them
    supernode : whose servers stand in it; None where there are none
    devices : sizes of all else, by network and kind
    """
    shelves = [shelf for shelf in rack.shelves if shelf.units]
    loads = [_load(shelf, supernode, devices, plant) for shelf in shelves]
    power_w = sum((power for power, _ in loads), 0.0)
    liquid_w = sum((power * share if power else 0.0 for power, share in loads), 0.0)
    if supernode and supernode.size.own_racks:  # shared parts of a rack that comes whole are in its rating
        power_w = supernode.power_w / supernode.size.own_racks
        liquid_w = power_w * liquid_share_in(plant, supernode.liquid_share)
    return RackHeat(
        power_w=power_w,
        air_heat_w=power_w - liquid_w,
        liquid_heat_w=liquid_w,
        shelves=tuple(_by_unit(shelf, *load) for shelf, load in zip(shelves, loads, strict=True)),
    )


def _load(
    shelf: Shelf,
    supernode: CooledSuperNode | None,
    devices: Mapping[str, Mapping[str, DeviceSize]],
    plant: str,
) -> tuple[float, float]:
    """Power of a thing, and the share of its heat that goes to liquid."""
    if shelf.kind == HOST and supernode:
        return supernode.power_w / supernode.size.nodes, liquid_share_in(plant, supernode.liquid_share)
    return shelf.power_w, liquid_share_in(plant, devices[shelf.network][shelf.kind].liquid_share)


def liquid_share_in(plant: str, liquid_share: float) -> float:
    """Share of its heat that a thing gives to liquid: none in a hall without coolant."""
    return 0.0 if plant in WITHOUT_COOLANT else liquid_share


def _by_unit(shelf: Shelf, power_w: float, liquid_share: float) -> ShelfHeat:
    thing = {"power_w": np.full(1, power_w), "units": np.full(1, float(shelf.units))}
    return ShelfHeat(
        name=shelf.name,
        what=shelf.what,
        bottom_u=shelf.bottom_u,
        units=shelf.units,
        air_w_per_u=float(heat_w_per_u(loop_share=np.full(1, 1 - liquid_share), **thing)[0]),
        liquid_w_per_u=float(heat_w_per_u(loop_share=np.full(1, liquid_share), **thing)[0]),
    )


GAS_CONSTANT_OF_AIR_J_PER_KG_K = 287.055  # ISO 2533
HEAT_CAPACITY_OF_AIR_J_PER_KG_K = 1006.0  # dry air near 25 degC
FREEZING_K = 273.15
CFM_PER_M3_PER_S = 2118.88  # cubic feet a minute: 60 / 0.3048^3


@dataclass(frozen=True, slots=True, kw_only=True)
class RackAir:
    """The air of one rack at its rating. Unknown is NaN."""

    flow_m3_per_s: float
    flow_cfm: float
    density_kg_per_m3: float
    rise_k: float
    inlet_c: float
    supply_c: float  # of the hall's air handlers
    recirculation_share: float


@quantity(unit="kg/m3", source="ideal gas, ISO 2533 gas constant of dry air")
def air_density_kg_per_m3(*, pressure_pa: Array, air_c: Array) -> Array:
    """Density of air."""
    return pressure_pa / (GAS_CONSTANT_OF_AIR_J_PER_KG_K * (air_c + FREEZING_K))


@quantity(unit="m3/s", source="heat balance V = Q / (rho cp dT)")
def rack_air_flow_m3_per_s(*, air_heat_w: Array, air_density_kg_per_m3: Array, air_rise_k: Array) -> Array:
    """Air through a rack that carries its heat to air."""
    return air_heat_w / (air_density_kg_per_m3 * HEAT_CAPACITY_OF_AIR_J_PER_KG_K * air_rise_k)


@quantity(unit="ft3/min", source="definition")
def rack_air_flow_cfm(*, rack_air_flow_m3_per_s: Array) -> Array:
    """Air through a rack in cubic feet a minute."""
    return rack_air_flow_m3_per_s * CFM_PER_M3_PER_S


@quantity(unit="K", source="mixing: inlet = (1 - r) supply + r (inlet + rise)")
def recirculation_rise_k(*, recirculation_share: Array, air_rise_k: Array) -> Array:
    """Inlet temperature rise over the supply air by recirculation."""
    return recirculation_share / (1 - recirculation_share) * air_rise_k


@quantity(unit="degC", source="definition")
def air_supply_for_inlet_c(*, rack_inlet_c: Array, recirculation_rise_k: Array) -> Array:
    """Air that the hall's air handlers supply, for racks to breathe what they are meant to."""
    return rack_inlet_c - recirculation_rise_k


def rack_air(*, air_heat_w: Array, pressure_pa: Array, assumptions: FacilityAssumptions) -> RackAir:
    """Air that one rack breathes at the altitude of its site."""
    a = assumptions
    density = air_density_kg_per_m3(pressure_pa=pressure_pa, air_c=a.hall_air_supply_c)
    flow = rack_air_flow_m3_per_s(
        air_heat_w=air_heat_w, air_density_kg_per_m3=density, air_rise_k=a.rack_air_rise_k
    )
    warmer = recirculation_rise_k(
        recirculation_share=a.containment_recirculation_share, air_rise_k=a.rack_air_rise_k
    )
    supply = air_supply_for_inlet_c(rack_inlet_c=a.hall_air_supply_c, recirculation_rise_k=warmer)
    return RackAir(
        flow_m3_per_s=first_of(flow),
        flow_cfm=first_of(rack_air_flow_cfm(rack_air_flow_m3_per_s=flow)),
        density_kg_per_m3=first_of(density),
        rise_k=first_of(a.rack_air_rise_k),
        inlet_c=first_of(a.hall_air_supply_c),
        supply_c=first_of(supply),
        recirculation_share=first_of(a.containment_recirculation_share),
    )


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
    rack : one of this kind
    racks : number of racks with the same contents
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
