"""How many links of a fabric have to be laid anew when it becomes another one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import NONE, FabricGraph, Whole, ports_in_order

Numbers = NDArray[np.int64]


def moved_links(before: FabricGraph, after: FabricGraph) -> dict[str, int]:
    """Links by tier that join other devices afterwards, or none.

    A device stays itself by its kind, plane, rail and place among those. Which of its ports a link ends in does
    not count.
    """
    known, known_after = _names([before, after])
    devices = np.unique(np.concatenate([known, known_after]))
    pairs = _pairs(before, np.searchsorted(devices, known), devices.size)
    pairs_after = _pairs(after, np.searchsorted(devices, known_after), devices.size)
    nothing = np.empty(0, np.int64), np.empty(0, np.int64)
    moved = {}
    for tier, (pair, links) in pairs.items():
        pair_after, links_after = pairs_after.get(tier, nothing)
        _, here, there = np.intersect1d(pair, pair_after, assume_unique=True, return_indices=True)
        moved[tier] = int(links.sum() - np.minimum(links[here], links_after[there]).sum())
    return moved


def _names(graphs: Sequence[FabricGraph]) -> list[Numbers]:
    """A number for every device of each graph, the same for those that stay themselves."""
    kinds = sorted({kind for graph in graphs for kind in graph.kinds})
    planes = _values([graph.devices.plane for graph in graphs])
    rails = _values([graph.devices.rail for graph in graphs])
    most = max(graph.device_count for graph in graphs)
    names = []
    for graph in graphs:
        devices = graph.devices
        kind = np.array([kinds.index(name) for name in graph.kinds], np.int64)[devices.kind]
        place = (kind * planes + devices.plane + 1) * rails + devices.rail + 1
        names.append(place * most + ports_in_order(place))
    return names


def _values(columns: Sequence[Whole]) -> int:
    """Number of values, from -1 to the largest."""
    return 2 + max(int(column.max(initial=NONE)) for column in columns)


def _pairs(graph: FabricGraph, device: Numbers, devices: int) -> dict[str, tuple[Numbers, Numbers]]:
    """By tier the pairs of devices that links join, and how many links join each of them."""
    found = {}
    for tier in graph.tiers:
        links = graph.of_tier(tier)
        ends = device[graph.links.lower[links]], device[graph.links.upper[links]]
        pairs = np.minimum(*ends).astype(np.int64) * devices + np.maximum(*ends)
        pair, counts = np.unique(pairs, return_counts=True)
        found[tier] = pair, counts.astype(np.int64)
    return found
