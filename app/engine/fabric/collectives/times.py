"""Duration of a collective, for training, serving and validation alike.

A group lies in one scale-up domain or in several. Between domains a message is never squeezed through one
NIC: rings and trees run side by side, one over each NIC, while the ranks of a domain pass on over the
scale-up fabric.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives import algorithms
from app.engine.fabric.collectives.network import (
    Group,
    Network,
    exchange_wire_time_s_per_byte,
    fastest_time_s,
    transfer_time_s,
    wire_time_s_per_byte,
)
from app.engine.trace import Array, plain

ONCE, TWICE = np.ones(1), np.full(1, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """An algorithm on a network, whatever the size of the message."""

    launch_s: Array
    fill_s: Array
    full_pipeline_s: Array
    link_share: Array
    wire_time_s_per_byte: Array


def time_s(message_bytes: Array, pace: Pace) -> Array:
    """Time of one message."""
    return transfer_time_s(
        message_bytes=message_bytes,
        link_share=pace.link_share,
        wire_time_s_per_byte=pace.wire_time_s_per_byte,
        launch_s=pace.launch_s,
        fill_s=pace.fill_s,
        full_pipeline_s=pace.full_pipeline_s,
    )


def all_reduce_time_s(*, message_bytes: Array, group: Group, network: Network) -> Array:
    """A ring over all ranks, or a tree across domains with reduction in the switch where it has it."""
    ring = time_s(message_bytes, ring_pace(TWICE, group, network))
    tree = time_s(message_bytes, tree_pace(group, network))
    return fastest_time_s(one_s=ring, other_s=tree)


def all_gather_time_s(*, message_bytes: Array, group: Group, network: Network) -> Array:
    """A ring over all ranks, S the whole gathered buffer."""
    return time_s(message_bytes, ring_pace(ONCE, group, network))


def reduce_scatter_time_s(*, message_bytes: Array, group: Group, network: Network) -> Array:
    """A ring over all ranks, S the whole buffer before the reduction."""
    return time_s(message_bytes, ring_pace(ONCE, group, network))


def all_to_all_time_s(*, message_bytes: Array, group: Group, network: Network) -> Array:
    """Straight between all ranks, S what one rank sends."""
    up = algorithms.direct_scale_up_share(
        domain_ranks=group.domain_ranks, domains=group.domains, own_part=network.own_part
    )
    out = algorithms.direct_scale_out_share(domains=group.domains)
    pace = Pace(
        launch_s=network.launch_s,
        fill_s=direct_fill_s(group, network),
        full_pipeline_s=network.full_pipeline_s,
        link_share=up + out,
        wire_time_s_per_byte=exchange_wire_time_s_per_byte(
            group, network, scale_up_share=up, scale_out_share=out
        ),
    )
    return time_s(message_bytes, pace)


def broadcast_time_s(*, message_bytes: Array, group: Group, network: Network) -> Array:
    """A chain over all ranks, and as long a reduction to one rank: every link passes the buffer once."""
    pace = _pace(
        network,
        scale_up_share=algorithms.chain_scale_up_share(domain_ranks=group.domain_ranks),
        scale_out_share=algorithms.chain_scale_out_share(
            domain_ranks=group.domain_ranks, domains=group.domains, domain_nics=network.domain_nics
        ),
        fill_s=_ring_fill_s(ONCE, group, network),
    )
    return time_s(message_bytes, pace)


def send_receive_time_s(
    *,
    message_bytes: Array,
    bandwidth_bytes_per_s: Array,
    launch_s: Array,
    hop_s: Array,
    full_pipeline_s: Array,
) -> Array:
    """From one rank to another over one link."""
    return transfer_time_s(
        message_bytes=message_bytes,
        link_share=ONCE,
        wire_time_s_per_byte=1 / bandwidth_bytes_per_s,
        launch_s=launch_s,
        fill_s=hop_s,
        full_pipeline_s=full_pipeline_s,
    )


def ring_pace(passes: Array, group: Group, network: Network) -> Pace:
    """A ring over all ranks: once round to gather or to scatter, twice to reduce for all."""
    ring = {"passes": passes, "domain_ranks": group.domain_ranks, "domains": group.domains}
    return _pace(
        network,
        scale_up_share=algorithms.ring_scale_up_share(own_part=network.own_part, **ring),
        scale_out_share=algorithms.ring_scale_out_share(domain_nics=network.domain_nics, **ring),
        fill_s=_ring_fill_s(passes, group, network),
    )


def tree_pace(group: Group, network: Network) -> Pace:
    """Reduction inside each domain, by the switch or a ring, and a tree between domains."""
    return _pace(
        network,
        scale_up_share=algorithms.reduced_scale_up_share(
            domain_ranks=group.domain_ranks,
            own_part=network.own_part,
            in_switch_efficiency=network.in_switch_efficiency,
            in_switch_ranks=network.in_switch_ranks,
        ),
        scale_out_share=algorithms.tree_scale_out_share(
            domain_ranks=group.domain_ranks, domains=group.domains, domain_nics=network.domain_nics
        ),
        fill_s=algorithms.tree_fill_s(
            hops=_ring_hops(group, network),
            domains=group.domains,
            scale_up_hop_s=network.scale_up_hop_s,
            scale_out_hop_s=network.scale_out_hop_s,
        ),
    )


def direct_fill_s(group: Group, network: Network) -> Array:
    """Latency of an exchange straight between all ranks of a group."""
    return algorithms.direct_fill_s(
        domain_ranks=group.domain_ranks,
        domains=group.domains,
        scale_up_hop_s=network.scale_up_hop_s,
        scale_out_hop_s=network.scale_out_hop_s,
    )


def _pace(network: Network, *, scale_up_share: Array, scale_out_share: Array, fill_s: Array) -> Pace:
    return Pace(
        launch_s=network.launch_s,
        fill_s=fill_s,
        full_pipeline_s=network.full_pipeline_s,
        link_share=scale_up_share + scale_out_share,
        wire_time_s_per_byte=wire_time_s_per_byte(
            scale_up_share=scale_up_share,
            scale_out_share=scale_out_share,
            scale_up_bandwidth_bytes_per_s=network.scale_up_bandwidth_bytes_per_s,
            scale_out_bandwidth_bytes_per_s=network.scale_out_bandwidth_bytes_per_s,
            level_overlap=network.level_overlap,
        ),
    )


def _ring_fill_s(passes: Array, group: Group, network: Network) -> Array:
    return algorithms.ring_fill_s(
        passes=passes,
        hops=_ring_hops(group, network),
        domains=group.domains,
        scale_up_hop_s=network.scale_up_hop_s,
        scale_out_hop_s=network.scale_out_hop_s,
    )


def _ring_hops(group: Group, network: Network) -> Array:
    if np.all(plain(network.dimensions) == 1):
        return algorithms.ring_hops(domain_ranks=group.domain_ranks)
    return algorithms.torus_ring_hops(domain_ranks=group.domain_ranks, dimensions=network.dimensions)
