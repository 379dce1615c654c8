"""Traffic whose every stream keeps to one path drawn by chance: what ECMP hashing comes to.

Streams that happen on the same link share it while others stand idle, which is why a fabric without
oversubscription can still be slow.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph, Mask
from app.engine.fabric.sharing.demand import Demand, UnreachableError, streams
from app.engine.fabric.sharing.ways import FAR, Ways, arcs, passing_arcs
from app.engine.trace import Array


def hashed_load(graph: FabricGraph, alive: Mask, demand: Demand, seed: int) -> Array:
    """(2 m,) what every arc carries of a demand, each stream on one of its shortest paths.

    Raises
    ------
    UnreachableError : somebody has something for a host without a way to it
    """
    random = np.random.default_rng(seed)
    flows = streams(graph, alive, demand)
    load = flows.access
    tail, head, capacity = arcs(graph)
    arc = passing_arcs(graph, alive)
    arc = arc[np.argsort(tail[arc], kind="stable")]  # in the order of the edges of the ways
    ways = Ways.of(graph.device_count, tail[arc], head[arc], capacity[arc])
    targets, target = np.unique(flows.head, return_inverse=True)
    distance = ways.distances(targets)
    here = flows.tail.copy()
    left = distance[here, target]
    if (left == FAR).any():
        stream = int(np.argmax(left))
        raise UnreachableError(int(flows.tail[stream]), int(flows.head[stream]))
    while (moving := np.flatnonzero(distance[here, target] > 0)).size:
        row, edge = ways.onward(here[moving])
        nearer = distance[ways.head[edge], target[moving][row]] < distance[here[moving], target[moving]][row]
        row, edge = row[nearer], edge[nearer]
        draw = random.random(row.size)
        order = np.lexsort((draw, row))
        first = order[np.r_[True, row[order][1:] != row[order][:-1]]]
        chosen = edge[first]
        load += np.bincount(arc[chosen], weights=flows.amount[moving], minlength=load.size)
        here[moving] = ways.head[chosen]
    return load
