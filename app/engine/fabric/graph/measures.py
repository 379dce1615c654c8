"""Distances and cuts of a fabric, measured on its graph: what the formulas of the topologies are held against.

An endpoint is a host where hosts pass on what is not theirs: where links join hosts, or where hosts of a board
stand between two switches. Elsewhere every link of a host is an endpoint of its own, so that no path runs
through a host. A circuit switch is fibre: its ports 2 i and 2 i + 1 are one circuit, which counts as one link.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, maximum_flow, shortest_path

from app.engine.fabric.graph.graph import FabricGraph, Whole

CIRCUIT_SWITCH = "circuit_switch"
MOST_HALVED = 22
SOURCES_AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Vertices joined by as many links as the matrix says, both ways; endpoints come first."""

    links: csr_array
    endpoints: int


def network_of(graph: FabricGraph) -> Network:
    """Endpoints, switches and links of a graph, circuits in place of circuit switches."""
    lower, upper = _ends_of_circuits(graph)
    host = np.zeros(graph.device_count, bool)
    host[graph.of_kind("host")] = True
    if "management" in graph.kinds:
        host[graph.of_kind("management")] = True
    if np.any(host[lower] & host[upper]):
        wanted = np.r_[np.flatnonzero(host), np.flatnonzero(~host)]
        endpoints = int(host.sum())
    else:
        # each link of a host ends in a vertex of its own; the hosts themselves are left out
        ends = np.flatnonzero(host[lower])
        lower = lower.copy()
        lower[ends] = graph.device_count + np.arange(ends.size)
        endpoints = ends.size
        wanted = np.r_[graph.device_count + np.arange(endpoints), np.flatnonzero(~host)]
    place = np.full(graph.device_count + lower.size, -1)
    place[wanted] = np.arange(wanted.size)
    a, b = place[lower], place[upper]
    both = np.r_[a, b], np.r_[b, a]
    links = coo_array((np.ones(2 * a.size, np.int32), both), shape=(wanted.size, wanted.size)).tocsr()
    links.setdiag(0)  # a bundle that leads back to where it began joins nothing
    return Network(links=links, endpoints=endpoints)


def _ends_of_circuits(graph: FabricGraph) -> tuple[Whole, Whole]:
    """Both ends of every link; the two links of a circuit become one, open circuits none."""
    links = graph.links
    if CIRCUIT_SWITCH not in graph.kinds:
        return links.lower, links.upper
    fibre = graph.devices.kind[links.upper] == graph.kinds.index(CIRCUIT_SWITCH)
    switch, port, end = (
        part[fibre].astype(np.int64) for part in (links.upper, links.upper_port, links.lower)
    )
    circuit = switch * (int(port.max(initial=0)) // 2 + 1) + port // 2
    order = np.argsort(circuit, kind="stable")
    ranked, ends = circuit[order], end[order]
    closed = np.flatnonzero(ranked[1:] == ranked[:-1])
    return (
        np.r_[links.lower[~fibre], ends[closed]],
        np.r_[links.upper[~fibre], ends[closed + 1]],
    )


def is_connected(network: Network) -> bool:
    """Return whether every endpoint reaches every other."""
    labels = connected_components(network.links, directed=False)[1]
    return bool(np.unique(labels[: network.endpoints]).size <= 1)


def distances(network: Network, sources: Whole) -> NDArray[np.float64]:
    """Links from each of the sources to every endpoint; not finite where it cannot be reached."""
    found = shortest_path(network.links, method="D", unweighted=True, indices=sources)
    return np.asarray(found[:, : network.endpoints], float)


def diameter_and_mean(network: Network) -> tuple[float, float]:
    """Links between the endpoints that are furthest apart, and between two endpoints on average."""
    longest, total = 0.0, 0.0
    for first in range(0, network.endpoints, SOURCES_AT_ONCE):
        found = distances(network, np.arange(first, min(first + SOURCES_AT_ONCE, network.endpoints)))
        longest, total = max(longest, float(found.max())), total + float(found.sum())
    pairs = network.endpoints * (network.endpoints - 1)
    return longest, total / pairs if pairs else 0.0


def links_cut(network: Network, side: NDArray[Any]) -> int:
    """The fewest links between the endpoints of a side and the others, switches put wherever that cuts least.

    Parameters
    ----------
    side : for every endpoint whether it is on the side
    """
    size = network.links.shape[0]
    source, sink, many = size, size + 1, int(network.links.data.sum()) + 1
    found = network.links.tocoo()
    of_side, others = np.flatnonzero(side), np.flatnonzero(~np.asarray(side, bool))
    rows = np.r_[found.row, np.full(of_side.size, source), others]
    columns = np.r_[found.col, of_side, np.full(others.size, sink)]
    capacity = np.r_[found.data, np.full(of_side.size + others.size, many)].astype(np.int32)
    whole = coo_array((capacity, (rows, columns)), shape=(size + 2, size + 2)).tocsr()
    return int(maximum_flow(whole, source, sink).flow_value)


def fewest_links_between_halves(network: Network, kept_together: Whole | None = None) -> int:
    """The bisection, by trying all halves of the endpoints. For small networks whose endpoints have links of
    their own, or whose switches are joined to endpoints only.

    Parameters
    ----------
    kept_together : for every endpoint the number of its group, which is not split, such as what shares a
        switch; groups are of one size

    Raises
    ------
    ValueError : there are too many groups to try
    """
    groups = np.arange(network.endpoints) if kept_together is None else np.asarray(kept_together)
    count = int(groups.max()) + 1
    if count > MOST_HALVED:
        raise ValueError(f"{count} groups cannot all be tried: at most {MOST_HALVED}")
    chosen = np.array([half for half in combinations(range(count), count // 2) if 0 in half or count % 2])
    halves = np.zeros((len(chosen), count), bool)
    np.put_along_axis(halves, chosen, True, axis=1)
    sides = halves[:, groups].astype(np.int32)
    matrix = network.links.toarray().astype(np.int32)
    between = matrix[: network.endpoints, : network.endpoints]
    cut = np.einsum("he,ef,hf->h", sides, between, 1 - sides, optimize=True)
    to_switches = matrix[: network.endpoints, network.endpoints :]
    if matrix[network.endpoints :, network.endpoints :].any():
        fewest = int(cut.max(initial=0)) + int(matrix.sum())
        return min((links_cut(network, side) for side in sides.astype(bool)), default=fewest)
    here, there = sides @ to_switches, (1 - sides) @ to_switches
    return int((cut + np.minimum(here, there).sum(axis=1)).min())
