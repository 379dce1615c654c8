"""What hosts send to hosts when the ranks of a job stand on them in order.

Groups lie as the job lays them out: ranks of a group so many accelerators apart, domains of the scale-up fabric
filled one after the other. A host sends to the host in the same place of another domain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.graph.graph import Whole
from app.engine.fabric.sharing.demand import AllToAll, Demand
from app.engine.trace import Array


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
