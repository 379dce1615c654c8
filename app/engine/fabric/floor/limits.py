"""What a rack may take, what things take of it, and how many racks SuperNodes fill: the one packing of a design.

Floor plan, networks, power, cooling and warnings all count racks by `packed_servers` and `racks_filled`. Servers
are put into racks by their data sheet: a power cap or another feed leaves them where they are.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Measured, SuperNodeSize
from app.engine.quantities import quantity
from app.engine.specs import FloorRules, SuperNode
from app.engine.trace import Array, first_of

MEASURES = ("height", "power", "air_heat", "liquid_heat", "weight")
"""The order of every vector of this module: U, W, W, W, kg."""

ALMOST = 1e-9  # a limit that is met exactly is met, whatever the rounding


@quantity(unit="1", source="definition: a rack is not shared once a SuperNode fills one")
def own_racks(*, racks: Array) -> Array:
    """Racks that a SuperNode comes in, whole ones; none for servers, which are put into racks"""
    return np.where(racks >= 1, np.ceil(racks - ALMOST), 0.0)


@quantity(unit="1", source="definition")
def rack_units_of_server(*, rack_units: Array, nodes: Array, node_units: Array) -> Array:
    """Rack units of one server, rounded up; an assumption where not published"""
    return np.ceil(np.where(np.isnan(rack_units), node_units, rack_units / nodes) - ALMOST)


@quantity(unit="1", source="definition: the tightest limit of a rack, and what the scenario states")
def servers_per_rack(
    *,
    nodes: Array,
    own_racks: Array,
    servers_asked: Array,
    room: tuple[Array, ...],
    demand: tuple[Array, ...],
) -> Array:
    """Servers of a full rack: as many as its height, power, heat and weight allow, and one at least

    What is unknown limits nothing. A rack that comes with its SuperNode holds its part of the nodes.

    Parameters
    ----------
    servers_asked : what the scenario states; not a number where it leaves that to the limits
    room : what a rack has left for servers, in the order of MEASURES
    demand : what one server takes of it
    """
    most = servers_asked
    for has, takes in zip(room, demand, strict=True):
        fitting = np.floor((has + ALMOST) / np.where(takes > 0, takes, np.nan))
        most = np.fmin(most, fitting)
    return np.where(own_racks > 0, nodes / np.where(own_racks > 0, own_racks, 1.0), np.maximum(most, 1.0))


@quantity(unit="1", source="definition")
def racks_filled(*, supernodes: Array, nodes: Array, servers_per_rack: Array) -> Array:
    """Racks that SuperNodes of one kind fill with their hosts; only the last one is perhaps not full"""
    return np.ceil(np.round(np.ceil(supernodes * nodes - ALMOST) / servers_per_rack, 6))


@quantity(unit="1", source="definition", at="power.racks")
def racks_of_all_kinds(*, by_kind: tuple[Array, ...]) -> Array:
    """Racks of SuperNodes, including spares; racks of switches, storage and servers are not counted."""
    return sum(by_kind[1:], start=by_kind[0])


@quantity(unit="1", source="definition")
def servers_sharing_a_rack(*, nodes: Array, racks: Array) -> Array:
    """Servers that share a rack where the scenario states that a SuperNode fills a part of one."""
    shared = (racks > 0) & (racks < 1)
    return np.where(shared, np.floor(nodes / np.where(shared, racks, 1.0) + ALMOST), np.nan)


def servers_asked(supernode: SuperNode, rules: FloorRules | None) -> Array:
    """Servers of a rack as the scenario states them, in either field; not a number where it leaves that open."""
    sharing: Array = servers_sharing_a_rack(nodes=supernode.nodes, racks=supernode.racks)
    if rules is None or rules.nodes_per_rack is None:
        return sharing
    return np.fmin(sharing, rules.nodes_per_rack)


def packed_servers(supernode: SuperNode, rules: FloorRules | None) -> Array:
    """Servers of a full rack of SuperNodes of one kind; without rules only what their spec states."""
    nothing = np.full(1, np.nan)
    power_w, share = supernode.max_power_w / supernode.nodes, supernode.liquid_share
    room: tuple[Array, ...] = ()
    demand: tuple[Array, ...] = ()
    if rules is not None:
        weight_kg = nothing if supernode.weight_kg is None else supernode.weight_kg / supernode.nodes
        room = (
            rules.rack_units - rules.service_units,
            rules.rack_power_w,
            rules.rack_air_heat_w,
            rules.rack_liquid_heat_w,
            rules.rack_weight_kg - rules.rack_own_weight_kg,
        )
        units = rack_units_of_server(
            rack_units=supernode.rack_units, nodes=supernode.nodes, node_units=rules.node_units
        )
        demand = (units, power_w, power_w * (1 - share), power_w * share, weight_kg)
    return servers_per_rack(
        nodes=supernode.nodes,
        own_racks=own_racks(racks=supernode.racks),
        servers_asked=servers_asked(supernode, rules),
        room=room,
        demand=demand,
    )


def room_of_rack(rules: FloorRules) -> Measured:
    """(5,) what a rack has left for devices: less its service units and its own weight."""
    own = np.array([first_of(rules.service_units), 0, 0, 0, first_of(rules.rack_own_weight_kg)])
    room: Measured = limits_of_rack(rules) - own
    return room


def limits_of_rack(rules: FloorRules) -> Measured:
    """(5,) limits of a rack with all that is in it."""
    limits = (
        rules.rack_units,
        rules.rack_power_w,
        rules.rack_air_heat_w,
        rules.rack_liquid_heat_w,
        rules.rack_weight_kg,
    )
    return np.array([first_of(limit) for limit in limits])


def demand_of_device(size: DeviceSize) -> Measured:
    """(5,) what one device takes."""
    return demand(size.units, size.power_w, size.liquid_share, size.weight_kg)


def demand_of_node(size: SuperNodeSize) -> Measured:
    """(5,) what one node takes that is put into a rack."""
    return demand(node_units(size), size.power_w / size.nodes, size.liquid_share, size.weight_kg / size.nodes)


def demand_of_own_rack(size: SuperNodeSize) -> Measured:
    """(5,) what one rack is that comes with its SuperNode."""
    parts = size.own_racks
    return demand(size.units / parts, size.power_w / parts, size.liquid_share, size.weight_kg / parts)


def node_units(size: SuperNodeSize) -> int:
    """Whole heights of one node."""
    return int(np.ceil(size.units / size.nodes - ALMOST))


def demand(units: float, power_w: float, liquid_share: float, weight_kg: float) -> Measured:
    air_w = power_w * (1 - liquid_share)
    return np.array([units, power_w, air_w, power_w * liquid_share, weight_kg])


def how_many_fit(room: Measured, each: Measured) -> int:
    """Number of things of one demand that fit into a room. What is unknown limits nothing.

    >>> how_many_fit(np.array([42, 41e3, 41e3, 0, 1200]), np.array([8, 10.2e3, 10.2e3, 0, np.nan]))
    4
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(each > 0, (room + ALMOST) / each, np.inf)
    fewest = float(np.min(np.nan_to_num(times, nan=np.inf, posinf=np.inf)))
    return max(int(fewest), 0) if np.isfinite(fewest) else np.iinfo(np.int32).max
