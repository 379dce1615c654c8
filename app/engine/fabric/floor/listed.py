"""All devices but hosts, of all networks in one list: what is to be put into racks beside SuperNodes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize
from app.engine.fabric.floor.units import units_of_devices
from app.engine.fabric.graph.graph import NONE, FabricGraph, Whole
from app.engine.fabric.graph.kinds import HOST
from app.engine.specs import FloorRules


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
