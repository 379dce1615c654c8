"""What a graph of links says by itself, for formulas to be held against."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow, shortest_path

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.section import Fabric
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.fabric.topologies.shape import Ask, Shape
from app.engine.specs import Pod, SuperNode
from tests.engine.fabric.pods import evaluate
from tests.support import assumptions


@dataclass(frozen=True)
class Built:
    ask: Ask
    shape: Shape
    graph: FabricGraph
    fabric: Fabric

    @property
    def can_be_built(self) -> bool:
        """Whether what is counted can be built; more tiers than asked for can."""
        found = topology_of(self.ask.pod.fabric.topology).problems(self.ask, self.fabric)
        return all(each.kind != "infeasible" or each.field == "pod.fabric.tiers" for each in found)


def built(pod: Pod, supernode: SuperNode) -> Built:
    ask = asked_of(pod=pod, supernode=supernode, assumptions=assumptions("fabric", FabricAssumptions))
    topology = topology_of(pod.fabric.topology)
    return Built(ask, topology.shape(ask), topology.graph(ask), evaluate(pod, supernode))


def agrees(found: Built) -> None:
    """Counts of shape and graph are the same, no port is used twice, none lies beyond the radix."""
    graph, planes = found.graph, int(found.ask.pod.fabric.planes[0])
    managers = int(found.ask.pod.fabric.management_ports[0])
    for level, layer in enumerate(found.shape.layers):
        links = float(layer.links[0]) * planes + (managers if level == 0 else 0)
        assert graph.of_tier(layer.name).size == links, layer.name
        if layer.switches[0] > 0:
            assert graph.of_kind(layer.name).size == float(layer.switches[0]) * planes, layer.name
    ends = np.stack(
        [
            np.concatenate([graph.links.lower, graph.links.upper]),
            np.concatenate([graph.links.lower_port, graph.links.upper_port]),
        ]
    )
    assert np.unique(ends, axis=1).shape == ends.shape
    nodes = [graph.kinds.index(kind) for kind in ("host", "management")]
    in_switches = ~np.isin(graph.devices.kind[ends[0]], nodes)
    if found.can_be_built:
        assert ends[1][in_switches].max(initial=0) < found.ask.plugs.switch_radix[0]


def distances(found: Built) -> NDArray[np.float64]:
    """Links between every two endpoints of the first plane; not a number where they are not to be counted.

    Endpoints are links of hosts. Where NICs have two sides, pairs of one side count; a route has one global
    link at most.
    """
    graph = found.graph
    links, devices = graph.links, graph.devices
    ends = (links.tier == 0) & (devices.plane[links.upper] == 0)
    ends &= devices.kind[links.lower] == graph.kinds.index("host")
    switches, at = np.unique(links.upper[ends], return_inverse=True)
    between = _steps(graph, switches)
    apart = between[np.ix_(at, at)] + 2
    np.fill_diagonal(apart, np.nan)
    if found.ask.pod.fabric.topology == "dual_tor":
        per_nic = int(found.ask.plugs.links_per_nic[0])
        side = links.lower_port[ends] % per_nic // (per_nic // 2)
        apart[side[:, None] != side] = np.nan
    return np.where(np.isfinite(apart), apart, np.nan)


def _steps(graph: FabricGraph, switches: NDArray[np.integer]) -> NDArray[np.float64]:
    """Links between every two of the switches, one global link at most among them."""
    links = graph.links
    is_global = np.isin(np.arange(links.tier.size), graph.of_tier("global"))
    inside = _shortest(graph, (links.tier > 0) & ~is_global, switches)
    if not is_global.any():
        return inside[:, switches]
    ends = np.unique(np.stack([links.lower[is_global], links.upper[is_global]]), axis=1)
    steps = inside[:, switches]
    from_far = _shortest(graph, (links.tier > 0) & ~is_global, np.arange(graph.device_count))[:, switches]
    for near, far in np.concatenate([ends, ends[::-1]], axis=1).T:
        steps = np.minimum(steps, inside[:, near, None] + 1 + from_far[far])
    return steps


def _shortest(
    graph: FabricGraph, among: NDArray[np.bool_], sources: NDArray[np.integer]
) -> NDArray[np.float64]:
    lower, upper = graph.links.lower[among], graph.links.upper[among]
    matrix = csr_matrix((np.ones(lower.size), (lower, upper)), shape=(graph.device_count,) * 2)
    steps: NDArray[np.float64] = shortest_path(matrix, directed=False, unweighted=True, indices=sources)
    return steps


def bisection(graph: FabricGraph) -> int:
    """The fewest links that part any half of the hosts from the other half."""
    hosts, size = graph.of_kind("host"), graph.device_count
    rows = np.concatenate([graph.links.lower, graph.links.upper])
    columns = np.concatenate([graph.links.upper, graph.links.lower])
    every = 10**6
    fewest = every
    for half in combinations(hosts[1:].tolist(), hosts.size // 2):
        is_here = np.isin(hosts, half)
        ends = np.where(is_here, size, hosts), np.where(is_here, hosts, size + 1)
        flows = csr_matrix(
            (
                np.r_[np.ones(rows.size, np.int32), np.full(hosts.size, every, np.int32)],
                (np.r_[rows, ends[0]], np.r_[columns, ends[1]]),
            ),
            shape=(size + 2, size + 2),
        )
        fewest = min(fewest, int(maximum_flow(flows, size, size + 1).flow_value))
    return fewest
