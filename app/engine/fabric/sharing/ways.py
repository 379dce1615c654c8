"""The shortest ways through the switches of a fabric, as links that lead nearer to a target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole
from app.engine.fabric.graph.kinds import hosts_forward, is_switch
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
