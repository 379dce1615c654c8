"""Memory of activations and logits on the fullest pipeline stage.

The first stage holds the most micro-batches in flight; the last one holds fewer, but the logits of
one. The fuller of the two counts.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.schedules import DUALPIPE, MOE_OVERLAP, ZB_H1, ZB_V, micro_batch_group
from app.engine.performance.strategy import Strategy
from app.engine.quantities import quantity
from app.engine.trace import Array

_KORTHIKANTI = "[1] Korthikanti et al. 2022, arXiv 2205.05198, section 4.2 and appendix B"
_SCHEDULE = (
    "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2; [2] Korthikanti et al. 2022; "
    "[3] NVIDIA Megatron-Core, forward_backward_pipelining_with_interleaving; "
    "[4] Qi et al. 2023, arXiv 2401.10241; [5] DeepSeek-AI 2024, arXiv 2412.19437, table 2"
)


@quantity(unit="1", source=_SCHEDULE, leaf=True)
def micro_batch_group_size(*, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array) -> Array:
    """Micro-batches that run through a chunk before the next chunk has its turn, g.

    pp where they divide by it, else the smallest larger number that leaves no rest below pp.
    """
    group: Array = micro_batch_group(pipeline_parallel, virtual_stages, micro_batches)
    return group


def scheduled(strategy: Strategy, micro_batches: Array) -> dict[str, Array]:
    """What the chunks in flight of layouts follow from."""
    stages = {
        "pipeline_parallel": strategy.pipeline_parallel,
        "virtual_stages": strategy.virtual_stages,
        "micro_batches": micro_batches,
    }
    return stages | {"group": micro_batch_group_size(**stages), "schedule": strategy.schedule}


@quantity(unit="1", source=_SCHEDULE)
def chunks_in_flight(
    *, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array, group: Array, schedule: Array
) -> Array:
    """Chunks of layers whose activations the first stage holds at once.

    pp micro-batches in 1F1B and ZB-H1; (v - 1) g + 2 (pp - 1) + 1 chunks with v chunks a stage and groups of g
    micro-batches; 2 pp of the two chunks of ZB-V; pp + 1 in DualPipe; one more than 1F1B where expert exchange hides
    behind the other micro-batch. Never more than there are.
    """
    interleaved = (virtual_stages - 1) * group + 2 * (pipeline_parallel - 1) + 1
    of_1f1b = np.where(virtual_stages > 1, interleaved, pipeline_parallel)
    vee = np.minimum(2 * pipeline_parallel, micro_batches + 1)
    waiting: Array = np.where(schedule == ZB_V, vee, of_1f1b)
    more = np.where((schedule == DUALPIPE) | (schedule == MOE_OVERLAP), 1.0, 0.0)
    return np.minimum(waiting + more, virtual_stages * micro_batches)


@quantity(unit="1", source=_SCHEDULE)
def last_chunks_in_flight(
    *, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array, group: Array, schedule: Array
) -> Array:
    """Chunks of layers whose activations the last stage holds at once.

    One in 1F1B, (v - 1) g + 1 with v chunks a stage; pp in ZB-H1, until the gradients of the weights; as many as the
    first stage in ZB-V and DualPipe, whose stages mirror each other; one more where expert exchange hides behind the
    other micro-batch. Never more than there are.
    """
    vee = np.minimum(2 * pipeline_parallel, micro_batches + pipeline_parallel)
    mirrored = np.where(schedule == ZB_V, vee, pipeline_parallel)
    mirrors = (schedule == ZB_H1) | (schedule == ZB_V) | (schedule == DUALPIPE)
    waiting: Array = np.where(mirrors, mirrored, (virtual_stages - 1) * group + 1)
    more = np.where((schedule == DUALPIPE) | (schedule == MOE_OVERLAP), 1.0, 0.0)
    return np.minimum(waiting + more, virtual_stages * micro_batches)


@quantity(unit="B", source="[1] PyTorch, selective activation checkpointing; [2] MaxText, remat_policy")
def selective_activation_bytes(
    *,
    named_bytes: Array,
    layer_bytes: Array,
    checkpoint_bytes: Array,
    selective_recompute: Array,
    selective_share: Array,
    selective_kept_share: Array,
) -> Array:
    """Activations kept per layer with or without selective recomputation.

    What the operators leave that Megatron-Core names; where a policy recomputes a share of the forward pass
    instead, the layer's input and a share of the rest.
    """
    by_share = checkpoint_bytes + selective_kept_share * (layer_bytes - checkpoint_bytes)
    chosen = np.where((selective_share > 0) & (selective_recompute > 0), by_share, named_bytes)
    return np.where(selective_recompute > 0, chosen, layer_bytes)


@quantity(unit="B", source=_KORTHIKANTI)
def kept_activation_bytes(*, layer_bytes: Array, checkpoint_bytes: Array, recompute: Array) -> Array:
    """Activations kept per layer and micro-batch in flight.

    With full recomputation its input only.
    """
    return (1 - recompute) * layer_bytes + recompute * checkpoint_bytes


@quantity(unit="1", source=_SCHEDULE)
def layers_in_flight(*, chunks_in_flight: Array, stage_layers: Array, virtual_stages: Array) -> Array:
    """Layers of a stage, each once for every micro-batch whose activations wait."""
    return chunks_in_flight * stage_layers / virtual_stages


@quantity(unit="B", source=_KORTHIKANTI)
def stage_activation_bytes(
    *, layers_held: Array, kept_bytes: Array, layer_bytes: Array, fragmentation: Array
) -> Array:
    """Activations of a pipeline stage.

    Layers in flight on the accelerator x what a layer keeps; one layer at a time is whole again while it
    is recomputed. Fragmentation on top.
    """
    return (layers_held * kept_bytes + layer_bytes - kept_bytes) * (1 + fragmentation)


@quantity(unit="B", source=_KORTHIKANTI)
def last_stage_logit_bytes(
    *,
    tokens: Array,
    vocabulary: Array,
    tensor_parallel: Array,
    logit_memory_bytes: Array,
    prediction_modules: Array,
) -> Array:
    """Logits of one micro-batch on the last stage, of the model and of each prediction module."""
    return tokens * vocabulary / tensor_parallel * logit_memory_bytes * (1 + prediction_modules)


@quantity(unit="1", source="definition")
def last_is_fullest(*, first_bytes: Array, last_bytes: Array, logit_bytes: Array) -> Array:
    """Last pipeline stage is the fullest."""
    return np.where(last_bytes + logit_bytes > first_bytes, 1.0, 0.0)


@quantity(unit="B", source=_KORTHIKANTI, at="performance.memory_breakdown_bytes.activations")
def activation_bytes(*, first_bytes: Array, last_bytes: Array, last_is_fullest: Array) -> Array:
    """Activations.

    Of the fuller of the first and the last stage.
    """
    return np.where(last_is_fullest > 0, last_bytes, first_bytes)


@quantity(unit="B", source=_KORTHIKANTI, at="performance.memory_breakdown_bytes.logits", short="Logits")
def logit_bytes(*, logit_bytes: Array, last_is_fullest: Array) -> Array:
    """Logits, where the fullest stage is the last."""
    return np.where(last_is_fullest > 0, logit_bytes, 0 * logit_bytes)
