"""Bandwidth between two sets of hosts: the largest flow through what is left of a fabric.

It is what traffic that is spread over every path can have at most. Hosts pass nothing on where switches do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole, distinct, hosts_forward, is_switch, places

LARGEST = 2**31 - 1
"""Capacities are 32-bit whole numbers in scipy.sparse.csgraph.maximum_flow."""
FINEST = 256
"""Capacity of the fastest link in units at most: with more, the sum over two million links exceeds `LARGEST`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacities:
    """Links that are alive, as edges between places, with all parallel links in one.

    Switches that are wired alike are one place: the largest flow is the same.
    """

    place: Whole  # (devices,)
    size: int  # places
    tail: Whole
    head: Whole
    capacity: Whole  # in whole units
    unit_bytes_per_s: float
    forwards: Mask  # (places,) whether a place passes on what is for others


def capacities(graph: FabricGraph, alive: Mask) -> Capacities:
    """Both ways over every link that is alive, in the largest unit that makes all bandwidths whole."""
    links, switch = graph.links, is_switch(graph)
    bandwidth = np.round(graph.link_bandwidth_bytes_per_s).astype(np.int64)
    unit = max(int(np.gcd.reduce(bandwidth)) if bandwidth.size else 1, 1)
    if unit * FINEST < bandwidth.max(initial=0):  # no common divisor that is large enough: rates are rounded
        unit = int(bandwidth.max()) // FINEST
        bandwidth = np.round(bandwidth / unit).astype(np.int64) * unit
    place = places(graph, alive, np.union1d(np.flatnonzero(~switch), _beside_hosts(graph, switch)))
    size = int(place.max(initial=-1)) + 1
    used = np.flatnonzero(alive)
    pair = place[links.lower[used]] * size + place[links.upper[used]]
    pairs, edge = distinct(pair)
    total = np.bincount(edge, weights=bandwidth[links.tier[used]] // unit, minlength=pairs.size)
    lower, upper = np.divmod(pairs, max(size, 1))
    forwards = np.full(size, hosts_forward(graph))
    forwards[place[switch]] = True
    return Capacities(
        place=place,
        size=size,
        tail=np.concatenate([lower, upper]),
        head=np.concatenate([upper, lower]),
        capacity=np.tile(total.astype(np.int64), 2),
        unit_bytes_per_s=float(unit),
        forwards=forwards,
    )


def _beside_hosts(graph: FabricGraph, switch: Mask) -> Whole:
    """Switches with a link to a host, which may be where a flow begins."""
    links = graph.links
    below, above = links.upper[~switch[links.lower]], links.lower[~switch[links.upper]]
    return np.union1d(below, above)


def flow_bytes_per_s(edges: Capacities, sources: Whole, sinks: Whole) -> float:
    """The largest flow from some devices to others, one way [B/s]: hosts, or switches with hosts.

    Sources are merged into one place and sinks into another; what else passes nothing on is left out.
    """
    if not np.size(sources) or not np.size(sinks):
        return 0.0
    source, sink = edges.size, edges.size + 1
    number = np.where(edges.forwards, np.arange(edges.size), -1)
    number[edges.place[sources]], number[edges.place[sinks]] = source, sink
    tail, head = number[edges.tail], number[edges.head]
    kept = (tail >= 0) & (head >= 0) & (tail != head) & (tail != sink) & (head != source)
    tail, head, capacity = tail[kept], head[kept], edges.capacity[kept]
    used = np.zeros(edges.size + 2, bool)
    used[tail] = used[head] = True
    if not (used[source] and used[sink]):
        return 0.0
    if capacity.sum() > LARGEST:
        raise OverflowError(
            f"a flow of {capacity.sum()} units of {edges.unit_bytes_per_s:g} B/s is too large"
        )
    dense = np.cumsum(used) - 1
    matrix = csr_array((capacity.astype(np.int32), (dense[tail], dense[head])), shape=(dense[-1] + 1,) * 2)
    return float(maximum_flow(matrix, dense[source], dense[sink]).flow_value) * edges.unit_bytes_per_s
