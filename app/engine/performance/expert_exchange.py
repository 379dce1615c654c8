"""Expert dispatch and combine of the mean layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.expert_traffic import (
    combine_memory_time_s_per_byte,
    copies_sent,
    expert_paths,
    expert_time_s,
    places_reached,
    token_bytes,
    token_handling_time_s,
)
from app.engine.fabric.collectives.network import Group
from app.engine.fabric.collectives.times import all_gather_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.groups import group_network, group_of
from app.engine.performance.hardware import Hardware
from app.engine.performance.layer_widths import expert_tensor_parallel
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array, plain

_EXPERT = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2 (dispatch across nodes once per token)"

COMBINE_ELEMENT_BYTES = np.full(1, 2.0)  # results are summed in 16 bit whatever the dispatch was in


@quantity(unit="1", source=_EXPERT)
def rank_tokens(*, tokens: Array, tensor_parallel: Array) -> Array:
    """Tokens of a micro-batch that a rank sends to experts.

    Its share of the tensor-parallel group's.
    """
    return tokens / tensor_parallel


@quantity(unit="s", source=_EXPERT)
def expert_exchange_time_s(
    *,
    layers: Array,
    expert_layers: Array,
    dispatch_s: Array,
    combine_s: Array,
    expert_gather_s: Array,
    expert_imbalance: Array,
    exposed: Array,
    compute_s: Array,
) -> Array:
    """Expert dispatch and combine of the mean layer, exposed.

    Forward and backward: the gradient of a dispatch is a combine and the other way about. The busiest rank is waited
    for. Ranks that share an expert gather what it reads and scatter the sum of what it returns. The share that the framework exposes, or what takes longer than the compute of the layer.
    """
    once = (dispatch_s + combine_s + 2 * expert_gather_s) * expert_imbalance
    exchange = expert_layers / layers * 2 * once
    return np.maximum(exchange * exposed, exchange - compute_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertExchange:
    """Exposed seconds of the mean layer for one micro-batch, forward and backward."""

    alone: Array
    paired: Array  # beside the compute of another micro-batch


def copies_of_token(
    m: Architecture, *, expert_parallel: Array, group: Group, routing_domains: Array
) -> tuple[Array, Array]:
    """Copies of a token that cross the scale-up link and the NIC of a rank.

    A token crosses the NIC once for each other domain that holds some of its experts, and the scale-up
    fabric once for each rank that does.
    """
    reached = places_reached(
        places=group.domains, experts_per_token=m.experts_per_token, most=routing_domains
    )
    ranks = places_reached(
        places=expert_parallel, experts_per_token=m.experts_per_token, most=m.experts_per_token
    )
    return (
        copies_sent(places=group.domain_ranks, copies=ranks),
        copies_sent(places=group.domains, copies=reached),
    )


def expert_exchange(
    m: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    compute_s: Array,
    a: PerformanceAssumptions,
) -> ExpertExchange:
    """Exposed expert exchange of the mean layer for every shape."""
    etp = expert_tensor_parallel(
        tensor_parallel=shapes.tensor_parallel,
        expert_parallel=shapes.expert_parallel,
        expert_tensor_ranks=shapes.expert_tensor_ranks,
    )
    group = group_of(
        ranks=shapes.expert_parallel, inner_ranks=etp, domain_accelerators=hardware.domain_accelerators
    )
    scale_up_copies, scale_out_copies = copies_of_token(
        m, expert_parallel=shapes.expert_parallel, group=group, routing_domains=a.routing_domains
    )
    paths = expert_paths(
        tokens=rank_tokens(tokens=tokens, tensor_parallel=shapes.tensor_parallel),
        scale_up_copies=scale_up_copies,
        scale_out_copies=scale_out_copies,
        group=group,
        network=group_network("all_to_all", group=group, inner_ranks=etp, hardware=hardware, a=a),
    )
    token_s = token_handling_time_s(hidden=m.hidden, handling_bytes_per_s=a.expert_handling_bytes_per_s)
    exchange: dict[str, Array] = {
        "layers": m.layers,
        "expert_layers": m.expert_layers,
        "compute_s": compute_s,
        "expert_imbalance": a.expert_imbalance,
        "expert_gather_s": _expert_gather_s(m, hardware, shapes, tokens, etp, a),
        "dispatch_s": expert_time_s(
            paths,
            copy_bytes=token_bytes(hidden=m.hidden, element_bytes=a.dispatch_element_bytes),
            memory_time_s_per_byte=np.zeros(1),
            launch_s=a.expert_launch_s,
            token_s=token_s,
        ),
        "combine_s": expert_time_s(
            paths,
            copy_bytes=token_bytes(hidden=m.hidden, element_bytes=COMBINE_ELEMENT_BYTES),
            memory_time_s_per_byte=combine_memory_time_s_per_byte(
                experts_per_token=m.experts_per_token,
                memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
            ),
            launch_s=a.expert_launch_s,
            token_s=token_s,
        ),
    }
    return ExpertExchange(
        alone=expert_exchange_time_s(**exchange, exposed=a.expert_parallel_exposed),
        paired=expert_exchange_time_s(
            **exchange, exposed=np.minimum(a.paired_exchange_exposed, a.expert_parallel_exposed)
        ),
    )


@quantity(unit="B", source="[1] Liu et al. 2025, arXiv 2504.14960 (MoE parallel folding)")
def expert_input_bytes(
    *,
    tokens: Array,
    tensor_parallel: Array,
    expert_tensor_parallel: Array,
    experts_per_token: Array,
    hidden: Array,
) -> Array:
    """Bytes that the ranks of an expert read together: k copies of the tokens of each, 16 bit."""
    return 2 * tokens * expert_tensor_parallel / tensor_parallel * experts_per_token * hidden


def _expert_gather_s(
    m: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    etp: Array,
    a: PerformanceAssumptions,
) -> Array:
    """One gather among the ranks of an expert; nothing is computed where no layout splits experts so."""
    if np.all(plain(shapes.expert_tensor_ranks) <= 1):
        return np.zeros(1)
    group = group_of(ranks=etp, inner_ranks=np.ones(1), domain_accelerators=hardware.domain_accelerators)
    return all_gather_time_s(
        message_bytes=expert_input_bytes(
            tokens=tokens,
            tensor_parallel=shapes.tensor_parallel,
            expert_tensor_parallel=etp,
            experts_per_token=m.experts_per_token,
            hidden=m.hidden,
        ),
        group=group,
        network=group_network("ring", group=group, inner_ranks=np.ones(1), hardware=hardware, a=a),
    )
