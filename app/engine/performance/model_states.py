"""Memory of weights, gradients, optimiser states and the buffers of their exchange."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_ZERO = "[1] Rajbhandari et al. 2020, arXiv 1910.02054 (ZeRO)"


@quantity(unit="B", source=_ZERO, at="performance.memory_breakdown_bytes.weights")
def weight_bytes(
    *,
    dense_parameters: Array,
    expert_parameters: Array,
    dense_shards: Array,
    expert_shards: Array,
    zero_stage: Array,
    weight_parameter_bytes: Array,
) -> Array:
    """Weights.

    All parameters of the stage and rank; a shard of them with ZeRO 3.
    """
    shard = dense_parameters / dense_shards + expert_parameters / expert_shards
    return np.where(zero_stage >= 3, shard, dense_parameters + expert_parameters) * weight_parameter_bytes


@quantity(unit="B", source=_ZERO, at="performance.memory_breakdown_bytes.gradients")
def gradient_bytes(
    *,
    dense_parameters: Array,
    expert_parameters: Array,
    dense_shards: Array,
    expert_shards: Array,
    zero_stage: Array,
    gradient_parameter_bytes: Array,
) -> Array:
    """Gradients.

    All parameters of the stage and rank; a shard of them from ZeRO 2 on.
    """
    shard = dense_parameters / dense_shards + expert_parameters / expert_shards
    held = np.where(zero_stage >= 2, shard, dense_parameters + expert_parameters)
    return held * gradient_parameter_bytes


@quantity(unit="B", source=_ZERO)
def optimizer_bytes(
    *,
    dense_parameters: Array,
    expert_parameters: Array,
    dense_shards: Array,
    expert_shards: Array,
    zero_stage: Array,
    optimizer_parameter_bytes: Array,
) -> Array:
    """Optimiser states, wherever they lie.

    All parameters of the stage and rank; a shard of them from ZeRO 1 on.
    """
    shard = dense_parameters / dense_shards + expert_parameters / expert_shards
    held = np.where(zero_stage >= 1, shard, dense_parameters + expert_parameters)
    return held * optimizer_parameter_bytes


@quantity(
    unit="B",
    source="[1] Ren et al. 2021, arXiv 2101.06840 (ZeRO-Offload)",
    at="performance.memory_breakdown_bytes.optimizer",
    short="Optimiser",
)
def device_optimizer_bytes(*, optimizer_bytes: Array, optimizer_offload: Array) -> Array:
    """Optimiser states.

    None where they lie in another tier of memory.
    """
    return (1 - optimizer_offload) * optimizer_bytes


@quantity(unit="B", source=_ZERO, at="performance.memory_breakdown_bytes.buffers", short="Buffers")
def buffer_bytes(
    *,
    dense_parameters: Array,
    expert_parameters: Array,
    dense_shards: Array,
    expert_shards: Array,
    stage_layers: Array,
    pipeline_parallel: Array,
    virtual_stages: Array,
    zero_stage: Array,
    weight_parameter_bytes: Array,
    gradient_parameter_bytes: Array,
    gradient_bucket_bytes: Array,
    prefetched_layers: Array,
) -> Array:
    """Buffers of the data-parallel exchange.

    ZeRO 3: weights of a layer and of those gathered ahead, and gradients of one. ZeRO 2: gradients, beyond the own shard, of
    the chunk of layers that is in the backward pass, of one layer without a pipeline. At least, and
    else, one bucket.
    """
    held = dense_parameters + expert_parameters
    others = held - dense_parameters / dense_shards - expert_parameters / expert_shards
    gathered = (
        held / stage_layers * ((1 + prefetched_layers) * weight_parameter_bytes + gradient_parameter_bytes)
    )
    bucket = np.minimum(gradient_bucket_bytes, held * gradient_parameter_bytes)
    chunks = np.where(pipeline_parallel > 1, virtual_stages, stage_layers)
    chunk = np.maximum(others / chunks * gradient_parameter_bytes, bucket)
    return np.where(zero_stage >= 3, gathered, np.where(zero_stage >= 2, chunk, bucket))
