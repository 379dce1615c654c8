"""Data parallelism: exchange of gradients and weights, what hides it, and the optimiser.

ZeRO stages: 0 all-reduces gradients; 1 and 2 scatter gradients and gather weights once a step;
3 gathers each layer's weights twice and scatters its gradients for every micro-batch. With hybrid
sharding that happens in groups of replicas, and the gradients of a shard are reduced between groups.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_HYBRID = "[1] Zhao et al. 2023, arXiv 2304.11277, section 3.2.2 (hybrid sharding)"
_RESHARD = "[1] PyTorch, fully_shard, reshard_after_forward; [2] torchtitan, fsdp_reshard_after_forward (never with a pipeline)"
_ZERO = "[1] Rajbhandari et al. 2020, arXiv 1910.02054 (ZeRO); [2] Zhao et al. 2023, arXiv 2304.11277 (FSDP)"


@quantity(unit="B", source="[1] NVIDIA Megatron-Core, DistributedDataParallel (default bucket size)")
def gradient_bucket_bytes(*, replicas: Array, least_bytes: Array, replica_bytes: Array) -> Array:
    """Gradient bytes exchanged by one collective: more where many ranks share them."""
    return np.maximum(least_bytes, replicas * replica_bytes)


@quantity(unit="1", source=_ZERO)
def exchange_buckets(*, message_bytes: Array, bucket_bytes: Array) -> Array:
    """Collectives that an exchange is cut into, so that it can start before all of it is known."""
    return np.maximum(np.ceil(message_bytes / bucket_bytes), 1)


@quantity(unit="B", source=_ZERO)
def reduced_bytes(*, parameters: Array, gradient_parameter_bytes: Array) -> Array:
    """Gradient bytes that a rank contributes to the reduction."""
    return parameters * gradient_parameter_bytes


@quantity(unit="B", source=_ZERO)
def gathered_bytes(
    *, parameters: Array, zero_stage: Array, gradient_parameter_bytes: Array, weight_parameter_bytes: Array
) -> Array:
    """Bytes that a rank gathers after the reduction.

    Updated weights, or the reduced gradients themselves where nothing is sharded (ZeRO 0).
    """
    element = np.where(zero_stage > 0, weight_parameter_bytes, gradient_parameter_bytes)
    return parameters * element


@quantity(unit="1", source=_ZERO)
def gradient_reductions(
    *, zero_stage: Array, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array
) -> Array:
    """Times that the gradients of a parameter are reduced in a step.

    Once. Sharded gradients cannot gather up: with ZeRO 2 each run of pp micro-batches through a chunk
    of layers ends in a reduction, with ZeRO 3 each micro-batch does. A pipeline without virtual stages
    has one run.
    """
    runs = np.where(
        (virtual_stages > 1) | (pipeline_parallel <= 1), np.ceil(micro_batches / pipeline_parallel), 1.0
    )
    return np.where(zero_stage >= 3, micro_batches, np.where(zero_stage >= 2, runs, 1.0))


@quantity(unit="1", source=_RESHARD)
def held_zero_stage(*, zero_stage: Array, reshard: Array, pipeline_parallel: Array) -> Array:
    """ZeRO stage that memory and gradients see.

    ZeRO 3 that keeps weights gathered after the forward pass holds all weights, as ZeRO 2 does; in a pipeline
    it also sums whole gradients over the micro-batches, as ZeRO 1 does.
    """
    gathered = np.where(pipeline_parallel > 1, 1.0, 2.0)
    return np.where((zero_stage >= 3) & (reshard < 1), gathered, zero_stage)


@quantity(unit="1", source=_RESHARD)
def weight_gathers(
    *, zero_stage: Array, reshard: Array, pipeline_parallel: Array, micro_batches: Array
) -> Array:
    """Times that the weights are gathered in a step.

    Once. With ZeRO 3 twice for every micro-batch; once for each where they stay gathered until the backward pass, and
    once a step where they stay in a pipeline.
    """
    gathered = np.where(pipeline_parallel > 1, 1.0, micro_batches)
    return np.where(zero_stage >= 3, np.where(reshard < 1, gathered, 2 * micro_batches), 1.0)


@quantity(unit="s", source=_ZERO)
def replica_exchange_time_s(*, reductions: Array, reduce_s: Array, gathers: Array, gather_s: Array) -> Array:
    """Data-parallel exchange of a step before any of it is hidden: every reduction and every gather."""
    return reductions * reduce_s + gathers * gather_s


@quantity(unit="1", source="[1] NVIDIA Megatron-Core, overlapped gradient reduction by virtual stage")
def hiding_micro_batches(
    *, reductions: Array, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array
) -> Array:
    """Micro-batches of compute beside which data-parallel exchange runs.

    One for each reduction. With v virtual stages the exchange of a chunk runs beside the other
    v - 1 chunks of a run of pp micro-batches.
    """
    run = np.minimum(pipeline_parallel, micro_batches) * (virtual_stages - 1) / virtual_stages
    return np.minimum(reductions * np.maximum(run, 1), micro_batches)


@quantity(unit="s", source=_ZERO, at="performance.time_breakdown_s.dp", short="Data-parallel traffic")
def data_parallel_time_s(
    *,
    exchange_s: Array,
    stage_s: Array,
    hiding_micro_batches: Array,
    data_overlap: Array,
    overlap: Array,
    never_hidden: Array,
    zero_stage: Array,
    prefetched_layers: Array,
) -> Array:
    """Data-parallel exchange, exposed.

    What takes longer than the compute it runs beside, at least the share that has nothing to hide
    behind. ZeRO 3 that gathers nothing ahead hides nothing.

    Parameters
    ----------
    exchange_s : before hiding [s]
    stage_s : forward and backward time of one micro-batch on the slowest stage [s]
    hiding_micro_batches : micro-batches that can hide exchange [1]
    data_overlap : 1 where exchange runs beside compute at all, else 0 [1]
    overlap : share of that compute that can hide exchange [1]
    never_hidden : share of the exchange with nothing to hide behind [1]
    prefetched_layers : layers whose weights ZeRO 3 gathers ahead [1]
    """
    ahead = np.where(zero_stage >= 3, np.minimum(prefetched_layers, 1), 1.0)
    window = data_overlap * ahead * stage_s * hiding_micro_batches * overlap
    return np.maximum(exchange_s - window, exchange_s * never_hidden)


@quantity(
    unit="s",
    source="[1] Kingma, Ba 2015, arXiv 1412.6980 (Adam)",
    at="performance.time_breakdown_s.optimizer",
    short="Optimiser",
)
def optimizer_time_s(
    *,
    dense_parameters: Array,
    expert_parameters: Array,
    dense_shards: Array,
    expert_shards: Array,
    zero_stage: Array,
    optimizer_offload: Array,
    traffic_parameter_bytes: Array,
    memory_bandwidth_bytes_per_s: Array,
    away_parameter_time_s: Array,
) -> Array:
    """Optimiser update.

    Its memory traffic for the parameters a rank updates: its shard, all with ZeRO 0. The time of
    an update in another tier of memory where the states lie there.
    """
    whole = dense_parameters + expert_parameters
    shard = dense_parameters / dense_shards + expert_parameters / expert_shards
    updated = np.where(zero_stage > 0, shard, whole)
    own_s = traffic_parameter_bytes / memory_bandwidth_bytes_per_s
    return updated * np.where(optimizer_offload > 0, away_parameter_time_s, own_s)


@quantity(unit="1", source=_HYBRID)
def shard_copies(*, replicas: Array, shards: Array) -> Array:
    """Groups that each hold all shards."""
    return replicas / shards


@quantity(unit="s", source=_HYBRID)
def hybrid_reduction_time_s(*, in_group_s: Array, between_groups_s: Array) -> Array:
    """One reduction of the gradients where shards have copies.

    Scattered in the group of the shards, then each shard all-reduced between the groups.
    """
    return in_group_s + between_groups_s


@quantity(unit="s", source=_ZERO)
def bucketed_exchange_time_s(*, buckets: Array, bucket_s: Array, handling_s: Array) -> Array:
    """Time of an exchange that is cut into buckets, each with what its ranks cost beyond the wire."""
    return buckets * (bucket_s + handling_s)


@quantity(unit="B", source=_ZERO)
def reduced_unit_bytes(
    *, parameters: Array, gradient_parameter_bytes: Array, layers: Array, units_per_layer: Array
) -> Array:
    """Gradient bytes that one collective of ZeRO 3 exchanges: of a layer, or of one of its tensors.

    At least one byte.
    """
    return np.maximum(parameters * gradient_parameter_bytes / (layers * units_per_layer), 1)


@quantity(unit="s", source=_ZERO)
def shard_handling_time_s(*, zero_stage: Array, ranks: Array, shard_rank_s: Array) -> Array:
    """Time of a collective of ZeRO 3 that grows with the ranks: the part of each other rank is handled by itself."""
    return np.where(zero_stage >= 3, (ranks - 1) * shard_rank_s, 0.0)


_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2"
_EXPERT = "[1] Lepikhin et al. 2020, arXiv 2006.16668, section 3 (dispatch and combine)"


@quantity(unit="1", source=_EXPERT)
def expert_exchanges(*, passes: Array) -> Array:
    """All-to-all exchanges of a layer with experts.

    Dispatch and combine in every pass: 2 for inference, 4 with the backward pass of training.
    """
    return 2 * passes


stage_transfers = alias(
    "stage_transfers",
    "Transfers between two pipeline stages for a micro-batch",
    of="passes",
    at="performance.stage_transfers",
    source=_PIPELINE,
    note="Activations in the forward pass, gradients in the backward pass.",
)


@quantity(unit="1", source=_PIPELINE)
def bubble_share(*, pipeline_parallel: Array, micro_batches: Array) -> Array:
    """Pipeline bubble over the work of a step.

    (p - 1) / m without virtual stages.
    """
    return (pipeline_parallel - 1) / micro_batches
