"""Pipeline stages: how many layers each has, which is the slowest, and what waiting costs.

Layers need not divide by the stages (126 on 16, 61 on 16 are real runs). Every stage has L / pp
layers rounded up or down; the last one, which also has the output head, is one of the short ones
where there are any. The modules of multi-token prediction follow the model on the last stage, which has as
many layers less as they weigh.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2 (interleaved 1F1B)"
_ZERO_BUBBLE = _PIPELINE + "; [2] Qi et al. 2023, arXiv 2401.10241, section 2 (zero-bubble ZB-H1)"


@quantity(
    unit="1",
    source=_PIPELINE + "; [2] PyTorch, torch.utils.data.DistributedSampler, drop_last=False (padding)",
    at="performance.strategy.micro_batches",
)
def micro_batches(*, global_batch_sequences: Array, data_parallel: Array, micro_batch: Array) -> Array:
    """Micro-batches that a pipeline runs in a step.

    Rounded up: where replicas x micro-batch do not divide the batch, padding fills the last micro-batch of a
    replica, as samplers do that drop nothing. It takes the time and counts for nothing.
    """
    return np.ceil(global_batch_sequences / (data_parallel * micro_batch))


@quantity(unit="1", source=_PIPELINE)
def longest_stage_layers(*, layers: Array, module_layers: Array, pipeline_parallel: Array) -> Array:
    """Layers of a long pipeline stage.

    (L + what prediction modules weigh) / pp, rounded up; all layers where there is one stage.
    """
    return np.minimum(np.ceil((layers + module_layers) / pipeline_parallel), layers)


@quantity(unit="1", source=_PIPELINE)
def last_stage_layers(*, layers: Array, module_layers: Array, pipeline_parallel: Array) -> Array:
    """Layers of the last pipeline stage, which also has the output head and the prediction modules.

    (L + what the modules weigh) / pp, rounded down, less what they weigh.
    """
    return np.maximum(np.floor((layers + module_layers) / pipeline_parallel) - module_layers, 0)


@quantity(unit="1", source=_PIPELINE)
def head_on_slowest_stage(
    *, pipeline_parallel: Array, longest_layers: Array, last_layers: Array, layer_s: Array, end_s: Array
) -> Array:
    """Whether the slowest stage is the one with the output head, 1 or 0."""
    slower = last_layers * layer_s + end_s > longest_layers * layer_s
    return np.where((pipeline_parallel <= 1) | slower, 1.0, 0.0)


@quantity(unit="1", source=_PIPELINE)
def slowest_stage_layers(*, head_on_slowest: Array, longest_layers: Array, last_layers: Array) -> Array:
    """Layers of the slowest pipeline stage."""
    return np.where(head_on_slowest > 0, last_layers, longest_layers)


@quantity(unit="s", source=_PIPELINE)
def mean_stage_time_s(
    *, layers: Array, pipeline_parallel: Array, layer_s: Array, end_s: Array, embedding_s: Array
) -> Array:
    """Time of the mean stage for one micro-batch, forward and backward."""
    return (layers * layer_s + end_s + embedding_s) / pipeline_parallel


@quantity(unit="s", source=_ZERO_BUBBLE, at="performance.time_breakdown_s.pp_bubble")
def pipeline_bubble_time_s(
    *, pipeline_parallel: Array, virtual_stages: Array, zero_bubble: Array, mean_stage_s: Array
) -> Array:
    """Pipeline bubble.

    (pp - 1) / v x time of the mean stage: filling and draining, v chunks of layers a stage. A third of that
    where the gradients of weights wait until they fill it (ZB-H1, memory as without).
    """
    left = np.where(zero_bubble > 0, 1 / 3, 1.0)
    return (pipeline_parallel - 1) / virtual_stages * left * mean_stage_s


@quantity(unit="B", source="[1] Narayanan et al. 2021, arXiv 2104.04473, section 4.1 (scatter/gather)")
def stage_message_bytes(*, residual_bytes: Array, tensor_parallel: Array) -> Array:
    """Bytes that a rank sends to the next stage for one micro-batch.

    The residual stream, each tensor-parallel rank its part.
    """
    return residual_bytes / tensor_parallel


@quantity(unit="s", source=_PIPELINE, at="performance.time_breakdown_s.pp_transfer")
def pipeline_transfer_time_s(
    *,
    micro_batches: Array,
    pipeline_parallel: Array,
    virtual_stages: Array,
    transfer_s: Array,
    exposed: Array,
) -> Array:
    """Stage-to-stage transfer, exposed.

    Each micro-batch is received forward and backward, once for each of the v chunks of a stage.
    """
    transfers = 2 * virtual_stages * micro_batches
    return np.where(pipeline_parallel > 1, transfers * transfer_s * exposed, 0.0)
