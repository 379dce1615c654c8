"""What a failure does to a fabric: who is cut off, what bandwidth is left, and where it is least."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.faults.failed import Failed, device_classes
from app.engine.fabric.faults.flow import flow_bytes_per_s
from app.engine.fabric.faults.share import Share, State, share_left, state_of
from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import HOST, FabricGraph, Mask, Whole, hosts_forward, is_switch
from app.engine.quantities import quantity
from app.engine.trace import Array

MOST_PAIRS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Hosts reach each other over switches; over other hosts only where hosts are joined directly."""

    parts: int  # groups of hosts that hang together, single hosts counted
    cut_off: Mask  # (hosts,) those that do not reach the part that reaches most hosts
    pairs: int  # of hosts
    joined_pairs: int  # of hosts that reach each other

    @property
    def joined_share(self) -> float:
        return self.joined_pairs / self.pairs if self.pairs else 1.0


def reach(graph: FabricGraph, alive: Mask) -> Reach:
    """Reachability over the links that are alive."""
    attached = _attached(graph, alive)[graph.of_kind(HOST)]
    row, first, count = _distinct_rows(attached)
    shown = attached[first]
    meets = (shown @ shown.T).toarray() > 0
    alone = ~meets.diagonal()  # hosts of such a row have no link left at all
    reached = meets @ count
    hosts = row.size
    ordered = (meets * np.outer(count, count)).sum() - (meets.diagonal() * count).sum()
    best = int(np.argmax(reached * (hosts + 1) + count)) if hosts else 0
    groups, _ = connected_components(csr_array(meets[~alone][:, ~alone]), directed=False)
    return Reach(
        parts=int(groups + count[alone].sum()),
        cut_off=~meets[best][row] if hosts else np.zeros(0, bool),
        pairs=hosts * (hosts - 1) // 2,
        joined_pairs=int(ordered) // 2,
    )


def _attached(graph: FabricGraph, alive: Mask) -> csr_array:
    """(devices, parts) 1 where a device has a link into a part of the fabric that hangs together."""
    ends, links = ~is_switch(graph), graph.links
    n = graph.device_count
    lower, upper = links.lower[alive], links.upper[alive]
    between = np.full(lower.size, True) if hosts_forward(graph) else ~ends[lower] & ~ends[upper]
    ones = np.ones(int(between.sum()), np.int8)
    count, part = connected_components(
        csr_array((ones, (lower[between], upper[between])), shape=(n, n)), directed=False
    )
    own = np.arange(n) if hosts_forward(graph) else np.flatnonzero(~ends)
    rows = np.concatenate([own, lower[~between], upper[~between]])
    parts = part[np.concatenate([own, upper[~between], lower[~between]])]
    table = csr_array((np.ones(rows.size, np.int32), (rows, parts)), shape=(n, count))
    table.data[:] = 1
    return table


