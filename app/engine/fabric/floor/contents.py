"""Contents of each rack: every device of every network once, whatever networks it is in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Floor, Measured, Places, SuperNodeSize
from app.engine.fabric.floor.limits import how_many_fit
from app.engine.fabric.floor.units import units_of_devices
from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Whole
from app.engine.specs import FloorRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """A sort of device: what it is, and the network it was first met in ("" for nodes)."""

    name: str  # "QM9700 / QM9790"
    kind: str  # host | leaf | spine | ...
    network: str
    rack: str  # kind of rack it stands in


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """d devices, sort by sort."""

    sorts: tuple[Sort, ...]
    sort: Whole  # (d,) index into sorts
    device: Whole  # (d,) index into the devices of its network; the number of the node for nodes
    rack: Whole
    bottom_u: Whole
    units: Whole
    power_w: Measured


def node_name(size: SuperNodeSize) -> str:
    """What one node of a SuperNode is called in its rack."""
    return size.name if size.nodes == 1 else f"Node of {size.name}"


def contents(
    graphs: Mapping[str, FabricGraph],
    floor: Floor,
    supernodes: Sequence[SuperNodeSize],
    devices: Mapping[str, Mapping[str, DeviceSize]],
    elsewhere: Mapping[str, Collection[str]],
) -> Contents:
    """All devices; those of a kind in `elsewhere` are met under another name in another network."""
    sorts: list[Sort] = []
    parts: list[tuple[Whole, Places]] = []
    of_part: list[int] = []  # the sort of each part
    first = 0
    for at, size in enumerate(supernodes):
        sorts.append(Sort(name=node_name(size), kind=HOST, network="", rack="compute"))
        parts.append((np.arange(first, first + size.count * size.nodes), floor.hosts))
        of_part.append(at)
        first += size.count * size.nodes
    for at, size in enumerate(supernodes):  # spares are numbered after all others
        parts.append((np.arange(first, first + size.spares * size.nodes), floor.hosts))
        of_part.append(at)
        first += size.spares * size.nodes
    for network, graph in graphs.items():
        for kind in graph.kinds:
            of_kind = graph.of_kind(kind)
            if kind == HOST or kind in elsewhere.get(network, ()) or not of_kind.size:
                continue
            takes = devices[network][kind]
            of_part.append(len(sorts))
            sorts.append(Sort(name=takes.name, kind=kind, network=network, rack=takes.rack))
            parts.append((of_kind, floor.places[network]))
    return Contents(
        sorts=tuple(sorts),
        sort=np.repeat(np.array(of_part, np.int64), [index.size for index, _ in parts]),
        device=np.concatenate([index for index, _ in parts]),
        rack=np.concatenate([places.rack[index] for index, places in parts]),
        bottom_u=np.concatenate([places.bottom_u[index] for index, places in parts]),
        units=np.concatenate([places.units[index] for index, places in parts]),
        power_w=np.concatenate([places.power_w[index] for index, places in parts]),
    )


def alike(found: Contents, racks: int) -> tuple[Whole, Whole]:
    """Racks that hold the same: (racks,) which make-up each has, and (make-ups,) a rack of each."""
    counts = np.bincount(found.rack * len(found.sorts) + found.sort, minlength=racks * len(found.sorts))
    places = np.bincount(found.rack, weights=found.bottom_u * found.units, minlength=racks)
    rows = np.column_stack([counts.reshape(racks, -1), places])
    _, example, make_up = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return make_up.ravel(), example


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """d devices, network after network, in each kind after kind."""

    sizes: tuple[DeviceSize, ...]
    size: Whole  # (d,) index into sizes
    unit: Whole  # (d,) scalable unit it stands with, -1 for none
    network: Whole  # (d,) index into the networks
    device: Whole  # (d,) index into the devices of its network


def listed_devices(
    graphs: Mapping[str, FabricGraph],
    devices: Mapping[str, Mapping[str, DeviceSize]],
    unit_of_host: Whole,
    elsewhere: Mapping[str, Collection[str]],
    rules: FloorRules,
) -> Listed:
    """Switches that serve one unit belong to it, unless the rules want all switches in rows of their own.

    Kinds that are named in `elsewhere` by network stand under other names already.
    """
    sizes: list[DeviceSize] = []
    columns: list[tuple[Whole, ...]] = [tuple(np.empty(0, np.int32) for _ in range(4))]
    for network, (name, graph) in enumerate(graphs.items()):
        units = units_of_devices(graph, unit_of_host)
        for kind in graph.kinds:
            if kind == HOST or kind in elsewhere.get(name, ()):
                continue
            of_kind = graph.of_kind(kind)
            if not of_kind.size:
                continue
            takes = devices[name][kind]
            with_unit = takes.rack == "network" and rules.switch_position != "network_rows"
            unit = units[of_kind] if with_unit else np.full(of_kind.size, NONE)
            columns.append((np.full(of_kind.size, len(sizes)), unit, np.full(of_kind.size, network), of_kind))
            sizes.append(takes)
    size, unit, of_network, device = (
        np.concatenate(column).astype(np.int32) for column in zip(*columns, strict=True)
    )
    return Listed(sizes=tuple(sizes), size=size, unit=unit, network=of_network, device=device)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """Places of n devices in racks that are counted from 0."""

    rack: Whole  # (n,)
    bottom_u: Whole  # (n,) from 1
    racks: int


def packed(counts: Sequence[int], demands: Sequence[Measured], room: Measured) -> Packed:
    """Devices of several kinds in as few racks as they fill in their order, each from the bottom up.

    A kind goes on in the rack where the last one stopped. A device that no rack can carry has one of its
    own all the same: a caller that requests it is told (see problems.py).

    >>> places = packed([3, 1], [np.array([2.0]), np.array([1.0])], np.array([5.0]))
    >>> places.rack.tolist(), places.bottom_u.tolist(), places.racks
    ([0, 0, 1, 1], [1, 3, 1, 3], 2)
    """
    racks, left, used_u = 0, np.zeros_like(room), 0
    rack_parts: list[Whole] = [np.empty(0, np.int32)]
    bottom_parts: list[Whole] = [np.empty(0, np.int32)]
    for count, demand in zip(counts, demands, strict=True):
        units, per_rack = int(demand[0]), max(how_many_fit(room, demand), 1)
        first = min(count, how_many_fit(left, demand)) if racks else 0
        rest = np.arange(count - first)
        rack_parts += [np.full(first, racks - 1), racks + rest // per_rack]
        bottom_parts += [1 + used_u + np.arange(first) * units, 1 + rest % per_rack * units]
        left, used_u = left - first * demand, used_u + first * units
        if rest.size:
            opened = -(-rest.size // per_rack)
            in_last = rest.size - (opened - 1) * per_rack
            racks, left, used_u = racks + opened, room - in_last * demand, in_last * units
    return Packed(
        rack=np.concatenate(rack_parts).astype(np.int32),
        bottom_u=np.concatenate(bottom_parts).astype(np.int32),
        racks=racks,
    )
