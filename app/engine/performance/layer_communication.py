"""What the mean layer exchanges for one micro-batch: tensor, context and expert parallelism.

Ranks are laid out tensor-parallel first, then context, then data and expert, pipeline outermost:
a group stays inside the scale-up domain as long as it and all groups inside it fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.context_exchange import context_exchange
from app.engine.performance.expert_exchange import ExpertExchange, expert_exchange
from app.engine.performance.hardware import Hardware
from app.engine.performance.layer import LayerCompute
from app.engine.performance.strategy import LayerShapes
from app.engine.performance.tensor_exchange import tensor_exchange, tensor_exchanges
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, plain


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
