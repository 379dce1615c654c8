"""Small fabrics for tests of faults and sharing, and a plain graph of them to compare with."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.graph.graph import FabricGraph, devices_of, joined_links, links_between
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.specs import SuperNode
from tests.engine.fabric.pods import pod, qm9700
from tests.support import assumptions, dgx_h100

LINK = 50e9


def rail_fabric(supernodes: int, supernode: SuperNode | None = None, **plan) -> FabricGraph:
    """A rail-optimised fat tree of servers with eight NICs."""
    with np.errstate(invalid="ignore", divide="ignore"):  # as design.py has it for what is unknown
        ask = asked_of(
            pod=pod(supernodes, **plan),
            supernode=supernode or dgx_h100(),
            assumptions=assumptions("fabric", FabricAssumptions),
        )
        return topology_of("rail_fat_tree").graph(ask)


def three_tiers(supernodes: int = 12) -> FabricGraph:
    """Units of two servers on 8-port switches, with cores above."""
    return rail_fabric(supernodes, switch=qm9700(ports=8, max_logical_ports=8), scalable_unit_supernodes=2)


def leaves_and_spines(*, hosts: int, leaves: int, spines: int, up: int = 1) -> FabricGraph:
    """Hosts of one port dealt evenly to leaves, and `up` links from every leaf to every spine."""
    per_leaf = hosts // leaves
    devices, first = devices_of(
        {"host": hosts, "leaf": leaves, "spine": spines},
        plane={"leaf": np.zeros(leaves, int), "spine": np.zeros(spines, int)},
        group={"host": np.arange(hosts) // per_leaf, "leaf": np.arange(leaves)},
        rail={"leaf": np.zeros(leaves, int)},
    )
    down = links_between(
        tier=0,
        lower=first["host"] + np.arange(hosts),
        upper=first["leaf"] + np.arange(hosts) // per_leaf,
        lower_port=np.zeros(hosts, int),
        upper_port=np.arange(hosts) % per_leaf,
    )
    leaf, spine, copy = (
        axis.ravel()
        for axis in np.meshgrid(np.arange(leaves), np.arange(spines), np.arange(up), indexing="ij")
    )
    above = links_between(
        tier=1,
        lower=first["leaf"] + leaf,
        upper=first["spine"] + spine,
        lower_port=per_leaf + spine * up + copy,
        upper_port=leaf * up + copy,
    )
    return FabricGraph(
        kinds=("host", "leaf", "spine"),
        tiers=("leaf", "spine"),
        devices=devices,
        links=joined_links([down, above]),
        link_bandwidth_bytes_per_s=np.full(2, LINK),
    )


def host_ring(hosts: int) -> FabricGraph:
    """Hosts joined to each other in a ring, without a switch."""
    devices, _ = devices_of({"host": hosts}, plane={}, group={"host": np.zeros(hosts, int)}, rail={})
    here = np.arange(hosts)
    ring = links_between(
        tier=0, lower=here, upper=np.roll(here, -1), lower_port=np.zeros(1, int), upper_port=np.ones(1, int)
    )
    return FabricGraph(
        kinds=("host",),
        tiers=("ring",),
        devices=devices,
        links=joined_links([ring]),
        link_bandwidth_bytes_per_s=np.full(1, LINK),
    )


def reached_from(graph: FabricGraph, alive, host: int, *, over_hosts: bool) -> set[int]:
    """Hosts that a host reaches, step by step; hosts pass nothing on unless `over_hosts`."""
    ends = set(graph.of_kind("host").tolist()) | set(graph.of_kind("management").tolist())
    neighbours: dict[int, set[int]] = {}
    for one, other in zip(graph.links.lower[alive].tolist(), graph.links.upper[alive].tolist(), strict=True):
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    seen, edge = {host}, {host}
    while edge:
        passing = {device for device in edge if over_hosts or device == host or device not in ends}
        edge = {other for device in passing for other in neighbours.get(device, set())} - seen
        seen |= edge
    return seen & set(graph.of_kind("host").tolist())


def largest_flow(graph: FabricGraph, alive, source: int, sink: int) -> float:
    """The largest flow between two hosts by augmenting paths (Ford, Fulkerson), in links of equal bandwidth."""
    ends = set(graph.of_kind("host").tolist()) - {source, sink}
    room: dict[int, dict[int, int]] = {}
    for one, other in zip(graph.links.lower[alive].tolist(), graph.links.upper[alive].tolist(), strict=True):
        if one in ends or other in ends:
            continue
        for tail, head in ((one, other), (other, one)):
            room.setdefault(tail, {}).setdefault(head, 0)
            room[tail][head] += 1
    flow = 0
    while path := _path(room, source, sink):
        flow += 1
        for tail, head in pairwise(path):
            room[tail][head] -= 1
            room[head][tail] += 1
    return flow * LINK


def _path(room, source: int, sink: int) -> list[int]:
    before, edge = {source: source}, [source]
    while edge and sink not in before:
        device = edge.pop()
        for other, left in room.get(device, {}).items():
            if left and other not in before:
                before[other] = device
                edge.append(other)
    if sink not in before:
        return []
    path = [sink]
    while path[-1] != source:
        path.append(before[path[-1]])
    return path[::-1]
