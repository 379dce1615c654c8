"""What a failure does to a fabric: who is cut off, what bandwidth is left, and where it is least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.faults.classes import device_classes
from app.engine.fabric.faults.failed import Failed
from app.engine.fabric.faults.flow import flow_bytes_per_s
from app.engine.fabric.faults.reach import Reach, reach
from app.engine.fabric.faults.share import Share, State, share_left, state_of
from app.engine.fabric.graph.graph import Whole
from app.engine.fabric.graph.kinds import HOST

MOST_PAIRS = 40


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
    """What a failure does, and the state of the fabric behind it."""
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
