"""Tensor-parallel exchange of the mean layer."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives import all_gather_time_s, all_reduce_time_s, reduce_scatter_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.groups import domains_spanned, ranks_in_domain
from app.engine.performance.hardware import Hardware, group_bandwidth_bytes_per_s
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array

_MEGATRON = "[1] Shoeybi et al. 2019, arXiv 1909.08053; [2] Korthikanti et al. 2022, arXiv 2205.05198"


@quantity(unit="B", source=_MEGATRON)
def residual_bytes(*, tokens: Array, hidden: Array) -> Array:
    """Bytes of the residual stream of a micro-batch, 16 bit."""
    return 2 * tokens * hidden


@quantity(unit="1", source="[1] NVIDIA NCCL 2.17 release notes (NVLink SHARP)")
def all_reduce_gain(*, ranks: Array, gain: Array, from_ranks: Array, switched: Array) -> Array:
    """All-reduce bandwidth over that of a ring.

    Above 1 where the scale-up switch reduces and enough ranks take part.
    """
    return np.where((ranks >= from_ranks) & (switched > 0), gain, 1.0)


@quantity(unit="1", source=_MEGATRON)
def tensor_exchanges(
    *, layers: Array, expert_layers: Array, expert_parallel: Array, recompute: Array
) -> Array:
    """All-reduces, or as much, of the mean layer and micro-batch.

    Two forward and two backward, two more for each forward pass done again; half of that in layers
    whose experts are whole on one rank.
    """
    folded = np.where(expert_parallel > 1, expert_layers / layers, 0.0)
    return (2 * 2 + 2 * recompute) * (1 - folded / 2)


@quantity(unit="s", source=_MEGATRON)
def tensor_exchange_time_s(
    *,
    exchanges: Array,
    sequence_parallel: Array,
    gather_scatter_s: Array,
    all_reduce_s: Array,
    scale_out_s: Array,
    exposed: Array,
) -> Array:
    """Tensor-parallel exchange of the mean layer, exposed.

    With sequence parallelism a reduce-scatter and an all-gather take the place of each all-reduce;
    groups larger than a scale-up domain add an all-reduce across domains.
    """
    inside = np.where(sequence_parallel > 0, gather_scatter_s, all_reduce_s)
    return exchanges * (inside + scale_out_s) * exposed


def tensor_exchange(
    m: Architecture, hardware: Hardware, shapes: LayerShapes, tokens: Array, a: PerformanceAssumptions
) -> Array:
    """Exposed tensor-parallel exchange of the mean layer for every shape."""
    message = residual_bytes(tokens=tokens, hidden=m.hidden)
    inside = ranks_in_domain(
        ranks=shapes.tensor_parallel, inner_ranks=np.ones(1), domain_accelerators=hardware.domain_accelerators
    )
    ring = group_bandwidth_bytes_per_s(ranks=inside, hardware=hardware)
    exchange = {
        "message_bytes": message,
        "ranks": inside,
        "bandwidth_bytes_per_s": ring,
        "latency_s": a.scale_up_exchange_latency_s,
        "sqrt_coefficient_s": a.scale_up_exchange_sqrt_s,
    }
    gain = all_reduce_gain(
        ranks=inside,
        gain=a.in_switch_reduction_gain,
        from_ranks=a.in_switch_reduction_ranks,
        switched=np.full(1, float(hardware.scale_up_topology == "switched")),
    )
    return tensor_exchange_time_s(
        exchanges=tensor_exchanges(
            layers=m.layers,
            expert_layers=m.expert_layers,
            expert_parallel=shapes.expert_parallel,
            recompute=shapes.recompute,
        ),
        sequence_parallel=shapes.sequence_parallel,
        gather_scatter_s=all_gather_time_s(**exchange) + reduce_scatter_time_s(**exchange),
        all_reduce_s=all_reduce_time_s(
            message_bytes=message,
            ranks=inside,
            bandwidth_bytes_per_s=ring * gain,
            latency_s=a.scale_up_all_reduce_latency_s,
            sqrt_coefficient_s=a.scale_up_all_reduce_sqrt_s,
        ),
        scale_out_s=all_reduce_time_s(
            message_bytes=message / inside,
            ranks=domains_spanned(ranks=shapes.tensor_parallel, domain_ranks=inside),
            bandwidth_bytes_per_s=hardware.scale_out_bandwidth_bytes_per_s,
            latency_s=a.scale_out_latency_s,
            sqrt_coefficient_s=a.scale_out_sqrt_s,
        ),
        exposed=a.tensor_parallel_exposed,
    )
