"""Pipeline stages: how many layers each has, which is the slowest, and what waiting costs.

Layers need not divide by the stages (126 on 16, 61 on 16 are real runs). Every stage has L / pp
layers rounded up or down; the last one, which also has the output head, is one of the short ones
where there are any. The modules of multi-token prediction follow the model on the last stage, which has as
many layers less as they weigh.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.schedules import DUALPIPE, MOE_OVERLAP, ONE_F_ONE_B, ZB_H1, ZB_V
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
    """Micro-batches per step.

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
    *,
    pipeline_parallel: Array,
    longest_layers: Array,
    last_layers: Array,
    layer_s: Array,
    end_s: Array,
    schedule: Array,
) -> Array:
    """Share of the micro-batches of the slowest accelerator that meet the output head.

    All where the last stage is the slowest, none where it is not; half in DualPipe, whose accelerators hold a stage
    and its mirror.
    """
    slower = last_layers * layer_s + end_s > longest_layers * layer_s
    share = np.where(schedule == DUALPIPE, 0.5, 1.0)
    return np.where(pipeline_parallel <= 1, 1.0, np.where(slower, share, 0.0))


@quantity(unit="1", source=_PIPELINE)
def slowest_stage_layers(*, head_on_slowest: Array, longest_layers: Array, last_layers: Array) -> Array:
    """Layers that a micro-batch meets on the slowest accelerator: of the last stage, a long one, or between them."""
    return longest_layers + head_on_slowest * (last_layers - longest_layers)


@quantity(unit="1", source=_SCHEDULES)
def filling_micro_batches(
    *, pipeline_parallel: Array, virtual_stages: Array, group: Array, schedule: Array
) -> Array:
    """Micro-batches that fill and drain a schedule of pairs, without overlap.

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
    longest of four waits, with M = max(F, B); with equal passes n / 2 of one. A stage by itself has none
    then, but a global gradient norm waits for all.

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


@quantity(unit="s", source=_PIPELINE)
def one_f_one_b_bubble_s(
    *, pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array, mean_stage_s: Array
) -> Array:
    """Bubble of 1F1B.

    (pp - 1) / v times the mean stage for filling and draining, v chunks of layers a stage; pp - m + (m - 1) / v times
    where fewer micro-batches than stages leave it longer.
    """
    pp, v, m = pipeline_parallel, virtual_stages, micro_batches
    return np.maximum((pp - 1) / v, pp - m + (m - 1) / v) * mean_stage_s


@quantity(unit="s", source=_SCHEDULES)
def zero_bubble_h1_bubble_s(
    *,
    pipeline_parallel: Array,
    micro_batches: Array,
    forward_s: Array,
    input_gradient_s: Array,
    weight_gradient_s: Array,
) -> Array:
    """Bubble of ZB-H1.

    (pp - 1) (F + B) - (min(m, pp) - 1) min(F, B, W): gradients of weights fill what they can.
    """
    f, b, w = forward_s, input_gradient_s, weight_gradient_s
    filled: Array = (np.minimum(micro_batches, pipeline_parallel) - 1) * np.minimum(np.minimum(f, b), w)
    return (pipeline_parallel - 1) * (f + b) - filled


@quantity(unit="s", source=_SCHEDULES)
def dualpipe_bubble_s(
    *,
    pipeline_parallel: Array,
    forward_s: Array,
    input_gradient_s: Array,
    weight_gradient_s: Array,
    hidden_s: Array,
) -> Array:
    """Bubble of DualPipe.

    With h = pp / 2 - 1: (1 - h) D + 2 h max(D, F) + (h B - (h + 1) F, or 0) + h (B - W, or 0). (pp / 2 - 1) (F&B + B - 3 W)
    of [3] where nothing is hidden, D = 0, and passes are equally long.

    Parameters
    ----------
    pipeline_parallel : pp [1]
    forward_s, input_gradient_s, weight_gradient_s : F, B, W of a stage and micro-batch [s]
    hidden_s : D, what a forward pass beside a backward pass hides of their exchange [s]
    """
    f, b, w, hidden = forward_s, input_gradient_s, weight_gradient_s, hidden_s
    half: Array = np.maximum(pipeline_parallel / 2 - 1, 0)
    waits: Array = np.maximum(half * b - (half + 1) * f, 0) + half * np.maximum(b - w, 0)
    return (1 - half) * hidden + 2 * half * np.maximum(hidden, f) + waits


@quantity(unit="s", source=_SCHEDULES)
def overlapped_bubble_s(
    *,
    pipeline_parallel: Array,
    virtual_stages: Array,
    micro_batches: Array,
    filling: Array,
    one_f_one_b_s: Array,
    forward_s: Array,
    mean_stage_s: Array,
    hidden_s: Array,
) -> Array:
    """Bubble of 1F1B with expert exchange hidden.

    As 1F1B, of stages with their exchange hidden; where a forward pass is shorter than what is hidden, it waits.
    """
    pp, m, hidden = pipeline_parallel, micro_batches, hidden_s
    paired: Array = one_f_one_b_s * (mean_stage_s - hidden) / mean_stage_s
    waits: Array = np.where(m >= pp, (pp - 1) / virtual_stages * np.maximum(hidden - forward_s, 0), 0.0)
    return paired + np.maximum(filling - m, 0) * hidden + waits


@quantity(unit="s", source=_SCHEDULES, at="performance.time_breakdown_s.pp_bubble")
def pipeline_bubble_time_s(
    *,
    schedule: Array,
    one_f_one_b_s: Array,
    zero_bubble_h1_s: Array,
    zero_bubble_v_s: Array,
    dualpipe_s: Array,
    overlapped_s: Array,
) -> Array:
    """Pipeline bubble.

    Of the schedule that is used: what stages wait for while micro-batches fill and drain the pipeline. Each form is
    held against an event simulation within 3 %.
    """
    zero = np.where(schedule == ZB_H1, zero_bubble_h1_s, zero_bubble_v_s)
    pairs = np.where(schedule == DUALPIPE, dualpipe_s, overlapped_s)
    other = np.where((schedule == ZB_H1) | (schedule == ZB_V), zero, pairs)
    return np.where(schedule == ONE_F_ONE_B, one_f_one_b_s, other)


@quantity(unit="B", source="[1] Narayanan et al. 2021, arXiv 2104.04473, section 4.1 (scatter/gather)")
def stage_message_bytes(*, residual_bytes: Array, tensor_parallel: Array) -> Array:
    """Bytes that a rank sends to the next stage for one micro-batch.

    The residual stream, each tensor-parallel rank its part.
    """
    return residual_bytes / tensor_parallel


@quantity(
    unit="s", source=_PIPELINE, at="performance.time_breakdown_s.pp_transfer", short="Pipeline transfers"
)
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
    transfers. With v chunks a stage has other work, and only filling and draining wait, 2 (v pp - 1), however few
    micro-batches there are; frameworks that send nothing beside compute wait for all 2 v m where those are more.
    """
    pp, v, m = pipeline_parallel, virtual_stages, micro_batches
    tight = 2 * m * (pp - 1) / pp + 2 * np.maximum(pp - 2, 0)
    filling = 2 * (v * pp - 1)
    loose = filling + exposed * np.maximum(2 * v * m - filling, 0)
    return np.where(pp > 1, np.where(v > 1, loose, tight) * transfer_s, 0.0)
