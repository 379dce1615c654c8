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
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole, distinct, hosts_forward, is_switch, places
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

    def distances(self, targets: Whole, between: tuple[Whole, Whole] | None = None) -> NDArray[np.int16]:
        """(n, targets) links from every place to every target; `FAR` where there is no way.

        With `between`, pairs of a place and a target, distances beyond the farthest of these pairs are not
        computed.
        """
        ones = np.ones(self.tail.size, np.float32)
        step = csr_array((ones, (self.tail, self.head)), shape=(self.size, self.size))
        found = np.full((self.size, targets.size), FAR, np.int16)
        reached = np.zeros((self.size, targets.size), np.float32)
        reached[targets, np.arange(targets.size)] = 1
        links = 0
        while (new := (reached > 0) & (found == FAR)).any():
            found[new] = links
            if between is not None and (found[between] != FAR).all():
                break
            reached, links = step @ new.astype(np.float32), links + 1
        return found

    def onward(self, places: Whole) -> tuple[Whole, Whole]:
        """For each of some places every edge that begins there: the row it belongs to, and the edge."""
        return _runs(self.start, places)

    def inward(self, places: Whole) -> tuple[Whole, Whole]:
        """For each of some places every edge that ends there: the row it belongs to, and the edge."""
        order = np.argsort(self.head, kind="stable")
        row, place = _runs(np.searchsorted(self.head[order], np.arange(self.size + 1)), places)
        return row, order[place]


def _runs(start: Whole, places: Whole) -> tuple[Whole, Whole]:
    """The runs of numbers that begin at `start` of each place: the row of each number, and the number."""
    count = start[places + 1] - start[places]
    row = np.repeat(np.arange(places.size), count)
    shift = start[places] - (np.cumsum(count) - count)
    return row, np.arange(row.size) + np.repeat(shift, count)


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
    """Devices that forward traffic, equivalent ones merged into one place, and the arcs of each edge between
    two places."""

    place: Whole  # (devices,)
    ways: Ways
    arc: Whole  # arcs between devices that pass on
    edge: Whole  # of each of these arcs


def spread_load(graph: FabricGraph, alive: Mask, *demands: Demand | AllToAll) -> Array:
    """(2 m,) what every arc carries of some demands together: first all links upwards, then all downwards.

    Raises
    ------
    UnreachableError : a demand has a destination that cannot be reached
    """
    found = [streams(graph, alive, demand) for demand in demands]
    load = np.zeros(2 * graph.link_count)
    if not found:
        return load
    for one in found:
        load += one.access
    flows = Streams(load, *(np.concatenate(column) for column in list(zip(*found, strict=True))[1:]))
    links, component = joined_switches(graph, alive)
    for part in _parts(flows):
        ends = np.unique(np.concatenate([part.tail, part.head]))
        near = np.zeros(
            graph.device_count, bool
        )  # planes, and rails that are apart, have nothing to do with each other
        near[component[ends]] = True
        merged = merge(graph, links[near[component[graph.links.lower[links]]]], ends)
        carried = _carried(merged, part)
        capacity = graph.link_bandwidth_bytes_per_s[graph.links.tier[merged.arc % graph.link_count]]
        share = capacity / merged.ways.capacity_bytes_per_s[merged.edge]
        load[merged.arc] += carried[merged.edge] * share
    return load


def joined_switches(graph: FabricGraph, alive: Mask) -> tuple[Whole, Whole]:
    """Links between devices that forward traffic, and (devices,) the connected part of the fabric of each."""
    through, links, size = passing(graph), graph.links, graph.device_count
    between = np.flatnonzero(alive & through[links.lower] & through[links.upper])
    ends = (links.lower[between], links.upper[between])
    joined = csr_array((np.ones(between.size, np.int8), ends), shape=(size, size))
    return between, connected_components(joined, directed=False)[1]


MOST_TARGETS = 256
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


def merge(graph: FabricGraph, between: Whole, ends: Whole) -> Merged:
    """The fabric with devices that are wired alike over some links in one place; `ends` stay themselves."""
    lower, upper = graph.links.lower[between], graph.links.upper[between]
    place = places(graph, between, ends)
    size = int(place.max(initial=-1)) + 1
    below, above = place[lower], place[upper]
    pair = np.concatenate([below * size + above, above * size + below])
    arc = np.concatenate([between, between + graph.link_count])
    capacity = np.tile(graph.link_bandwidth_bytes_per_s[graph.links.tier[between]], 2)
    pairs, edge = distinct(pair)
    between_places: Array = np.bincount(edge, weights=capacity, minlength=pairs.size).astype(np.float64)
    first, second = np.divmod(pairs, max(size, 1))
    return Merged(place, Ways.of(size, first, second, between_places), arc, edge)


