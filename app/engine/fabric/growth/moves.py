"""How many links of a fabric have to be laid anew when it becomes another one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import FabricGraph, ports_in_order

Numbers = NDArray[np.int64]

KINDS = ("host", "management", "leaf", "spine", "core", "router", "circuit_switch")
MOST_PLANES, MOST_RAILS, MOST_DEVICES = 64, 1024, 2**21


def moved_links(before: FabricGraph, after: FabricGraph) -> dict[str, int]:
    """Links by tier that join other devices afterwards, or none.

    A device stays itself by its kind, plane, rail and place among those. Which of its ports a link ends in does
    not count.
    """
    known, known_after = _names(before), _names(after)
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


def _names(graph: FabricGraph) -> Numbers:
    """A number for every device that it keeps while the fabric grows."""
    devices = graph.devices
    others = sorted(set(graph.kinds) - set(KINDS))
    kinds = np.array([(*KINDS, *others).index(kind) for kind in graph.kinds], np.int64)
    place = (kinds[devices.kind] * MOST_PLANES + devices.plane + 1) * MOST_RAILS + devices.rail + 1
    return place * MOST_DEVICES + ports_in_order(place)


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
