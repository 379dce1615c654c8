"""A fabric in few marks: devices that stand together as one, and the links between two marks counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.graph.graph import HOST, FabricGraph, Mask, Whole, is_switch

MOST_ALONE = 24
"""Devices of a kind that have a mark each; of more, a mark stands for several."""
ABOUT = 16
"""Marks of a kind that is drawn in groups, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundles:
    """Links between two marks, those of a tier together."""

    tier: Whole  # (b,)
    lower: Whole  # (b,) mark
    upper: Whole  # (b,) mark
    links: Whole  # (b,)
    of_link: Whole  # (links,) the bundle of each link


def marks_of(graph: FabricGraph, *, hosts_each: int = 1) -> Whole:
    """(devices,) the mark of each device: kind by kind, from the first to the last.

    A mark holds devices of one kind. Switches of parts that no link between switches joins, such as planes and
    the rails of a rail-only fabric, share none while there are at most as many parts as marks.

    Parameters
    ----------
    hosts_each : hosts that are one thing, such as those of a SuperNode
    """
    mark, first, part = np.zeros(graph.device_count, np.int64), 0, separate_parts(graph)
    for kind, name in enumerate(graph.kinds):
        devices = np.flatnonzero(graph.devices.kind == kind)
        if not devices.size:
            continue
        own = graph.devices.number[devices] // (hosts_each if name == HOST else 1)
        found = _shared(part[devices], graph.devices.group[devices], own)
        mark[devices] = first + found
        first += int(found.max()) + 1
    return mark


def separate_parts(graph: FabricGraph) -> Whole:
    """(devices,) the part of each switch that hangs together over links between switches, from 0; hosts have 0."""
    switch, links, n = is_switch(graph), graph.links, graph.device_count
    between = switch[links.lower] & switch[links.upper]
    ones = np.ones(int(between.sum()), np.int8)
    joined = csr_array((ones, (links.lower[between], links.upper[between])), shape=(n, n))
    _, part = connected_components(joined, directed=False)
    found = np.zeros(n, np.int64)
    found[switch] = np.unique(part[switch], return_inverse=True)[1]
    return found


def _shared(part: Whole, group: Whole, own: Whole) -> Whole:
    """(devices,) the mark of each device of a kind, from 0."""
    things = np.stack([part, group, own])
    distinct, place = np.unique(things, axis=1, return_inverse=True)
    place = place.reshape(-1)
    if distinct.shape[1] <= MOST_ALONE:
        alone: Whole = place
        return alone
    parts, of_part = np.unique(distinct[0], return_inverse=True)
    if parts.size > ABOUT:
        shared = of_part * ABOUT // parts.size
    else:
        each, shared = ABOUT // parts.size, np.zeros(of_part.size, np.int64)
        for number in range(parts.size):
            inside = of_part == number
            groups, of_group = np.unique(distinct[1, inside], return_inverse=True)
            rank = of_group if groups.size > 1 else np.arange(of_group.size)
            count = int(rank.max()) + 1
            shared[inside] = number * each + (rank if count <= each else rank // -(-count // each))
    found: Whole = np.unique(shared, return_inverse=True)[1][place]
    return found


def bundles_of(graph: FabricGraph, mark: Whole) -> Bundles:
    """The links of a graph between its marks."""
    links = graph.links
    ends = np.stack([links.tier, mark[links.lower], mark[links.upper]])
    distinct, place, count = np.unique(ends, axis=1, return_inverse=True, return_counts=True)
    tier, lower, upper = distinct
    return Bundles(tier=tier, lower=lower, upper=upper, links=count, of_link=place.reshape(-1))


def ports_used(graph: FabricGraph) -> Whole:
    """(devices,) links that end in each device."""
    ends = np.concatenate([graph.links.lower, graph.links.upper])
    return np.bincount(ends, minlength=graph.device_count)


def counted(of: Whole, chosen: Mask, size: int) -> Whole:
    """Number of chosen things of each of `size` holders."""
    return np.bincount(of[chosen], minlength=size)
