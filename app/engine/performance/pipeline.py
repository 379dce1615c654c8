"""Pipeline stages: how many layers each has, which is the slowest, and what waiting costs.

Layers need not divide by the stages (126 on 16, 61 on 16 are real runs). Every stage has L / pp
layers rounded up or down; the last one, which also has the output head, is one of the short ones
where there are any. The modules of multi-token prediction follow the model on the last stage, which has as
many layers less as they weigh.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.schedules import DUALPIPE, MOE_OVERLAP, ZB_H1, ZB_V
from app.engine.quantities import quantity
from app.engine.trace import Array

_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2 (interleaved 1F1B)"
_SCHEDULES = (
    _PIPELINE + "; [2] Qi et al. 2023, arXiv 2401.10241, sections 2 and 6 (ZB-H1, ZB-V); "
    "[3] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2.1 (DualPipe)"
)


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


@quantity(unit="s", source=_PIPELINE)
def mean_forward_time_s(
    *, layers: Array, pipeline_parallel: Array, compute_s: Array, exchange_s: Array, head_s: Array
) -> Array:
    """Forward pass of the mean stage for one micro-batch.

    Compute of its layers, half of their exchange, a third of the output head.
    """
    return (layers * (compute_s + exchange_s / 2) + head_s / 3) / pipeline_parallel


@quantity(unit="s", source=_SCHEDULES)
def mean_weight_gradient_time_s(
    *, layers: Array, pipeline_parallel: Array, layer_s: Array, head_s: Array
) -> Array:
    """Gradients of the weights of the mean stage for one micro-batch; a third of the output head."""
    return (layers * layer_s + head_s / 3) / pipeline_parallel


@quantity(unit="s", source=_SCHEDULES)
def mean_input_gradient_time_s(*, mean_stage_s: Array, forward_s: Array, weight_gradient_s: Array) -> Array:
    """Gradients of the inputs of the mean stage for one micro-batch, and what is recomputed for them."""
    return np.maximum(mean_stage_s - forward_s - weight_gradient_s, 0.0)


@quantity(unit="s", source=_SCHEDULES)
def hidden_exchange_time_s(
    *, layers: Array, pipeline_parallel: Array, expert_s: Array, paired_expert_s: Array
) -> Array:
    """Expert exchange of the mean stage that a forward pass beside a backward pass hides."""
    return layers * (expert_s - paired_expert_s) / pipeline_parallel


@quantity(unit="1", source=_SCHEDULES)
def filling_micro_batches(
    *, pipeline_parallel: Array, virtual_stages: Array, group: Array, schedule: Array
) -> Array:
    """Micro-batches that fill and drain a schedule of pairs, with nothing beside them.

    pp in DualPipe; ((v - 1) g + pp) / v in 1F1B with expert exchange hidden.
    """
    overlapped = ((virtual_stages - 1) * group + pipeline_parallel) / virtual_stages
    return np.where(schedule == DUALPIPE, pipeline_parallel, np.maximum(pipeline_parallel, overlapped))


@quantity(unit="1", source=_SCHEDULES)
def paired_micro_batches(*, micro_batches: Array, schedule: Array, filling: Array) -> Array:
    """Micro-batches whose forward pass runs beside the backward pass of another on the same stage.

    All but those that fill and drain, in DualPipe and 1F1B with expert exchange hidden; none in other schedules.
    """
    pairs = (schedule == DUALPIPE) | (schedule == MOE_OVERLAP)
    return np.where(pairs, np.maximum(micro_batches - filling, 0), 0.0)


@quantity(unit="s", source=_SCHEDULES)
def zero_bubble_v_bubble_s(
    *,
    pipeline_parallel: Array,
    micro_batches: Array,
    forward_s: Array,
    input_gradient_s: Array,
    weight_gradient_s: Array,
) -> Array:
    """Bubble of ZB-V: from the first start to the last end on any stage, less the work of a stage.

    n = pp - 1, e = 2 pp - 1 - m or 0. Fewer micro-batches than stages: n (F + B) - (m - 1) min(F, (F + B) / 2). Else the
    longest of four waits, with M = max(F, B); with equal passes n / 2 of one of them. A stage by itself has none then,
    but a global gradient norm waits for all of them.

    Parameters
    ----------
    pipeline_parallel, micro_batches : pp, m [1]
    forward_s, input_gradient_s, weight_gradient_s : F, B, W of a stage and micro-batch [s]
    """
    pp, m, f, b, w = pipeline_parallel, micro_batches, forward_s, input_gradient_s, weight_gradient_s
    n, e, most = pp - 1, np.maximum(2 * pp - 1 - m, 0), np.maximum(f, b)
    few = n * (f + b) - (m - 1) * np.minimum(f, (f + b) / 2)
    ahead = (n - (1 + e) / 2) * most
    waits = np.maximum(
        np.maximum(
            ahead + (1 + e) / 2 * b - (n - e) * w, ahead - (n - 1 - e) / 2 * b + e / 2 * np.maximum(b - w, 0)
        ),
        np.maximum((1 + e) / 2 * most + (n - 1 - e) / 2 * w, e / 2 * (most + b)),
    )
    return np.where(pp > 1, np.where(m <= pp, few, waits), 0.0)


@quantity(unit="s", source=_SCHEDULES, at="performance.time_breakdown_s.pp_bubble")
def pipeline_bubble_time_s(
    *,
    pipeline_parallel: Array,
    virtual_stages: Array,
    micro_batches: Array,
    schedule: Array,
    filling: Array,
    forward_s: Array,
    input_gradient_s: Array,
    weight_gradient_s: Array,
    hidden_s: Array,
    zero_bubble_v_s: Array,
) -> Array:
    """Pipeline bubble.

    F, B, W are forward pass, gradients of inputs and of weights of the mean stage, T their sum, n = pp - 1. 1F1B:
    n / v x T for filling and draining, or (pp - m + (m - 1) / v) T where few micro-batches leave it longer. ZB-H1 fills
    it with W: n (F + B) - (min(m, pp) - 1) min(F, B, W). DualPipe with h = pp / 2 - 1 and nothing hidden: 2 h F +
    (h B - (h + 1) F or 0) + (h (B - W) or 0). What exchange hides in pairs of micro-batches is not hidden while the
    pipeline fills. Each form is held against an event simulation within 3 %.

    Parameters
    ----------
    pipeline_parallel, virtual_stages, micro_batches : pp, v, m [1]
    schedule : number in performance.schedules [1]
    filling : micro-batches that fill and drain a schedule of pairs [1]
    forward_s, input_gradient_s, weight_gradient_s : F, B, W of one micro-batch [s]
    hidden_s : D, what a forward pass beside a backward pass hides of their exchange [s]
    zero_bubble_v_s : bubble of ZB-V [s]
    """
    pp, v, m = pipeline_parallel, virtual_stages, micro_batches
    f, b, w, hidden = forward_s, input_gradient_s, weight_gradient_s, hidden_s
    whole = f + b + w
    waits = np.maximum((pp - 1) / v, pp - m + (m - 1) / v)
    h1 = (pp - 1) * (f + b) - (np.minimum(m, pp) - 1) * np.minimum(np.minimum(f, b), w)
    half = np.maximum(pp / 2 - 1, 0)
    dual = (1 - half) * hidden + 2 * half * np.maximum(hidden, f)
    dual = dual + np.maximum(half * b - (half + 1) * f, 0) + half * np.maximum(b - w, 0)
    overlapped = waits * (whole - hidden) + np.maximum(filling - m, 0) * hidden
    overlapped = overlapped + np.where(m >= pp, (pp - 1) / v * np.maximum(hidden - f, 0), 0.0)
    zero = np.where(schedule == ZB_H1, h1, np.where(schedule == ZB_V, zero_bubble_v_s, waits * whole))
    return np.where(schedule == DUALPIPE, dual, np.where(schedule == MOE_OVERLAP, overlapped, zero))


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

    Without virtual stages a stage waits for its neighbour both ways with each micro-batch: 2 m (pp - 1) / pp + 2 (pp - 2)
    transfers. With v chunks a stage has other work, and only filling and draining wait, 2 (v pp - 1); frameworks that
    send nothing beside compute wait for all 2 v m.
    """
    pp, v, m = pipeline_parallel, virtual_stages, micro_batches
    tight = 2 * m * (pp - 1) / pp + 2 * np.maximum(pp - 2, 0)
    filling = np.minimum(2 * (v * pp - 1), 2 * v * m)
    loose = filling + exposed * (2 * v * m - filling)
    return np.where(pp > 1, np.where(v > 1, loose, tight) * transfer_s, 0.0)