def _distinct_rows(table: csr_array) -> tuple[Whole, Whole, Whole]:
    """Which distinct row each row is; for each distinct row the first like it, and how many there are."""
    random = np.random.default_rng(0).integers(1, 2**40, size=table.shape[1])
    marks = np.asarray(table @ random.astype(np.float64))
    _, first, row, count = np.unique(marks, return_index=True, return_inverse=True, return_counts=True)
    return row, first, count


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A fabric after a failure."""

    reach: Reach
    share: Share
    tier_share: dict[str, float]  # capacity of the links of each tier, left over whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """Bandwidth between two sets of hosts, one way [B/s], whole and left."""

    one: Whole
    other: Whole
    whole_bytes_per_s: float
    left_bytes_per_s: float

    @property
    def share(self) -> float:
        return self.left_bytes_per_s / self.whole_bytes_per_s if self.whole_bytes_per_s else 1.0


def effect(whole: State, lost: Failed) -> tuple[Effect, State]:
    """Effect of a failure, and the state of the fabric after it."""
    left = state_of(whole.graph, lost)
    reached = reach(whole.graph, left.alive)
    found = Effect(
        reach=reached,
        share=share_left(whole, left, reached.cut_off),
        tier_share=_tier_share(left),
    )
    return found, left


def between(whole: State, left: State, one: Whole, other: Whole) -> Between:
    """The bandwidth between two sets of hosts."""
    return Between(
        one=one,
        other=other,
        whole_bytes_per_s=flow_bytes_per_s(whole.edges, one, other),
        left_bytes_per_s=flow_bytes_per_s(left.edges, one, other),
    )


def bisection(whole: State, left: State) -> Between | None:
    """Between the first half of the hosts and the second, in the order in which they stand."""
    hosts = whole.graph.of_kind(HOST)
    half = hosts.size // 2
    return between(whole, left, hosts[:half], hosts[half:]) if half else None


def worst_pair(whole: State, left: State, reached: Reach) -> Between | None:
    """Two hosts with the least bandwidth left between them; two that do not reach each other, where there are such.

    One host stands for all that the rest of the fabric does not tell apart, and its partner is the last of each
    kind, so that both lie in different units where they can. Of many kinds and of many pairs those are looked at whose
    hosts have the fewest links.
    """
    hosts = whole.graph.of_kind(HOST)
    if reached.cut_off.any():
        alone = hosts[np.argmax(reached.cut_off)]
        others = np.concatenate([hosts[~reached.cut_off], hosts[hosts != alone]])[:1]
        return between(whole, left, np.array([alone]), others) if others.size else None
    own = dict(zip(hosts.tolist(), left.host_bytes_per_s.tolist(), strict=True))
    kinds = [kind.first for kind in device_classes(left.colour, hosts)]
    firsts = sorted(kinds, key=lambda first: own[first])[:MOST_PAIRS]
    lasts = [int(hosts[left.colour[hosts] == left.colour[first]][-1]) for first in firsts]
    pairs = [(one, other) for at, one in enumerate(firsts) for other in lasts[at:] if one != other]
    fewest = sorted(pairs, key=lambda pair: (min(own[pair[0]], own[pair[1]]), pair))[:MOST_PAIRS]
    found = [between(whole, left, np.array([one]), np.array([other])) for one, other in fewest]
    return min(found, key=lambda pair: pair.left_bytes_per_s, default=None)


def _tier_share(left: State) -> dict[str, float]:
    tier = left.graph.links.tier
    tiers = len(left.graph.tiers)
    total = np.bincount(tier, minlength=tiers)
    alive = np.bincount(tier, weights=left.alive, minlength=tiers)
    return {name: float(alive[at] / total[at]) for at, name in enumerate(left.graph.tiers) if total[at]}


_SLOWEST = "definition: a synchronous job is as slow as its slowest rank"


@quantity(unit="B/s", source=_SLOWEST)
def scale_out_left_bytes_per_s(*, scale_out_bandwidth_bytes_per_s: Array, access_share: Array) -> Array:
    """Scale-out bandwidth per accelerator after a failure, of the host that has least left.

    Accelerators of a host share the NICs that are left.
    """
    return scale_out_bandwidth_bytes_per_s * access_share


@quantity(unit="1", source=_SLOWEST)
def oversubscription_left(*, oversubscription: Array, access_share: Array, beyond_share: Array) -> Array:
    """Oversubscription after a failure, at the switch or unit that has lost most of its way out.

    What hosts can still put in over what can still get out; a fabric without oversubscription gains none where
    hosts have lost as much as the switches above them.
    """
    return np.maximum(oversubscription * access_share / beyond_share, np.minimum(oversubscription, 1.0))


@quantity(unit="1", source=_SLOWEST)
def strain_left(*, oversubscription: Array, oversubscription_left: Array) -> Array:
    """Load of what is left of a fabric over that of all of it."""
    return oversubscription_left / oversubscription


def fabric_left(fabric: Fabric, share: Share) -> Fabric:
    """The fabric that a job sees after a failure: the same parts, with what is left of their bandwidth."""
    access, beyond = np.full(1, share.access), np.full(1, share.beyond)
    over = oversubscription_left(
        oversubscription=fabric.oversubscription, access_share=access, beyond_share=beyond
    )
    return replace(
        fabric,
        scale_out_bandwidth_bytes_per_s=scale_out_left_bytes_per_s(
            scale_out_bandwidth_bytes_per_s=fabric.scale_out_bandwidth_bytes_per_s, access_share=access
        ),
        oversubscription=over,
        shared_links=replace(
            fabric.shared_links,
            strain=strain_left(oversubscription=fabric.oversubscription, oversubscription_left=over),
        ),
    )
