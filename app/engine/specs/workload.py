"""What is to be run: a model that is trained, or a job by what its steps do; and its layout."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.trace import Array


def _none() -> Array:
    return np.zeros(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A transformer. Zero stands for "has none" in the expert, latent, window, linear and sparse fields."""

    key: str
    name: str
    attention: str  # mha | gqa | mqa | mla
    layers: Array
    attention_layers: Array
    hidden: Array
    heads: Array
    kv_heads: Array
    head_dim: Array
    vocabulary: Array
    tied_embedding: Array  # 1 when input and output embedding share their weights
    feed_forward_hidden: Array  # of the dense layers
    mlp_matrices: Array  # 3 when gated, else 2
    experts: Array
    experts_per_token: Array
    shared_experts: Array
    expert_hidden: Array
    expert_layers: Array
    latent_query_rank: Array
    latent_kv_rank: Array
    latent_nope_dim: Array
    latent_rope_dim: Array
    latent_value_dim: Array
    window_layers: Array
    window_tokens: Array
    published_parameters: Array
    linear_layers: Array = field(default_factory=_none)  # recurrent: a state in place of keys and values
    linear_layer_parameters: Array = field(default_factory=_none)  # of the recurrence of one layer
    linear_state_elements: Array = field(default_factory=_none)  # of one layer and one sequence
    sparse_tokens: Array = field(default_factory=_none)  # that sparse attention reads at most
    index_elements: Array = field(default_factory=_none)  # of the key it chooses them by: a token and layer
    index_heads: Array = field(default_factory=_none)  # that score it; 0 where they are not known
    query_key_norm: Array = field(
        default_factory=_none
    )  # 1 when queries and keys are normed by head, 2 over all heads


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingWorkload:
    architecture: Architecture
    tokens: Array
    sequence_length: Array
    global_batch_sequences: Array
    prediction_modules: Array  # multi-token prediction: layers that predict further ahead; 0 for none
    precision: str  # bf16 | fp16 | fp8 | mxfp8 | nvfp4 | int8
    measured_over_predicted: Array  # speed of own runs over the predicted one; 1 without own runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A grid of points cut into blocks; each accelerator passes the edges of its block to its neighbours."""

    ranks: tuple[Array, Array, Array]  # accelerators along each axis
    points: tuple[Array, Array, Array]
    halo_width: Array
    bytes_per_point: Array
    periodic: Array  # 1 where the last block is the neighbour of the first, else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The same with the faces of a block given in bytes, whatever the number of accelerators."""

    ranks: tuple[Array, Array, Array]
    face_bytes: tuple[Array, Array, Array]
    periodic: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A named communication pattern of every step."""

    name: str  # halo_exchange | all_to_all | all_reduce
    within_supernode: Array  # 1 where only the accelerators of a SuperNode take part, else 0
    per_step: Array
    overlap: Array  # share that can run beside arithmetic and memory traffic
    exchanged_bytes: Array | None  # of an all-to-all or all-reduce
    halo: Grid | Faces | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericWorkload:
    """A job by what one of its steps does."""

    name: str
    precision: str
    strong: Array  # 1 where the amounts are of the whole job, 0 where each accelerator has them
    flop_per_step: Array
    memory_traffic_per_step_bytes: Array
    memory_held_bytes: Array
    steps: Array
    compute_efficiency: Array
    load_imbalance: Array  # time of the slowest accelerator over that of the mean
    checkpoint_held_share: Array
    dataset_bytes: Array
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A parallel layout as the scenario states it. None in place of a Layout means: search."""

    tensor_parallel: Array
    pipeline_parallel: Array
    context_parallel: Array
    expert_parallel: Array
    expert_tensor_ranks: Array  # ranks that share an expert; 0 as usual
    virtual_stages: Array
    micro_batch: Array
    zero_stage: Array
    reshard: Array  # 0 or 1: ZeRO 3 gives weights back after the forward pass
    sequence_parallel: Array  # 0 or 1
    recompute: Array  # share of the forward pass done again: 0 none, 1 full
    selective_recompute: Array  # 0 or 1: norms, activations and latent up-projections done again
    tensor_overlap: Array  # 0 or 1: tensor-parallel exchange runs beside matmuls, as far as the framework can
    data_overlap: Array  # 0 or 1: data-parallel exchange runs beside the backward pass
    pipeline_inside: Array  # 0 or 1: stages share the scale-up domain before data-parallel replicas do
    shard_ranks: Array  # replicas that share what ZeRO shards; 0: all of them
    optimizer_offload: Array  # 0 or 1: optimiser states lie in another tier of memory, where they are updated
    activation_offload: Array  # 0 or 1: activations wait for their backward pass in another tier of memory
    offload_tier: (
        Array  # which: 0 the host, 1 other accelerators of the domain, 2 NVMe drives of the node, 3 a pool
    )
    context_exchange: Array  # how ranks share a sequence, by its number in performance.context_exchange
    schedule: Array  # of the pipeline, by its number in performance.schedules
