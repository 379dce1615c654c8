"""Memory of activations and logits on the fullest pipeline stage.

The first stage holds the most micro-batches in flight; the last one holds fewer, but the logits of
one. The fuller of the two counts.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_KORTHIKANTI = "[1] Korthikanti et al. 2022, arXiv 2205.05198, section 4.2 and appendix B"
_SCHEDULE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2; [2] Korthikanti et al. 2022"


@quantity(unit="1", source=_SCHEDULE)
def chunks_in_flight(*, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array) -> Array:
    """Chunks of layers whose activations the first stage holds at once.

    pp micro-batches in 1F1B; v pp + pp - 1 chunks with v chunks a stage; never more than there are.
    """
    interleaved = virtual_stages * pipeline_parallel + pipeline_parallel - 1
    waiting = np.where(virtual_stages > 1, interleaved, pipeline_parallel)
    return np.minimum(waiting, virtual_stages * micro_batches)


@quantity(unit="1", source=_SCHEDULE)
def last_chunks_in_flight(*, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array) -> Array:
    """Chunks of layers whose activations the last stage holds at once.

    One in 1F1B, (v - 1) pp + 1 with v chunks a stage; never more than there are.
    """
    waiting = (virtual_stages - 1) * pipeline_parallel + 1
    return np.minimum(waiting, virtual_stages * micro_batches)


@quantity(unit="B", source=_KORTHIKANTI)
def kept_activation_bytes(*, layer_bytes: Array, checkpoint_bytes: Array, recompute: Array) -> Array:
    """What a layer keeps of a micro-batch in flight.

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
    """Whether the last pipeline stage is the fullest, 1 or 0."""
    return np.where(last_bytes + logit_bytes > first_bytes, 1.0, 0.0)


@quantity(unit="B", source=_KORTHIKANTI, at="performance.memory_breakdown_bytes.activations")
def activation_bytes(*, first_bytes: Array, last_bytes: Array, last_is_fullest: Array) -> Array:
    """Activations.

    Of the fuller of the first and the last stage.
    """
    return np.where(last_is_fullest > 0, last_bytes, first_bytes)


@quantity(unit="B", source=_KORTHIKANTI, at="performance.memory_breakdown_bytes.logits")
def logit_bytes(*, logit_bytes: Array, last_is_fullest: Array) -> Array:
    """Logits, where the fullest stage is the last."""
    return np.where(last_is_fullest > 0, logit_bytes, 0 * logit_bytes)
