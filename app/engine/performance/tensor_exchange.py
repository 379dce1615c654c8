"""Tensor-parallel exchange of the mean layer."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.times import all_gather_time_s, all_reduce_time_s, reduce_scatter_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.groups import group_network, group_of
from app.engine.performance.hardware import Hardware
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array, plain

_MEGATRON = "[1] Shoeybi et al. 2019, arXiv 1909.08053; [2] Korthikanti et al. 2022, arXiv 2205.05198"


@quantity(unit="B", source=_MEGATRON)
def residual_bytes(*, tokens: Array, hidden: Array) -> Array:
    """Bytes of the residual stream of a micro-batch, 16 bit."""
    return 2 * tokens * hidden


@quantity(unit="B", source="[1] PyTorch torchao, enable_fsdp_float8_all_gather and float8 tensor parallelism")
def gathered_residual_bytes(*, residual_bytes: Array, gather_element_bytes: Array) -> Array:
    """Bytes of the residual stream of a micro-batch as ranks gather it."""
    return residual_bytes * gather_element_bytes / 2


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
    all_gather_s: Array,
    reduce_scatter_s: Array,
    all_reduce_s: Array,
    tensor_overlap: Array,
    exposed: Array,
    matmul_s: Array,
) -> Array:
    """Tensor-parallel exchange of the mean layer, exposed.

    All of it without overlap; else the share that the framework exposes, or the time beyond that of the
    overlapped matmuls.

    With sequence parallelism an all-gather, in 8 bit where the framework casts before it, and a reduce-scatter replace
    each all-reduce.
    """
    exchange = exchanges * np.where(sequence_parallel > 0, all_gather_s + reduce_scatter_s, all_reduce_s)
    beside = np.maximum(exchange * exposed, exchange - matmul_s)
    return np.where(tensor_overlap > 0, beside, exchange)


def tensor_exchange(
    m: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    matmul_s: Array,
    a: PerformanceAssumptions,
) -> Array:
    """Exposed tensor-parallel exchange of the mean layer for every shape."""
    message = residual_bytes(tokens=tokens, hidden=m.hidden)
    group = group_of(
        ranks=shapes.tensor_parallel, inner_ranks=np.ones(1), domain_accelerators=hardware.domain_accelerators
    )
    network = group_network("ring", group=group, inner_ranks=np.ones(1), hardware=hardware, a=a)
    # What no layout of a search uses is not computed.
    in_sequence, none = plain(shapes.sequence_parallel) > 0, np.zeros(1)
    return tensor_exchange_time_s(
        exchanges=tensor_exchanges(
            layers=m.layers,
            expert_layers=m.expert_layers,
            expert_parallel=shapes.expert_parallel,
            recompute=shapes.recompute,
        ),
        sequence_parallel=shapes.sequence_parallel,
        all_gather_s=all_gather_time_s(
            message_bytes=gathered_residual_bytes(
                residual_bytes=message, gather_element_bytes=a.tensor_gather_element_bytes
            ),
            group=group,
            network=network,
        )
        if np.any(in_sequence)
        else none,
        reduce_scatter_s=reduce_scatter_time_s(message_bytes=message, group=group, network=network)
        if np.any(in_sequence)
        else none,
        all_reduce_s=all_reduce_time_s(message_bytes=message, group=group, network=network)
        if not np.all(in_sequence)
        else none,
        tensor_overlap=shapes.tensor_overlap,
        exposed=a.tensor_parallel_exposed,
        matmul_s=matmul_s,
    )
