"""What hosts send to hosts, and the ports by which it leaves and arrives.

What hosts send to hosts when the ranks of a job stand on them in order.

Groups lie as the job lays them out: ranks of a group so many accelerators apart, domains of the scale-up fabric
filled one after the other. A host sends to the host in the same place of another domain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Mask, Whole, hosts_forward, is_switch
from app.engine.trace import Array


class Demand(NamedTuple):
    """d pairs of hosts, by their number, and what the first sends to the second: bytes, or bytes per
    second."""

    source: Whole
    sink: Whole
    amount: Array


class AllToAll(NamedTuple):
    """Each of some hosts sends to all others in equal parts, `amount` in all."""

    hosts: Whole
    amount: float

    def pairs(self) -> Demand:
        """The same, pair by pair."""
        source, sink = (axis.ravel() for axis in np.meshgrid(self.hosts, self.hosts, indexing="ij"))
        other = source != sink
        each = np.full(int(other.sum()), self.amount / max(self.hosts.size - 1, 1))
        return Demand(source[other], sink[other], each)


class Streams(NamedTuple):
    """A demand as the fabric sees it: what it puts on the links of hosts, and what goes from switch to switch."""

    access: Array  # (2 m,) of every arc, of those that begin or end in a host
    tail: Whole  # (streams,) device
    head: Whole  # another one
    amount: Array


class UnreachableError(Exception):
    """Two devices that have something for each other have no way to each other."""

    def __init__(self, source: int, sink: int) -> None:
        super().__init__(f"device {source} does not reach device {sink}")
        self.source, self.sink = source, sink


def ring(hosts: Whole, amount: float | Array) -> Demand:
    """Each host to the next, the last to the first."""
    if hosts.size < 2:
        return Demand(hosts[:0], hosts[:0], np.empty(0))
    return Demand(hosts, np.roll(hosts, -1), np.broadcast_to(amount, hosts.size).astype(float))


def streams(graph: FabricGraph, alive: Mask, demand: Demand | AllToAll) -> Streams:
    """A demand cut into streams.

    Between switches a host sends by each of its ports to the same port of the other host, which keeps a rail on its
    rail and a plane in its plane; ports that one of the two has lost leave more to the others.

    Raises
    ------
    UnreachableError : two hosts have no port in common
    """
    if hosts_forward(graph):
        pairs = demand.pairs() if isinstance(demand, AllToAll) else demand
        hosts = graph.of_kind(HOST)
        return Streams(np.zeros(2 * graph.link_count), hosts[pairs.source], hosts[pairs.sink], pairs.amount)
    table = _port_arcs(graph, alive)
    if not isinstance(demand, AllToAll):
        return _of_pairs(graph, table, demand)
    has = table[demand.hosts] != NONE
    if demand.hosts.size < 2 or not (has == has[:1]).all() or not has.any():
        return _of_pairs(graph, table, demand.pairs())
    return _of_all_to_all(graph, table[demand.hosts][:, has[0]], demand)


def _of_pairs(graph: FabricGraph, table: Whole, demand: Demand) -> Streams:
    both = (table[demand.source] != NONE) & (table[demand.sink] != NONE)
    ports = both.sum(axis=1)
    if (ports == 0).any():
        first = int(np.argmin(ports))
        hosts = graph.of_kind(HOST)
        raise UnreachableError(int(hosts[demand.source[first]]), int(hosts[demand.sink[first]]))
    row, port = np.nonzero(both)
    leaving, arriving = table[demand.source[row], port], table[demand.sink[row], port]
    switch = _far_end(graph)
    amount = (demand.amount / ports)[row]
    apart = switch[leaving] != switch[arriving]
    return Streams(
        _access(graph, leaving, arriving, amount),
        switch[leaving][apart],
        switch[arriving][apart],
        amount[apart],
    )


def _of_all_to_all(graph: FabricGraph, arcs: Whole, demand: AllToAll) -> Streams:
    """Hosts with the same ports: a switch sends another as much as both have hosts at each port."""
    hosts, ports = arcs.shape
    switch = _far_end(graph)[arcs]
    each = demand.amount / ports
    access = _access(graph, arcs.ravel(), arcs.ravel(), np.full(arcs.size, each))
    parts = []
    for port in range(ports):
        here, count = np.unique(switch[:, port], return_counts=True)
        tail, head = (axis.ravel() for axis in np.meshgrid(np.arange(here.size), np.arange(here.size)))
        apart = tail != head
        tail, head = tail[apart], head[apart]
        parts.append((here[tail], here[head], each / (hosts - 1) * count[tail] * count[head]))
    return Streams(access, *(np.concatenate(column) for column in zip(*parts, strict=True)))


def _access(graph: FabricGraph, leaving: Whole, arriving: Whole, amount: Array) -> Array:
    """(2 m,) load of the arcs by which hosts send; what arrives comes the other way over the same kind of link."""
    size = 2 * graph.link_count
    load: Array = np.bincount(leaving, weights=amount, minlength=size).astype(np.float64)
    other_way = (arriving + graph.link_count) % max(size, 1)
    return load + np.bincount(other_way, weights=amount, minlength=size)


def _far_end(graph: FabricGraph) -> Whole:
    """(2 m,) the device in which each arc ends."""
    return np.concatenate([graph.links.upper, graph.links.lower])


def _port_arcs(graph: FabricGraph, alive: Mask) -> Whole:
    """(hosts, ports) the arc that leaves a host by a port, -1 where it has no such port."""
    links, switch = graph.links, is_switch(graph)
    host = graph.devices.kind == (graph.kinds.index(HOST) if HOST in graph.kinds else NONE)
    up = np.flatnonzero(alive & host[links.lower] & switch[links.upper])
    down = np.flatnonzero(alive & host[links.upper] & switch[links.lower])
    number = np.concatenate([graph.devices.number[links.lower[up]], graph.devices.number[links.upper[down]]])
    port = np.concatenate([links.lower_port[up], links.upper_port[down]])
    table = np.full((int(host.sum()), int(port.max(initial=-1)) + 1), NONE)
    table[number, port] = np.concatenate([up, down + graph.link_count])
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Hosts of a job by scale-up domain: `hosts` of them, so many in each domain, with so many accelerators."""

    hosts: int
    domain_hosts: int
    domain_accelerators: int

    @property
    def domains(self) -> int:
        return -(-self.hosts // self.domain_hosts)


def ring_between_domains(layout: Layout, *, members: int, inner_ranks: float, amount: float) -> Demand:
    """Rings over groups of domains: each sends to the next of its group, the last to the first."""
    place, stride, rank, size = _groups(layout, members, inner_ranks)
    following = place + np.where(rank + 1 < size, stride, -rank * stride)
    return _hosts(layout, place, following, np.full(place.size, amount))


def stages_between_domains(layout: Layout, *, inner_ranks: float, amount: float, wraps: bool) -> Demand:
    """Half of it to the next stage and half to the one before; with virtual stages the last is before the first."""
    place = np.arange(layout.domains)
    apart = max(round(inner_ranks / layout.domain_accelerators), 1)
    parts = []
    for step in (apart, -apart):
        other = place + step
        kept = np.full(place.size, True) if wraps else (other >= 0) & (other < layout.domains)
        parts.append((place[kept], other[kept] % layout.domains))
    one, other = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _hosts(layout, one, other, np.full(one.size, amount / 2))


def all_to_all_between_domains(
    layout: Layout, *, members: int, inner_ranks: float, amount: float
) -> list[Demand | AllToAll]:
    """Each domain of a group to all others of it, in equal parts."""
    if members >= layout.domains and layout.domain_hosts == 1:
        return [AllToAll(np.arange(layout.hosts), amount)]
    place, stride, rank, size = _groups(layout, members, inner_ranks)
    found: list[Demand | AllToAll] = []
    for step in range(1, int(size.max(initial=1))):
        there = step < size
        one, ranks, sizes = place[there], rank[there], size[there]
        other = one + ((ranks + step) % sizes - ranks) * stride
        found.append(_hosts(layout, one, other, amount / (sizes - 1)))
    return found


def _groups(layout: Layout, members: int, inner_ranks: float) -> tuple[Whole, int, Whole, Whole]:
    """Every domain, the domains from one member of a group to the next, and its rank in a group of that size.

    The last group is smaller where the domains do not divide.
    """
    place = np.arange(layout.domains)
    stride = max(round(inner_ranks / layout.domain_accelerators), 1)
    block = stride * max(members, 1)
    begin = place // block * block
    rank, offset = np.divmod(place - begin, stride)
    left = np.minimum(begin + block, layout.domains) - begin
    return place, stride, rank, (left - offset + stride - 1) // stride


def _hosts(layout: Layout, one: Whole, other: Whole, amount: Array) -> Demand:
    """From domain to domain, host by host; what would stay on a host leaves none."""
    tray = np.arange(layout.domain_hosts)
    source = (one[:, None] * layout.domain_hosts + tray).ravel()
    sink = (other[:, None] * layout.domain_hosts + tray).ravel()
    kept = (source != sink) & (source < layout.hosts) & (sink < layout.hosts)
    return Demand(source[kept], sink[kept], np.repeat(amount, layout.domain_hosts)[kept])
