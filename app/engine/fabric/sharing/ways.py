"""The shortest ways through the switches of a fabric, as links that lead nearer to a target.

Traffic spread evenly over all shortest paths: what adaptive routing comes to.

Switches that are wired alike carry alike, so they are taken as one: a thousand switches become a few dozen places,
and the result is that of the full fabric.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole, hosts_forward, is_switch, places
from app.engine.fabric.sharing.demand import AllToAll, Demand, Streams, UnreachableError, streams
from app.engine.trace import Array

FAR = np.iinfo(np.int16).max


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Directed edges between n places, sorted by where they begin. A place is a device, or several alike."""

    size: int
    start: Whole  # (n + 1,) first edge of each place
    tail: Whole  # (e,)
    head: Whole  # (e,)
    capacity_bytes_per_s: Array  # (e,)

    @classmethod
    def of(cls, size: int, tail: Whole, head: Whole, capacity_bytes_per_s: Array) -> Ways:
        """The ways of edges in any order."""
        order = np.argsort(tail, kind="stable")
        start = np.searchsorted(tail[order], np.arange(size + 1))
        return cls(
            size=size,
            start=start,
            tail=tail[order],
            head=head[order],
            capacity_bytes_per_s=capacity_bytes_per_s[order],
        )

    def distances(self, targets: Whole) -> NDArray[np.int16]:
        """(n, targets) links from every place to every target; `FAR` where there is no way."""
        ones = np.ones(self.tail.size, np.float32)
        step = csr_array((ones, (self.tail, self.head)), shape=(self.size, self.size))
        found = np.full((self.size, targets.size), FAR, np.int16)
        reached = np.zeros((self.size, targets.size), np.float32)
        reached[targets, np.arange(targets.size)] = 1
        links = 0
        while (new := (reached > 0) & (found == FAR)).any():
            found[new] = links
            reached, links = step @ new.astype(np.float32), links + 1
        return found

    def onward(self, places: Whole) -> tuple[Whole, Whole]:
        """For each of some places every edge that begins there: the row it belongs to, and the edge."""
        count = self.start[places + 1] - self.start[places]
        row = np.repeat(np.arange(places.size), count)
        before = np.cumsum(count) - count
        edge = np.arange(row.size) - before[row] + self.start[places][row]
        return row, edge


def arcs(graph: FabricGraph) -> tuple[Whole, Whole, Array]:
    """Both ways of every link, first upwards and then downwards: tail, head and capacity of (2 m,) arcs."""
    links = graph.links
    capacity = graph.link_bandwidth_bytes_per_s[links.tier]
    return (
        np.concatenate([links.lower, links.upper]),
        np.concatenate([links.upper, links.lower]),
        np.tile(capacity, 2),
    )


def passing(graph: FabricGraph) -> Mask:
    """(devices,) whether a device passes on what is for others."""
    return np.full(graph.device_count, True) if hosts_forward(graph) else is_switch(graph)


def passing_arcs(graph: FabricGraph, alive: Mask) -> Whole:
    """The arcs between devices that pass on, over links that are alive."""
    tail, head, _ = arcs(graph)
    through = passing(graph)
    return np.flatnonzero(np.tile(alive, 2) & through[tail] & through[head])


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
    capacity = arcs(graph)[2]
    for part in _parts(flows):
        merged = merge(graph, alive, np.unique(np.concatenate([part.tail, part.head])))
        carried = _carried(merged, part)
        share = capacity[merged.arc] / merged.ways.capacity_bytes_per_s[merged.edge]
        load[merged.arc] += carried[merged.edge] * share
    return load


MOST_TARGETS = 512
"""Switches that streams of one pass end in: all that have no part in it are taken as a few."""


def _parts(flows: Streams) -> list[Streams]:
    """Streams in parts that few switches have to do with; the loads of the parts add up to that of all."""
    if not flows.amount.size:
        return []
    order = np.argsort(flows.head, kind="stable")
    _, first = np.unique(flows.head[order], return_index=True)
    cuts = np.append(first[::MOST_TARGETS], order.size)
    return [
        Streams(flows.access, flows.tail[here], flows.head[here], flows.amount[here])
        for here in (order[begin:end] for begin, end in pairwise(cuts))
    ]


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
