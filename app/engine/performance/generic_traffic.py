"""Bytes that a generic job exchanges in a step, pattern by pattern."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.algorithms import direct_scale_out_share, direct_scale_up_share
from app.engine.fabric.collectives.network import Group
from app.engine.fabric.collectives.times import TWICE
from app.engine.performance.generic_exchange import group_side_by_side, pattern_ranks
from app.engine.performance.halo_exchange import halo_bytes
from app.engine.performance.hardware import Hardware
from app.engine.performance.traffic import ALL_TO_ALL, NEIGHBOURS, RING, Traffic, ring_shares
from app.engine.quantities import quantity
from app.engine.specs import GenericWorkload, Pattern, SuperNode
from app.engine.trace import Array
from app.engine.workload.generic import sent_each_bytes


@quantity(unit="B", source="definition")
def pattern_traffic_bytes(*, per_step: Array, message_bytes: Array, link_share: Array) -> Array:
    """Bytes of a step that a pattern moves over one link."""
    return np.where(per_step <= 0, 0.0, per_step * message_bytes * link_share)


def generic_traffic(
    *, workload: GenericWorkload, supernode: SuperNode, hardware: Hardware
) -> tuple[Traffic, ...]:
    """All that a generic job exchanges in a step."""
    return tuple(_traffic(pattern, workload, supernode, hardware) for pattern in workload.patterns)


def _traffic(
    pattern: Pattern, workload: GenericWorkload, supernode: SuperNode, hardware: Hardware
) -> Traffic:
    ranks = pattern_ranks(
        accelerators_used=hardware.accelerators_used,
        supernode_accelerators=supernode.accelerators,
        within_supernode=pattern.within_supernode,
    )
    group = group_side_by_side(ranks, hardware)
    shape, messages, shares = _sent(pattern, workload, hardware, group)
    up, out = (
        pattern_traffic_bytes(per_step=pattern.per_step, message_bytes=message, link_share=share)
        for message, share in zip(messages, shares, strict=True)
    )
    return Traffic(
        kind=pattern.name,
        pattern=shape,
        scale_up_bytes=up,
        scale_out_bytes=out,
        domains=group.domains,
        inner_ranks=np.ones(1),
    )


def _sent(
    pattern: Pattern, workload: GenericWorkload, hardware: Hardware, group: Group
) -> tuple[str, tuple[Array, Array], tuple[Array, Array]]:
    """How a pattern goes round, its message, and what of it each kind of link carries: scale-up, scale-out."""
    if pattern.halo is not None:
        faces = halo_bytes(
            halo=pattern.halo, strong=workload.strong, domain_accelerators=hardware.domain_accelerators
        )
        return NEIGHBOURS, faces, (np.ones(1), np.ones(1))
    assert pattern.exchanged_bytes is not None
    if pattern.name == "all_reduce":
        return RING, (pattern.exchanged_bytes, pattern.exchanged_bytes), ring_shares(TWICE, group)
    sent = sent_each_bytes(
        exchanged_bytes=pattern.exchanged_bytes,
        strong=workload.strong,
        accelerators_used=hardware.accelerators_used,
    )
    shares = (
        direct_scale_up_share(domain_ranks=group.domain_ranks, domains=group.domains, own_part=np.zeros(1)),
        direct_scale_out_share(domains=group.domains),
    )
    return ALL_TO_ALL, (sent, sent), shares
