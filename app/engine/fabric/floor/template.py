"""The racks of one scalable unit. Units of the same make-up have the same ones, so few are worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.contents import Packed, packed
from app.engine.fabric.floor.floor import RACK_KINDS, DeviceSize, Measured, SuperNodeSize
from app.engine.fabric.floor.limits import (
    ALMOST,
    demand_of_device,
    demand_of_node,
    how_many_fit,
    room_of_rack,
)
from app.engine.fabric.graph.graph import Whole, ports_in_order
from app.engine.specs import FloorRules
from app.engine.trace import first_of

COMPUTE, NETWORK, SERVICE = range(len(RACK_KINDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTemplate:
    """Racks of a unit from left to right, with the hosts and then the switches of the unit in them."""

    rack_kind: Whole  # (racks,)
    host_rack: Whole  # (hosts,)
    host_bottom_u: Whole
    device_rack: Whole  # (devices,) kind by kind
    device_bottom_u: Whole


def unit_template(
    size: SuperNodeSize,
    nodes: int,
    counts: Sequence[int],
    sizes: Sequence[DeviceSize],
    rules: FloorRules,
) -> UnitTemplate:
    """Nodes of SuperNodes of one kind and `counts` switches of each size, where the rules put them."""
    room, demands = room_of_rack(rules), [demand_of_device(each) for each in sizes]
    if size.own_racks:
        hosts = _in_own_racks(size, nodes // size.nodes, rules)
    else:
        each = nodes_of_rack(size, rules)
        hosts = _in_server_racks(size, nodes, each)
        if rules.switch_position == "in_rack" and _switches_fit(
            size, each, hosts.racks, counts, demands, room
        ):
            devices = _on_top(hosts.racks, counts, demands, int(room[0]))
            return _joined(hosts, devices, np.arange(hosts.racks), np.empty(0, np.int32))
    devices = packed(counts, demands, room)
    before = hosts.racks if rules.switch_position == "end_of_row" else -(-hosts.racks // 2)
    of_hosts = np.arange(hosts.racks)
    return _joined(
        hosts,
        devices,
        np.where(of_hosts < before, of_hosts, of_hosts + devices.racks),
        before + np.arange(devices.racks),
    )


def nodes_of_rack(size: SuperNodeSize, rules: FloorRules) -> int:
    """Servers that go into one rack, as every part of an evaluation counts them."""
    if size.servers_per_rack is not None:
        return size.servers_per_rack
    fitting = how_many_fit(room_of_rack(rules), demand_of_node(size))
    asked = fitting if rules.nodes_per_rack is None else int(first_of(rules.nodes_per_rack))
    return max(min(fitting, asked), 1)


def _switches_fit(
    size: SuperNodeSize,
    each: int,
    racks: int,
    counts: Sequence[int],
    demands: Sequence[Measured],
    room: Measured,
) -> bool:
    """Return whether full racks of servers have room for their share of the unit's switches."""
    load = each * demand_of_node(size)
    for count, demand in zip(counts, demands, strict=True):
        load = load + -(-count // racks) * demand
    return not np.any(load > room + ALMOST)  # what is unknown is over no limit


def own_height(size: SuperNodeSize, rules: FloorRules) -> int:
    """Heights of a rack that comes with its SuperNode; those of the others where it is not published."""
    known = size.units / max(size.own_racks, 1)
    return int(first_of(rules.rack_units)) if np.isnan(known) else int(np.ceil(known - ALMOST))


def own_node_units(size: SuperNodeSize, rules: FloorRules) -> int:
    """Heights for one tray of a rack that comes with its SuperNode, in equal parts."""
    return max(own_height(size, rules) // -(-size.nodes // size.own_racks), 1)


def _in_own_racks(size: SuperNodeSize, supernodes: int, rules: FloorRules) -> Packed:
    tray = np.tile(np.arange(size.nodes), supernodes)
    supernode = np.repeat(np.arange(supernodes), size.nodes)
    rack = supernode * size.own_racks + tray * size.own_racks // size.nodes
    bottom_u = 1 + ports_in_order(rack) * own_node_units(size, rules)
    return Packed(
        rack=rack.astype(np.int32), bottom_u=bottom_u.astype(np.int32), racks=supernodes * size.own_racks
    )


def _in_server_racks(size: SuperNodeSize, nodes: int, each: int) -> Packed:
    node, units = np.arange(nodes), int(demand_of_node(size)[0])
    return Packed(
        rack=(node // each).astype(np.int32),
        bottom_u=(1 + node % each * units).astype(np.int32),
        racks=-(-nodes // each),
    )


def _on_top(racks: int, counts: Sequence[int], demands: Sequence[Measured], top_u: int) -> Packed:
    """Switches spread evenly over racks, from the top down."""
    rack_parts: list[Whole] = [np.empty(0, np.int32)]
    bottom_parts: list[Whole] = [np.empty(0, np.int32)]
    for count, demand in zip(counts, demands, strict=True):
        rack, units = np.arange(count) * racks // max(count, 1), int(demand[0])
        rack_parts.append(rack)
        bottom_parts.append(top_u + 1 - (1 + ports_in_order(rack)) * units)
        top_u -= -(-count // racks) * units
    return Packed(
        rack=np.concatenate(rack_parts).astype(np.int32),
        bottom_u=np.concatenate(bottom_parts).astype(np.int32),
        racks=0,
    )


def _joined(hosts: Packed, devices: Packed, host_racks: Whole, device_racks: Whole) -> UnitTemplate:
    kind = np.full(hosts.racks + device_racks.size, COMPUTE, np.int32)
    kind[device_racks] = NETWORK
    at = device_racks if device_racks.size else host_racks
    return UnitTemplate(
        rack_kind=kind,
        host_rack=host_racks[hosts.rack].astype(np.int32),
        host_bottom_u=hosts.bottom_u,
        device_rack=at[devices.rack].astype(np.int32),
        device_bottom_u=devices.bottom_u,
    )
