"""Links that an exchange of two sets of hosts can take: those on any of its shortest paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra, maximum_flow

from app.engine.fabric.graph.graph import HOST, FabricGraph, Mask, Whole, hosts_forward

ENOUGH = 1 << 20
"""Capacity of the way into the ends of a route: more links than they have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Shortest paths over links that are alive; no length where there is none."""

    links: Mask  # (links,) those on any shortest path
    length: int | None  # links from end to end
    paths: float = 0.0  # shortest paths: their diversity
    disjoint: int = 0  # of them at once, no two over the same link


def route_between(graph: FabricGraph, alive: Mask, one: Whole, other: Whole) -> Route:
    """Minimal routes, spread over all paths of equal length, from hosts to other hosts."""
    links, n = graph.links, graph.device_count
    usable = alive.copy()
    if not hosts_forward(graph):  # a host that is no end passes nothing on
        stranger = np.zeros(n, bool)
        stranger[np.setdiff1d(graph.of_kind(HOST), np.concatenate([one, other]))] = True
        usable &= ~stranger[links.lower] & ~stranger[links.upper]
    source, sink = np.full(one.size, n), np.full(other.size, n + 1)
    rows = np.concatenate([links.lower[usable], source, sink])
    columns = np.concatenate([links.upper[usable], one, other])
    matrix = csr_array((np.ones(rows.size, np.int8), (rows, columns)), shape=(n + 2, n + 2))
    matrix.data[:] = 1
    from_one, from_other = dijkstra(matrix, directed=False, unweighted=True, indices=[n, n + 1])
    whole = from_one[n + 1]
    if not np.isfinite(whole):
        return Route(links=np.zeros(graph.link_count, bool), length=None)
    ahead = from_one[links.lower] + 1 + from_other[links.upper]
    back = from_one[links.upper] + 1 + from_other[links.lower]
    forward, backward = usable & (ahead == whole), usable & (back == whole)
    onward = csr_array(
        (
            np.concatenate(
                [
                    np.ones(np.count_nonzero(forward) + np.count_nonzero(backward)),
                    np.full(one.size + other.size, ENOUGH),
                ]
            ),
            (
                np.concatenate([links.lower[forward], links.upper[backward], source, other]),
                np.concatenate([links.upper[forward], links.lower[backward], one, sink]),
            ),
        ),
        shape=(n + 2, n + 2),
    )
    onward.sum_duplicates()
    reached: Any = np.zeros(n + 2)
    reached[one] = 1.0  # paths to each device, one more link a step
    for _ in range(int(whole) - 2):
        reached = reached @ onward
    return Route(
        links=forward | backward,
        length=int(whole) - 2,
        paths=float(reached[other].sum()),
        disjoint=int(maximum_flow(onward.astype(np.int32), n, n + 1).flow_value),
    )
