"""What one accelerator sends in a step, by why it sends it: over its scale-up links and over its NICs.

The same groups, messages and counts as those that step time is computed with, as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.algorithms import (
    direct_scale_out_share,
    direct_scale_up_share,
    ring_scale_out_share,
    ring_scale_up_share,
)
from app.engine.fabric.collectives.network import Group
from app.engine.fabric.collectives.times import TWICE
from app.engine.performance.generic_exchange import group_side_by_side, pattern_ranks
from app.engine.performance.halo_exchange import halo_bytes
from app.engine.performance.hardware import Hardware
from app.engine.quantities import quantity
from app.engine.specs import GenericWorkload, Pattern, SuperNode
from app.engine.trace import Array
from app.engine.workload.generic import sent_each_bytes

RING, ALL_TO_ALL, STAGES, NEIGHBOURS = "ring", "all_to_all", "stages", "neighbours"

_BYTES = "[1] NVIDIA nccl-tests, doc/PERFORMANCE.md (bytes on each link)"
_EXPERT = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2 (dispatch across nodes once per token)"
_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2"
_ZERO = "[1] Rajbhandari et al. 2020, arXiv 1910.02054 (ZeRO)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Bytes of one accelerator and step for one purpose, and the group it is exchanged in."""

    kind: str  # tp | cp | ep | pp | dp, or the name of a pattern
    pattern: str  # ring | all_to_all | stages | neighbours
    scale_up_bytes: Array
    scale_out_bytes: Array
    domains: Array  # scale-up domains that a group spans
    inner_ranks: Array  # accelerators from one rank of a group to the next


@quantity(unit="B", source=_BYTES)
def layer_ring_bytes(*, exchanges: Array, message_bytes: Array, link_share: Array) -> Array:
    """Bytes of all rings of the mean layer and micro-batch over one link."""
    return exchanges * message_bytes * link_share


@quantity(unit="B", source=_EXPERT)
def layer_expert_bytes(
    *,
    layers: Array,
    expert_layers: Array,
    tokens: Array,
    copies: Array,
    dispatch_bytes: Array,
    combine_bytes: Array,
) -> Array:
    """Bytes of dispatch and combine of the mean layer and micro-batch over one link, forward and backward."""
    return expert_layers / layers * 2 * tokens * copies * (dispatch_bytes + combine_bytes)


@quantity(unit="B", source="definition")
def layers_traffic_bytes(*, layer_bytes: Array, stage_layers: Array, micro_batches: Array) -> Array:
    """Bytes of a step: of all layers of the fullest stage, for every micro-batch."""
    return layer_bytes * stage_layers * micro_batches


@quantity(unit="B", source=_PIPELINE)
def stages_traffic_bytes(
    *,
    pipeline_parallel: Array,
    virtual_stages: Array,
    micro_batches: Array,
    message_bytes: Array,
    on_link: Array,
) -> Array:
    """Bytes of a step between pipeline stages: activations to the next, gradients to the one before.

    2 x virtual stages x micro-batches x message, for a stage that has both neighbours.
    """
    sent = 2 * virtual_stages * micro_batches * message_bytes * on_link
    return np.where(pipeline_parallel > 1, sent, 0.0)


@quantity(unit="B", source=_ZERO)
def replicas_traffic_bytes(
    *, reductions: Array, reduced_bytes: Array, gathers: Array, gathered_bytes: Array, link_share: Array
) -> Array:
    """Bytes of a step between replicas over one link: every reduction and every gather, each once round a ring."""
    return (reductions * reduced_bytes + gathers * gathered_bytes) * link_share


@quantity(unit="B", source="definition")
def scale_up_traffic_bytes(*, parts_bytes: tuple[Array, ...]) -> Array:
    """Bytes that an accelerator sends over its scale-up links in a step."""
    return sum(parts_bytes[1:], start=parts_bytes[0])


@quantity(unit="B", source="definition")
def scale_out_traffic_bytes(*, parts_bytes: tuple[Array, ...]) -> Array:
    """Bytes that an accelerator sends over its NICs in a step."""
    return sum(parts_bytes[1:], start=parts_bytes[0])


@quantity(unit="1", source="definition")
def link_utilisation(*, traffic_bytes: Array, bandwidth_bytes_per_s: Array, step_time_s: Array) -> Array:
    """Share of a step in which a link is busy at full rate; 0 where there is nothing to send."""
    return np.where(traffic_bytes <= 0, 0.0, traffic_bytes / (bandwidth_bytes_per_s * step_time_s))


def ring_shares(passes: Array, group: Group) -> tuple[Array, Array]:
    """Shares of a buffer that a ring moves over the scale-up link and over the NIC of each rank."""
    ring = {"passes": passes, "domain_ranks": group.domain_ranks, "domains": group.domains}
    return (
        ring_scale_up_share(own_part=np.zeros(1), **ring),
        ring_scale_out_share(domain_nics=group.domain_ranks, **ring),
    )


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
