"""How many parameters one accelerator holds, and in what groups they are replicated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.groups import stage_inner_ranks
from app.engine.performance.job import Job
from app.engine.performance.layer_widths import expert_tensor_parallel
from app.engine.performance.pipeline import last_stage_layers, longest_stage_layers
from app.engine.performance.schedules import DUALPIPE
from app.engine.performance.strategy import Strategy
from app.engine.quantities import quantity
from app.engine.trace import Array, plain

_MEGATRON = "[1] Narayanan et al. 2021, arXiv 2104.04473"
_HYBRID = "[1] Zhao et al. 2023, arXiv 2304.11277, section 3.2.2 (hybrid sharding)"
_FOLDING = "[1] Liu et al. 2025, arXiv 2504.14960 (MoE parallel folding)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShare:
    """Parameters on an accelerator of the fullest stage, and the ranks that hold the same ones."""

    dense: Array
    expert: Array
    dense_replicas: Array
    expert_replicas: Array
    dense_shards: Array  # ranks that ZeRO shards them over
    expert_shards: Array
    dense_inner_ranks: Array  # accelerators from one replica to the next
    expert_inner_ranks: Array
    stage_ranks: Array  # of a stage that lie side by side wherever the stages are
    layers: Array  # of the fullest stage
    last_layers: Array  # of the last stage


@quantity(unit="1", source="[1] DeepSeek-AI 2024, arXiv 2412.19437, table 2")
def stage_copies(*, schedule: Array) -> Array:
    """Stages that an accelerator holds: two in DualPipe, which runs micro-batches from both ends, else one."""
    return np.where(schedule == DUALPIPE, 2.0, 1.0)


@quantity(unit="1", source=_MEGATRON)
def dense_parameters_held(
    *,
    longest_layers: Array,
    last_layers: Array,
    pipeline_parallel: Array,
    dense_per_layer: Array,
    embedding: Array,
    tied_embedding: Array,
    tensor_parallel: Array,
    prediction_modules: Array,
    dense_of_modules: Array,
    stage_copies: Array,
) -> Array:
    """Parameters outside the routed experts on one accelerator.

    Of the fuller of a long stage and a short one with the embedding or the head, and with the prediction
    modules; both embeddings when there is one stage, or modules, which read both.
    """
    one_table = (pipeline_parallel > 1) & (prediction_modules <= 0)
    own_tables = np.where(one_table, 1.0, 2 - tied_embedding)
    with_table = last_layers * dense_per_layer + own_tables * embedding + dense_of_modules
    return stage_copies * np.maximum(longest_layers * dense_per_layer, with_table) / tensor_parallel


@quantity(unit="1", source=_FOLDING)
def expert_parameters_held(
    *,
    longest_layers: Array,
    last_layers: Array,
    routed_per_layer: Array,
    routed_of_modules: Array,
    expert_parallel: Array,
    expert_tensor_parallel: Array,
    stage_copies: Array,
) -> Array:
    """Routed expert parameters on one accelerator.

    Of the fuller of a long stage and the last one with the prediction modules.
    """
    held = np.maximum(longest_layers * routed_per_layer, last_layers * routed_per_layer + routed_of_modules)
    return stage_copies * held / (expert_parallel * expert_tensor_parallel)


@quantity(unit="1", source=_MEGATRON)
def dense_replicas(*, data_parallel: Array, context_parallel: Array, stage_copies: Array) -> Array:
    """Ranks that hold the same parameters outside the experts."""
    return data_parallel * context_parallel * stage_copies


@quantity(unit="1", source=_FOLDING)
def expert_replicas(
    *,
    data_parallel: Array,
    context_parallel: Array,
    tensor_parallel: Array,
    expert_parallel: Array,
    expert_tensor_parallel: Array,
    stage_copies: Array,
) -> Array:
    """Ranks that hold the same routed experts."""
    ranks = data_parallel * context_parallel * tensor_parallel * stage_copies
    return ranks / (expert_parallel * expert_tensor_parallel)


@quantity(unit="1", source=_HYBRID)
def shards(*, replicas: Array, shard_ranks: Array) -> Array:
    """Ranks that ZeRO shards parameters over: all replicas, or a group of them with copies of its own."""
    return np.where(shard_ranks > 0, np.minimum(shard_ranks, replicas), replicas)


def model_share(*, job: Job, strategy: Strategy) -> ModelShare:
    """The share of the model that one accelerator holds."""
    s, architecture, counts = strategy, job.workload.architecture, job.counts
    etp = expert_tensor_parallel(
        tensor_parallel=s.tensor_parallel,
        expert_parallel=s.expert_parallel,
        expert_tensor_ranks=s.expert_tensor_ranks,
    )
    dealt = {
        "layers": architecture.layers,
        "module_layers": job.prediction.weight_layers,
        "pipeline_parallel": s.pipeline_parallel,
    }
    longest, last = longest_stage_layers(**dealt), last_stage_layers(**dealt)
    copies = stage_copies(schedule=s.schedule)
    dense_copies = dense_replicas(
        data_parallel=s.data_parallel, context_parallel=s.context_parallel, stage_copies=copies
    )
    expert_copies = expert_replicas(
        data_parallel=s.data_parallel,
        context_parallel=s.context_parallel,
        tensor_parallel=s.tensor_parallel,
        expert_parallel=s.expert_parallel,
        expert_tensor_parallel=etp,
        stage_copies=copies,
    )
    grouped = np.any(plain(s.shard_ranks) > 0)
    return ModelShare(
        dense=dense_parameters_held(
            longest_layers=longest,
            last_layers=last,
            pipeline_parallel=s.pipeline_parallel,
            dense_per_layer=counts.dense_per_layer,
            embedding=counts.embedding,
            tied_embedding=architecture.tied_embedding,
            tensor_parallel=s.tensor_parallel,
            prediction_modules=job.prediction.modules,
            dense_of_modules=job.prediction.dense,
            stage_copies=copies,
        ),
        expert=expert_parameters_held(
            longest_layers=longest,
            last_layers=last,
            routed_per_layer=counts.routed_per_layer,
            routed_of_modules=job.prediction.routed,
            expert_parallel=s.expert_parallel,
            expert_tensor_parallel=etp,
            stage_copies=copies,
        ),
        dense_replicas=dense_copies,
        expert_replicas=expert_copies,
        dense_shards=shards(replicas=dense_copies, shard_ranks=s.shard_ranks) if grouped else dense_copies,
        expert_shards=shards(replicas=expert_copies, shard_ranks=s.shard_ranks) if grouped else expert_copies,
        dense_inner_ranks=s.tensor_parallel,
        expert_inner_ranks=s.expert_parallel * etp,
        stage_ranks=stage_inner_ranks(
            tensor_parallel=s.tensor_parallel,
            context_parallel=s.context_parallel,
            expert_ranks=s.expert_parallel * etp,
        ),
        layers=longest,
        last_layers=last,
    )