class _Level(NamedTuple):
    """Places that hold traffic for targets at a distance of `links`, and the places one link nearer."""

    there: Mask  # (n, targets)
    ahead: Mask

    @classmethod
    def of(cls, distance: NDArray[np.int16], held: Array, links: int) -> _Level:
        there: Mask = (held > 0) & (distance == links)
        ahead: Mask = (distance == links - 1) & there.any(axis=0)
        return cls(there, ahead)

    def by_pairs(self, ways: Ways, held: Array, carried: Array) -> None:
        """Forward traffic one link, for each pair of a place and a target.

        Edges that lead nearer are looked up from their beginning or from their end, whichever are fewer: of
        many switches that hold traffic for the switch of a host, few links lead to it.
        """
        targets = held.shape[1]
        if self._from(ways) <= self._to(ways):
            place, goal = np.nonzero(self.there)
            row, edge = ways.onward(place)
            goal = goal[row]
            kept = self.ahead[ways.head[edge], goal]
        else:
            place, goal = np.nonzero(self.ahead)
            row, edge = ways.inward(place)
            goal = goal[row]
            kept = self.there[ways.tail[edge], goal]
        edge, goal = edge[kept], goal[kept]
        weight = ways.capacity_bytes_per_s[edge]
        pair = ways.tail[edge] * targets + goal
        width = np.bincount(pair, weights=weight, minlength=held.size)
        part = held.ravel()[pair] * weight / width[pair]
        carried += np.bincount(edge, weights=part, minlength=carried.size)
        following = ways.head[edge] * targets + goal
        held += np.bincount(following, weights=part, minlength=held.size).reshape(held.shape)

    def by_products(self, ways: Ways, held: Array, carried: Array) -> None:
        """The same as matrix products over all targets at once, faster where most pairs hold traffic."""
        goals = np.flatnonzero(self.there.any(axis=0))
        there, ahead = self.there[:, goals], self.ahead[:, goals].astype(float)
        begins, ends = np.any(there, axis=1), np.any(ahead, axis=1)
        edges = np.flatnonzero(begins[ways.tail] & ends[ways.head])
        tail, head, weight = ways.tail[edges], ways.head[edges], ways.capacity_bytes_per_s[edges]
        step = csr_array((weight, (tail, head)), shape=(ways.size, ways.size))
        width = step @ ahead
        share = np.divide(held[:, goals], width, out=np.zeros_like(width), where=there & (width > 0))
        held[:, goals] += ahead * (step.T @ share)
        for start in range(0, edges.size, BLOCK_EDGES):  # the arrays of a step fit in the cache
            here = slice(start, start + BLOCK_EDGES)
            carried[edges[here]] += weight[here] * np.einsum("eg,eg->e", share[tail[here]], ahead[head[here]])

    def is_full(self, ways: Ways) -> bool:
        """Return whether matrix products are faster than pairs."""
        pairs = min(self._from(ways), self._to(ways))
        return bool(pairs * PAIR_COST > ways.tail.size * int(self.there.any(axis=0).sum()))

    def _from(self, ways: Ways) -> int:
        """Edges to look up from their beginning."""
        return int((np.diff(ways.start) * self.there.sum(axis=1)).sum())

    def _to(self, ways: Ways) -> int:
        """Edges to look up from their end."""
        return int((np.bincount(ways.head, minlength=ways.size) * self.ahead.sum(axis=1)).sum())


BLOCK_EDGES = 1_024
PAIR_COST = 10
"""Products of an edge and a target that take as long as one pair, as measured."""


def _carried(merged: Merged, flows: Streams) -> Array:
    """What each edge between places carries: from the farthest places on, each place splits what it has for a target
    over the edges that lead nearer to it, by their capacity."""
    ways = merged.ways
    targets, target = np.unique(merged.place[flows.head], return_inverse=True)
    begin = merged.place[flows.tail]
    distance = ways.distances(targets, (begin, target))
    far = distance[begin, target] == FAR
    if far.any():
        stream = int(np.argmax(far))
        raise UnreachableError(int(flows.tail[stream]), int(flows.head[stream]))
    held = np.zeros((ways.size, targets.size))
    np.add.at(held, (begin, target), flows.amount)
    carried = np.zeros(ways.tail.size)
    for links in range(int(distance[held > 0].max(initial=0)), 0, -1):
        level = _Level.of(distance, held, links)
        if level.is_full(ways):
            level.by_products(ways, held, carried)
        else:
            level.by_pairs(ways, held, carried)
    return carried
