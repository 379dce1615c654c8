"""Communication of a generic step: each pattern on its part of the network, and what of it stays exposed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.fabric.collectives.network import (
    Group,
    Network,
    torus_all_to_all_bandwidth_bytes_per_s,
    torus_dimensions,
)
from app.engine.fabric.collectives.times import all_reduce_time_s, all_to_all_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.groups import group_network, group_of
from app.engine.performance.halo_exchange import halo_exchange_time_s
from app.engine.performance.hardware import Hardware
from app.engine.quantities import quantity
from app.engine.specs import GenericWorkload, Pattern, SuperNode
from app.engine.trace import Array
from app.engine.workload.generic import sent_each_bytes

PATTERNS = ("halo_exchange", "all_to_all", "all_reduce")

_OVERLAP = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (what runs side by side)"
ONE = np.ones(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged:
    """Seconds of a step by pattern, exposed, and where the ranks of the job lie."""

    exposed_s: dict[str, Array]
    ranks: Array
    domain_ranks: Array
    domains: Array


@quantity(unit="1", source="definition")
def pattern_ranks(
    *, accelerators_used: Array, supernode_accelerators: Array, within_supernode: Array
) -> Array:
    """Accelerators that take part in a pattern: all of the job, or those of one SuperNode."""
    return np.where(
        within_supernode > 0, np.minimum(accelerators_used, supernode_accelerators), accelerators_used
    )


@quantity(unit="s", source="definition")
def pattern_time_s(*, per_step: Array, each_s: Array) -> Array:
    """Time of a pattern in one step, all its occurrences one after the other."""
    return np.where(per_step <= 0, 0.0, per_step * each_s)


@quantity(unit="s", source="definition")
def can_hide_s(*, pattern_s: Array, overlap: Array) -> Array:
    """Time of a pattern that can run beside arithmetic and memory traffic."""
    return pattern_s * overlap


@quantity(unit="1", source=_OVERLAP)
def hidden_share(*, local_s: Array, can_hide_s: tuple[Array, ...]) -> Array:
    """Share that is hidden of what can be: all of it, or as much as the local work lasts."""
    total = sum(can_hide_s[1:], start=can_hide_s[0])
    return np.where(total > local_s, local_s / np.where(total > 0, total, 1.0), 1.0)


@quantity(unit="s", source=_OVERLAP, at="performance.time_breakdown_s.halo_exchange", short="Halo exchange")
def halo_exchange_exposed_s(
    *, pattern_s: tuple[Array, ...], can_hide_s: tuple[Array, ...], hidden_share: Array
) -> Array:
    """Halo exchange, exposed."""
    return _left(pattern_s, can_hide_s, hidden_share)


@quantity(unit="s", source=_OVERLAP, at="performance.time_breakdown_s.all_to_all", short="All-to-all")
def all_to_all_exposed_s(
    *, pattern_s: tuple[Array, ...], can_hide_s: tuple[Array, ...], hidden_share: Array
) -> Array:
    """All-to-all exchange, exposed."""
    return _left(pattern_s, can_hide_s, hidden_share)


@quantity(unit="s", source=_OVERLAP, at="performance.time_breakdown_s.all_reduce", short="All-reduce")
def all_reduce_exposed_s(
    *, pattern_s: tuple[Array, ...], can_hide_s: tuple[Array, ...], hidden_share: Array
) -> Array:
    """All-reduce, exposed."""
    return _left(pattern_s, can_hide_s, hidden_share)


EXPOSED = {
    "halo_exchange": halo_exchange_exposed_s,
    "all_to_all": all_to_all_exposed_s,
    "all_reduce": all_reduce_exposed_s,
}


def exchanged(
    *,
    workload: GenericWorkload,
    supernode: SuperNode,
    accelerators_used: Array,
    hardware: Hardware,
    local_s: Array,
    assumptions: PerformanceAssumptions,
) -> Exchanged:
    """Every pattern of a step.

    Parameters
    ----------
    local_s : arithmetic and memory traffic of a step, beside which exchanges can run [s]
    """
    job = group_side_by_side(accelerators_used, hardware)
    times = []
    for pattern in workload.patterns:
        ranks = pattern_ranks(
            accelerators_used=accelerators_used,
            supernode_accelerators=supernode.accelerators,
            within_supernode=pattern.within_supernode,
        )
        each = _pattern_time_s(
            pattern, workload, accelerators_used, group_side_by_side(ranks, hardware), hardware, assumptions
        )
        times.append(pattern_time_s(per_step=pattern.per_step, each_s=each))
    hideable = tuple(
        can_hide_s(pattern_s=time_s, overlap=pattern.overlap)
        for pattern, time_s in zip(workload.patterns, times, strict=True)
    )
    share = hidden_share(local_s=local_s, can_hide_s=hideable) if hideable else ONE
    exposed = {}
    for name in dict.fromkeys(pattern.name for pattern in workload.patterns):
        here = [place for place, pattern in enumerate(workload.patterns) if pattern.name == name]
        exposed[name] = EXPOSED[name](
            pattern_s=tuple(times[place] for place in here),
            can_hide_s=tuple(hideable[place] for place in here),
            hidden_share=share,
        )
    return Exchanged(
        exposed_s=exposed,
        ranks=accelerators_used,
        domain_ranks=job.domain_ranks,
        domains=job.domains,
    )


def group_side_by_side(ranks: Array, hardware: Hardware) -> Group:
    """A group whose ranks lie on neighbouring accelerators."""
    return group_of(ranks=ranks, inner_ranks=ONE, domain_accelerators=hardware.domain_accelerators)


def _pattern_time_s(
    pattern: Pattern,
    workload: GenericWorkload,
    accelerators_used: Array,
    group: Group,
    hardware: Hardware,
    assumptions: PerformanceAssumptions,
) -> Array:
    """Time of one occurrence of a pattern.

    Neighbours of a halo exchange are near one another, so few of its bytes meet on oversubscribed links: it has
    the bandwidth of the NICs, where the others wait for links that hosts share.
    """
    halo = pattern.halo
    network = group_network(
        "all_to_all" if pattern.name == "all_to_all" else "ring",
        group=Group(domain_ranks=group.domain_ranks, domains=ONE) if halo is not None else group,
        inner_ranks=ONE,
        hardware=hardware,
        a=assumptions,
    )
    if halo is not None:
        return halo_exchange_time_s(
            halo=halo,
            strong=workload.strong,
            domain_accelerators=hardware.domain_accelerators,
            network=network,
        )
    assert pattern.exchanged_bytes is not None
    if pattern.name == "all_reduce":
        return all_reduce_time_s(message_bytes=pattern.exchanged_bytes, group=group, network=network)
    sent = sent_each_bytes(
        exchanged_bytes=pattern.exchanged_bytes,
        strong=workload.strong,
        accelerators_used=accelerators_used,
    )
    return all_to_all_time_s(
        message_bytes=sent, group=group, network=_for_all_to_all(network, group, hardware)
    )


def _for_all_to_all(network: Network, group: Group, hardware: Hardware) -> Network:
    """A torus is narrower across its middle than at each chip."""
    if hardware.scale_up_topology != "torus":
        return network
    middle = torus_all_to_all_bandwidth_bytes_per_s(
        ranks=group.domain_ranks,
        dimensions=torus_dimensions(
            full_bandwidth_bytes_per_s=hardware.scale_up_bandwidth_bytes_per_s,
            pair_bandwidth_bytes_per_s=hardware.scale_up_pair_bandwidth_bytes_per_s,
        ),
        pair_bandwidth_bytes_per_s=hardware.scale_up_pair_bandwidth_bytes_per_s,
    )
    return replace(
        network, scale_up_bandwidth_bytes_per_s=np.fmin(middle, network.scale_up_bandwidth_bytes_per_s)
    )


def _left(times: tuple[Array, ...], hideable: tuple[Array, ...], share: Array) -> Array:
    """Exposed time of some patterns: their total less the part that is hidden."""
    total = sum(times[1:], start=times[0])
    return total - share * sum(hideable[1:], start=hideable[0])
