"""From every device of the networks to a floor: who stands in which rack, and which rack where.

SuperNodes of one scalable unit stand together, with the switches that serve them alone. Switches of all
units, and servers of storage and management, stand in racks of their own in the middle of the units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Floor, Places, Racks, SuperNodeSize
from app.engine.fabric.floor.limits import demand_of_device, demand_of_node, demand_of_own_rack
from app.engine.fabric.floor.listed import Listed, listed_devices
from app.engine.fabric.floor.rows import middles_m
from app.engine.fabric.floor.standing import Standing, standing
from app.engine.fabric.floor.template import COMPUTE, nodes_of_rack, own_height, own_node_units
from app.engine.fabric.floor.units import supernode_groups, units_of_supernodes, with_full_racks
from app.engine.fabric.graph.graph import NONE, FabricGraph, Whole
from app.engine.fabric.graph.kinds import HOST
from app.engine.specs import FloorRules
from app.engine.trace import first_of


def floor_plan(
    graphs: Mapping[str, FabricGraph],
    *,
    supernodes: Sequence[SuperNodeSize],
    devices: Mapping[str, Mapping[str, DeviceSize]],
    rules: FloorRules,
    one_and_the_same: Mapping[str, Mapping[str, Sequence[tuple[str, str]]]] | None = None,
) -> Floor:
    """Racks and rows for every device of the networks.

    Parameters
    ----------
    graphs : by network; hosts have the same numbers in all of them
    supernodes : what the SuperNodes of each kind take, in the order of their hosts; spares come after all
    devices : size of the other kinds of device, by network and kind
    rules : what a rack and the floor may take
    one_and_the_same : by network and kind, the networks and kinds among whose devices they are, in order
    """
    same = one_and_the_same or {}
    numbers = [size.count for size in supernodes] + [size.spares for size in supernodes]
    kinds = np.repeat(np.tile(np.arange(len(supernodes)), 2), numbers)
    nodes = np.array([size.nodes for size in supernodes])[kinds]
    unit = _units(graphs, supernodes, kinds, np.cumsum(nodes) - nodes, rules)
    kind_of_host = np.repeat(kinds, nodes)
    listed = listed_devices(graphs, devices, np.repeat(unit, nodes), same, rules)
    per_rack = np.array([0 if size.own_racks else nodes_of_rack(size, rules) for size in supernodes])
    unit_of_host, became = with_full_racks(np.repeat(unit, nodes), kind_of_host, per_rack)
    if became.size:
        listed = replace(listed, unit=np.where(listed.unit > NONE, became[listed.unit], NONE))
    kind_of_unit = np.zeros(int(unit_of_host.max(initial=NONE)) + 1, np.int32)
    kind_of_unit[unit_of_host] = kind_of_host
    supernodes = [size.as_installed for size in supernodes]
    stood = standing(supernodes, kind_of_unit, unit_of_host, listed, rules)
    hosts = _hosts(supernodes, kind_of_host, stood, rules)
    others = Places(
        rack=stood.device_rack,
        bottom_u=stood.device_bottom_u,
        units=np.array([size.units for size in listed.sizes], np.int32)[listed.size],
        power_w=np.array([size.power_w for size in listed.sizes], float)[listed.size],
    )
    racks = _racks(supernodes, kind_of_unit, kind_of_host, listed, stood, rules)
    around_m, depth_m = 2 * first_of(rules.cold_aisle_m), first_of(rules.rack_depth_m)
    half_rack_m = first_of(rules.rack_width_m) / 2
    return Floor(
        racks=racks,
        hosts=hosts,
        places=_by_network(graphs, hosts, listed, others, same),
        rack_units=_highest(supernodes, (hosts, others), rules),
        row_count=int(racks.row.max(initial=-1)) + 1,
        length_m=float(racks.x_m.max(initial=-half_rack_m)) + half_rack_m + around_m,
        width_m=float(racks.y_m.max(initial=-depth_m / 2)) + depth_m / 2 + around_m,
    )


def _units(
    graphs: Mapping[str, FabricGraph],
    supernodes: Sequence[SuperNodeSize],
    kinds: Whole,
    first_hosts: Whole,
    rules: FloorRules,
) -> Whole:
    """(supernodes,) units. Where no network names any, a row of racks is one.

    Small ones are put together up to half a row: a rack of switches for each of them would stand empty.
    """
    row = int(first_of(rules.row_racks))

    def supernodes_in(racks: int) -> Whole:
        return np.array(
            [
                racks // size.own_racks
                if size.own_racks
                else racks * nodes_of_rack(size, rules) // size.nodes
                for size in supernodes
            ]
        )

    groups = supernode_groups(graphs, first_hosts)
    return units_of_supernodes(groups, kinds, np.maximum(supernodes_in(row), 1), supernodes_in(row // 2))


def _hosts(
    supernodes: Sequence[SuperNodeSize], kind_of_host: Whole, stood: Standing, rules: FloorRules
) -> Places:
    units = [
        own_node_units(size, rules) if size.own_racks else int(demand_of_node(size)[0]) for size in supernodes
    ]
    return Places(
        rack=stood.host_rack,
        bottom_u=stood.host_bottom_u,
        units=np.array(units, np.int32)[kind_of_host],
        power_w=np.array([size.power_w / size.nodes for size in supernodes])[kind_of_host],
    )


def _racks(
    supernodes: Sequence[SuperNodeSize],
    kind_of_unit: Whole,
    kind_of_host: Whole,
    listed: Listed,
    stood: Standing,
    rules: FloorRules,
) -> Racks:
    """Racks with the sum of what stands in them; one that comes with its SuperNode is a part of it."""
    row, position = np.divmod(stood.slot, int(first_of(rules.row_racks)))
    x_m, y_m = middles_m(row, position, rules)
    own = np.array([bool(size.own_racks) for size in supernodes])
    whole = np.array([demand_of_own_rack(size) if size.own_racks else np.zeros(5) for size in supernodes])
    with_supernode = (stood.rack_kind == COMPUTE) & own[kind_of_unit[stood.rack_unit]]
    of_nodes = np.array([np.zeros(5) if size.own_racks else demand_of_node(size) for size in supernodes])
    of_devices = np.array([demand_of_device(size) for size in listed.sizes]).reshape(-1, 5)
    totals = np.array([
        np.bincount(stood.host_rack, weights=of_nodes[kind_of_host, measure], minlength=row.size)
        + np.bincount(stood.device_rack, weights=of_devices[listed.size, measure], minlength=row.size)
        for measure in range(5)
    ])  # fmt: skip
    totals[4] += np.where(with_supernode, 0.0, first_of(rules.rack_own_weight_kg))
    totals[:, with_supernode] += whole[kind_of_unit[stood.rack_unit[with_supernode]]].T
    heights = np.array([own_height(size, rules) if size.own_racks else 0 for size in supernodes])
    used_u = np.where(with_supernode, heights[kind_of_unit[stood.rack_unit]], totals[0])
    return Racks(
        kind=stood.rack_kind,
        row=row,
        position=position,
        unit=stood.rack_unit,
        x_m=x_m,
        y_m=y_m,
        used_u=used_u.astype(np.int32),
        power_w=totals[1],
        air_heat_w=totals[2],
        liquid_heat_w=totals[3],
        weight_kg=totals[4],
    )


def _by_network(
    graphs: Mapping[str, FabricGraph],
    hosts: Places,
    listed: Listed,
    others: Places,
    same: Mapping[str, Mapping[str, Sequence[tuple[str, str]]]],
) -> dict[str, Places]:
    """The places of the devices of each network, in the order of its graph."""
    places: dict[str, Places] = {}
    for network, (name, graph) in enumerate(graphs.items()):
        mine, joined = listed.network == network, graph.of_kind(HOST)
        parts = [
            (joined, hosts, graph.devices.number[joined]),
            (listed.device[mine], others, np.flatnonzero(mine)),
        ]
        for kind, known in same.get(name, {}).items():
            devices = graph.of_kind(kind)
            found = _taken([(places[one], graphs[one].of_kind(other)) for one, other in known])
            parts.append((devices, found, np.arange(devices.size) % max(found.rack.size, 1)))
        places[name] = _taken([(source, index) for _, source, index in parts])
        order = np.argsort(np.concatenate([devices for devices, _, _ in parts]), kind="stable")
        places[name] = _taken([(places[name], order)])
    return places


def _taken(parts: Sequence[tuple[Places, Whole]]) -> Places:
    """Some places of several, one after another."""
    columns = {
        field.name: np.concatenate([getattr(places, field.name)[index] for places, index in parts])
        for field in fields(Places)
    }
    return Places(**columns)


def _highest(supernodes: Sequence[SuperNodeSize], places: Sequence[Places], rules: FloorRules) -> int:
    tops = [int((each.bottom_u + each.units - 1).max(initial=0)) for each in places]
    heights = [own_height(size, rules) for size in supernodes if size.own_racks]
    return max(int(first_of(rules.rack_units)), *tops, *heights)
