"""From every device of the networks to a floor: who stands in which rack, and which rack where.

SuperNodes of one scalable unit stand together, with the switches that serve them alone. Switches of all
units, and servers of storage and management, stand in racks of their own in the middle of the units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from app.engine.fabric.floor.contents import Listed, listed_devices, packed
from app.engine.fabric.floor.floor import DeviceSize, Floor, Measured, Places, Racks, SuperNodeSize
from app.engine.fabric.floor.limits import demand_of_device, demand_of_node, demand_of_own_rack, room_of_rack
from app.engine.fabric.floor.template import (
    COMPUTE,
    NETWORK,
    SERVICE,
    UnitTemplate,
    nodes_of_rack,
    own_height,
    own_node_units,
    unit_template,
)
from app.engine.fabric.floor.units import supernode_groups, units_of_supernodes, with_full_racks
from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Whole
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
    graphs : by network; hosts have the same numbers in all
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

    Small ones are put together up to half a row: a rack of switches for each would stand empty.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """r racks in the order in which they stand, and the places of hosts and of listed devices in them."""

    rack_kind: Whole  # (r,)
    rack_unit: Whole  # (r,) -1 for what the units share
    slot: Whole  # (r,) place, counted through all rows
    host_rack: Whole
    host_bottom_u: Whole
    device_rack: Whole
    device_bottom_u: Whole


def standing(
    supernodes: Sequence[SuperNodeSize],
    kind_of_unit: Whole,
    unit_of_host: Whole,
    listed: Listed,
    rules: FloorRules,
) -> Standing:
    """Units by their templates; what they share stands in the middle of them."""
    templates, chosen = _templates(supernodes, kind_of_unit, unit_of_host, listed, rules)
    shared_kind, shared, shared_rack, shared_bottom_u = _shared_racks(listed, rules)
    racks_of_unit = np.array([each.rack_kind.size for each in templates], np.int32)[chosen]
    before = -(-chosen.size // 2)
    blocks = np.insert(racks_of_unit, before, shared_kind.size)
    starts = np.cumsum(blocks) - blocks
    start_of_unit, start_of_shared = np.delete(starts, before), int(starts[before])
    in_shared = np.zeros(int(blocks.sum()), bool)
    in_shared[start_of_shared : start_of_shared + shared_kind.size] = True

    rack_kind = np.empty(in_shared.size, np.int32)
    rack_kind[in_shared] = shared_kind
    rack_kind[~in_shared] = _gathered([each.rack_kind for each in templates], chosen)
    rack_unit = np.full(in_shared.size, NONE, np.int32)
    rack_unit[~in_shared] = np.repeat(np.arange(chosen.size), racks_of_unit)

    hosts = np.argsort(unit_of_host, kind="stable")
    host_rack, host_bottom_u = np.empty((2, hosts.size), np.int32)
    host_rack[hosts] = _gathered([each.host_rack for each in templates], chosen)
    host_rack += start_of_unit[unit_of_host]
    host_bottom_u[hosts] = _gathered([each.host_bottom_u for each in templates], chosen)

    with_unit = listed.unit > NONE
    devices = np.lexsort((listed.size, listed.unit))[np.count_nonzero(~with_unit) :]
    device_rack, device_bottom_u = np.empty((2, listed.size.size), np.int32)
    device_rack[devices] = _gathered([each.device_rack for each in templates], chosen)
    device_rack[devices] += start_of_unit[listed.unit[devices]]
    device_bottom_u[devices] = _gathered([each.device_bottom_u for each in templates], chosen)
    device_rack[shared] = start_of_shared + shared_rack
    device_bottom_u[shared] = shared_bottom_u
    dealt = np.flatnonzero(np.array([size.rack == "every" for size in listed.sizes], bool)[listed.size])
    device_rack[dealt] = np.arange(dealt.size) * in_shared.size // max(dealt.size, 1)
    device_bottom_u[dealt] = int(first_of(rules.rack_units)) // 2  # they run along the side of the rack
    alone = [False] * blocks.size
    alone[before] = rules.switch_position == "network_rows"
    return Standing(
        rack_kind=rack_kind,
        rack_unit=rack_unit,
        slot=slots_of_blocks(blocks.tolist(), alone, int(first_of(rules.row_racks))),
        host_rack=host_rack,
        host_bottom_u=host_bottom_u,
        device_rack=device_rack,
        device_bottom_u=device_bottom_u,
    )


def _templates(
    supernodes: Sequence[SuperNodeSize],
    kind_of_unit: Whole,
    unit_of_host: Whole,
    listed: Listed,
    rules: FloorRules,
) -> tuple[list[UnitTemplate], Whole]:
    """The different units there are, and which of them each unit is."""
    units, sizes = kind_of_unit.size, len(listed.sizes)
    mine = listed.unit > NONE
    flat = listed.unit[mine] * sizes + listed.size[mine]
    counts = np.bincount(flat, minlength=units * sizes).reshape(units, sizes)
    make_up = np.column_stack([kind_of_unit, np.bincount(unit_of_host, minlength=units), counts])
    distinct, chosen = np.unique(make_up, axis=0, return_inverse=True)
    templates = [
        unit_template(supernodes[kind], count, devices, listed.sizes, rules)
        for kind, count, *devices in distinct.tolist()
    ]
    return templates, chosen.ravel()


def _shared_racks(listed: Listed, rules: FloorRules) -> tuple[Whole, Whole, Whole, Whole]:
    """Kinds of the racks that no unit has for itself; the devices in them, with rack and height of each."""
    room = room_of_rack(rules)
    kinds, devices, racks, bottoms, found = [], [], [], [], 0
    for kind, name in ((NETWORK, "network"), (SERVICE, "service")):
        sizes = [index for index, size in enumerate(listed.sizes) if size.rack == name]
        mine = [np.flatnonzero((listed.size == size) & (listed.unit == NONE)) for size in sizes]
        places = packed(
            [each.size for each in mine], [demand_of_device(listed.sizes[size]) for size in sizes], room
        )
        kinds.append(np.full(places.racks, kind, np.int32))
        devices.append(np.concatenate([np.empty(0, np.int32), *mine]))
        racks.append(places.rack + found)
        bottoms.append(places.bottom_u)
        found += places.racks
    kind_of_rack, device, rack, bottom_u = (
        np.concatenate(parts) for parts in (kinds, devices, racks, bottoms)
    )
    return kind_of_rack, device, rack, bottom_u


def _gathered(parts: list[Whole], chosen: Whole) -> Whole:
    """The chosen parts one after another, without a loop over the choices.

    >>> _gathered([np.array([7]), np.array([1, 2])], np.array([1, 0, 1])).tolist()
    [1, 2, 7, 1, 2]
    """
    sizes = np.array([part.size for part in parts], np.int64)
    starts, lengths = (np.cumsum(sizes) - sizes)[chosen], sizes[chosen]
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.concatenate([np.empty(0, np.int32), *parts])[np.repeat(starts, lengths) + within]


def slots_of_blocks(sizes: Sequence[int], alone: Sequence[bool], row_racks: int) -> Whole:
    """(racks,) place of every rack, counted through all rows.

    A block that fits into a row is not broken over two. One that is `alone` shares no row with others.

    >>> slots_of_blocks([3, 2, 5], [False, False, False], 4).tolist()
    [0, 1, 2, 4, 5, 6, 7, 8, 9, 10]
    """
    firsts, place, row_is_kept = [], 0, False
    for size, by_itself in zip(sizes, alone, strict=True):
        left = -place % row_racks
        if row_is_kept or by_itself or left < size <= row_racks:
            place += left
        firsts.append(place)
        place += size
        row_is_kept = by_itself
    counts = np.array(sizes, np.int32)
    starts = np.cumsum(counts) - counts
    within = np.arange(counts.sum()) - np.repeat(starts, counts)
    slots: Whole = (np.repeat(np.array(firsts, np.int32), counts) + within).astype(np.int32)
    return slots


def line_middle_m(line: Whole, *, rack_depth_m: float, cold_aisle_m: float, hot_aisle_m: float) -> Measured:
    """(n,) distance of the middle of a line of rows from the edge of the first.

    Lines stand face to face at a cold aisle and back to back at a hot one, in turn.

    >>> line_middle_m(np.arange(3), rack_depth_m=1.0, cold_aisle_m=1.2, hot_aisle_m=0.9).round(3).tolist()
    [0.5, 2.7, 4.6]
    """
    cold, hot = (line + 1) // 2, line // 2
    middle_m: Measured = (line + 0.5) * rack_depth_m + cold * cold_aisle_m + hot * hot_aisle_m
    return middle_m


def middles_m(row: Whole, position: Whole, rules: FloorRules) -> tuple[Measured, Measured]:
    """(n,) (n,) middles of racks along the rows and across them, from the corner of the racks."""
    width_m, depth_m = first_of(rules.rack_width_m), first_of(rules.rack_depth_m)
    cold_m, hot_m = first_of(rules.cold_aisle_m), first_of(rules.hot_aisle_m)
    column_m = first_of(rules.row_racks) * width_m + cold_m  # a cross aisle is as wide as a cold one
    columns = row_columns(
        int(row.max(initial=-1)) + 1, row_length_m=column_m, row_pitch_m=depth_m + (cold_m + hot_m) / 2
    )
    line, column = np.divmod(row, columns)
    x_m = column * column_m + (position + 0.5) * width_m
    return x_m, line_middle_m(line, rack_depth_m=depth_m, cold_aisle_m=cold_m, hot_aisle_m=hot_m)


def row_columns(rows: int, *, row_length_m: float, row_pitch_m: float) -> int:
    """Columns of rows, side by side, that make the floor about as long as it is wide.

    >>> row_columns(270, row_length_m=16.2, row_pitch_m=2.25)
    6
    """
    return max(round(float(np.sqrt(rows * row_pitch_m / row_length_m))), 1)
