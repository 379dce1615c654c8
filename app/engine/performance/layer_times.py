"""How long the mean layer takes for one micro-batch: what it computes, exchanges and waits for.

What the mean layer exchanges for one micro-batch: tensor, context and expert parallelism.

Ranks are laid out tensor-parallel first, then context, then data and expert, pipeline outermost:
a group stays inside the scale-up domain as long as it and all groups inside it fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance import breakdown
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.context_exchange import context_exchange, ring_of
from app.engine.performance.expert_exchange import ExpertExchange, expert_exchange
from app.engine.performance.hardware import Hardware
from app.engine.performance.layer import LayerCompute, layer_compute
from app.engine.performance.strategy import LayerShapes
from app.engine.performance.tensor_exchange import tensor_exchange, tensor_exchanges
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, plain
from app.engine.workload.flops import FlopCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerExchange:
    """Exposed seconds of the mean layer for one micro-batch, and how many collectives it takes."""

    tensor_exchanges: Array  # all-reduces, or as much
    tensor: Array
    context: Array
    expert: Array
    paired_expert: Array  # overlapped with the compute of another micro-batch


def layer_exchange(
    *,
    workload: TrainingWorkload,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    compute: LayerCompute,
    assumptions: PerformanceAssumptions,
) -> LayerExchange:
    """Exposed exchange of the mean layer for every shape. What a search never uses is not computed."""
    m = workload.architecture
    none = 0 * tokens
    expert = ExpertExchange(alone=none, paired=none)
    if np.any(plain(shapes.expert_parallel) > 1):
        work = compute.matmul + compute.attention + compute.memory
        expert = expert_exchange(m, hardware, shapes, tokens, work, assumptions)
    return LayerExchange(
        tensor_exchanges=tensor_exchanges(
            layers=m.layers,
            expert_layers=m.expert_layers,
            expert_parallel=shapes.expert_parallel,
            recompute=shapes.recompute,
        ),
        tensor=tensor_exchange(m, hardware, shapes, tokens, compute.matmul, assumptions)
        if np.any(plain(shapes.tensor_parallel) > 1)
        else none,
        context=context_exchange(m, hardware, shapes, tokens, compute.attention, assumptions)
        if np.any(plain(shapes.context_parallel) > 1)
        else none,
        expert=expert.alone,
        paired_expert=expert.paired,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTimes:
    """Seconds of the mean layer for one micro-batch, forward and backward, by layer shape."""

    compute: LayerCompute
    exchange: LayerExchange
    device: Array  # all of the above
    launch: Array  # what the device waits for the host


def layer_times(
    *,
    workload: TrainingWorkload,
    flops: FlopCounts,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    assumptions: PerformanceAssumptions,
) -> LayerTimes:
    """Time of the mean layer of a model for every shape."""
    m, a = workload.architecture, assumptions
    compute = layer_compute(
        workload=workload, flops=flops, hardware=hardware, shapes=shapes, tokens=tokens, assumptions=a
    )
    exchange = layer_exchange(
        workload=workload, hardware=hardware, shapes=shapes, tokens=tokens, compute=compute, assumptions=a
    )
    device = breakdown.device_time_per_layer_s(
        matmul_s=compute.matmul,
        attention_s=compute.attention,
        memory_s=compute.memory,
        recompute_s=compute.recompute,
        tensor_s=exchange.tensor,
        context_s=exchange.context,
        expert_s=exchange.expert,
    )
    launch = breakdown.exposed_launch_time_s(
        launch_s=breakdown.launch_time_per_layer_s(
            kernels=breakdown.layer_kernels(
                layers=m.layers,
                expert_layers=m.expert_layers,
                experts=m.experts,
                expert_parallel=shapes.expert_parallel,
                forward_kernels=a.layer_kernels,
                cast_kernels=a.cast_kernels,
                expert_kernels=a.expert_layer_kernels,
                local_expert_kernels=a.local_expert_kernels,
                local_expert_cast_kernels=a.local_expert_cast_kernels,
                ring_ranks=ring_of(m, shapes)[0],
                context_turn_kernels=a.context_turn_kernels,
            ),
            collectives=breakdown.layer_collectives(
                tensor_parallel=shapes.tensor_parallel,
                sequence_parallel=shapes.sequence_parallel,
                exchanges=exchange.tensor_exchanges,
            ),
            recompute=shapes.recompute,
            kernel_launch_s=a.kernel_launch_s,
            collective_kernels=a.collective_kernels,
        ),
        device_s=device,
    )
    return LayerTimes(compute=compute, exchange=exchange, device=device, launch=launch)
