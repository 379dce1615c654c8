"""What stands in each rack: every device of every network once, whatever networks it is in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Floor, Measured, Places, SuperNodeSize
from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.fabric.graph.kinds import HOST


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
