"""Traffic spread evenly over all shortest paths: what adaptive routing comes to.

Switches that are wired alike carry alike, so they are taken as one: a thousand switches become a few dozen places,
and the result is that of the full fabric.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.fabric.graph.alike import places
from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole
from app.engine.fabric.graph.kinds import is_switch
from app.engine.fabric.sharing.demand import AllToAll, Demand, Streams, UnreachableError, streams
from app.engine.fabric.sharing.ways import FAR, Ways, arcs, passing_arcs
from app.engine.trace import Array


class Merged(NamedTuple):
    """Devices that pass on, several of them in one place, and the arcs of each edge between two places."""

    place: Whole  # (devices,)
    ways: Ways
    arc: Whole  # arcs between devices that pass on
    edge: Whole  # of each of them


def spread_load(graph: FabricGraph, alive: Mask, demand: Demand | AllToAll) -> Array:
    """(2 m,) what every arc carries of a demand: first all links upwards, then all downwards.

    Raises
    ------
    UnreachableError : somebody has something for a host without a way to it
    """
    flows = streams(graph, alive, demand)
    load = flows.access
    if flows.amount.size:
        merged = merge(graph, alive, np.unique(np.concatenate([flows.tail, flows.head])))
        carried = _carried(merged, flows)
        share = arcs(graph)[2][merged.arc] / merged.ways.capacity_bytes_per_s[merged.edge]
        load[merged.arc] += carried[merged.edge] * share
    return load


def merge(graph: FabricGraph, alive: Mask, ends: Whole) -> Merged:
    """The fabric with devices that are wired alike in one place; hosts and `ends` stay themselves."""
    tail, head, capacity = arcs(graph)
    arc = passing_arcs(graph, alive)
    place = places(graph, alive, np.union1d(ends, np.flatnonzero(~is_switch(graph))))
    size = int(place.max(initial=-1)) + 1
    pair = place[tail[arc]] * size + place[head[arc]]
    pairs, edge = np.unique(pair, return_inverse=True)
    between = np.bincount(edge, weights=capacity[arc], minlength=pairs.size).astype(np.float64)
    first, second = np.divmod(pairs, max(size, 1))
    return Merged(place, Ways.of(size, first, second, between), arc, edge)


def _carried(merged: Merged, flows: Streams) -> Array:
    """What each edge between places carries: from the farthest places on, each place splits what it has for a target
    over the edges that lead nearer to it, by their capacity."""
    ways = merged.ways
    targets, target = np.unique(merged.place[flows.head], return_inverse=True)
    begin = merged.place[flows.tail]
    distance = ways.distances(targets)
    far = distance[begin, target] == FAR
    if far.any():
        stream = int(np.argmax(far))
        raise UnreachableError(int(flows.tail[stream]), int(flows.head[stream]))
    held = np.zeros((ways.size, targets.size))
    np.add.at(held, (begin, target), flows.amount)
    carried = np.zeros(ways.tail.size)
    for links in range(int(distance[held > 0].max(initial=0)), 0, -1):
        place, goal = np.nonzero((held > 0) & (distance == links))
        row, edge = ways.onward(place)
        nearer = distance[ways.head[edge], goal[row]] == links - 1
        row, edge = row[nearer], edge[nearer]
        width = np.bincount(row, weights=ways.capacity_bytes_per_s[edge], minlength=place.size)
        part = held[place, goal][row] * ways.capacity_bytes_per_s[edge] / width[row]
        carried += np.bincount(edge, weights=part, minlength=carried.size)
        np.add.at(held, (ways.head[edge], goal[row]), part)
    return carried
