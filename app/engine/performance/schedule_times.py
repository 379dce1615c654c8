"""What a pipeline schedule makes of the passes of a stage: micro-batches that run in pairs, and the bubble.

Passes are those of the mean stage for one micro-batch; they include exposed exchange and waiting for the host.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.activations import micro_batch_group_size
from app.engine.performance.layer_costs import LayerCosts
from app.engine.performance.pipeline import (
    dualpipe_bubble_s,
    filling_micro_batches,
    one_f_one_b_bubble_s,
    overlapped_bubble_s,
    paired_micro_batches,
    pipeline_bubble_time_s,
    zero_bubble_h1_bubble_s,
    zero_bubble_v_bubble_s,
)
from app.engine.performance.prediction import stage_end_time_s
from app.engine.performance.schedules import DUALPIPE, MOE_OVERLAP, ONE_F_ONE_B, SCHEDULES
from app.engine.performance.strategy import Strategy
from app.engine.quantities import quantity
from app.engine.trace import Array, plain

_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2"
_SCHEDULES = (
    "[1] Qi et al. 2023, arXiv 2401.10241, section 2; [2] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2.1"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _StagePasses:
    """Seconds of the mean stage and one micro-batch; the first three sum to `whole`."""

    forward: Array
    input_gradient: Array
    weight_gradient: Array
    whole: Array
    hidden: Array  # exchange that a forward pass beside a backward pass hides


@quantity(unit="s", source=_PIPELINE)
def mean_stage_time_s(
    *, layers: Array, pipeline_parallel: Array, layer_s: Array, end_s: Array, embedding_s: Array
) -> Array:
    """Time of the mean stage for one micro-batch, forward and backward."""
    return (layers * layer_s + end_s + embedding_s) / pipeline_parallel


@quantity(unit="s", source=_PIPELINE)
def mean_forward_time_s(
    *,
    layers: Array,
    pipeline_parallel: Array,
    compute_s: Array,
    tensor_s: Array,
    context_s: Array,
    expert_s: Array,
    head_s: Array,
) -> Array:
    """Forward pass of the mean stage for one micro-batch.

    Compute of its layers, half of their exchange, a third of the output head.
    """
    exchange = tensor_s + context_s + expert_s
    return (layers * (compute_s + exchange / 2) + head_s / 3) / pipeline_parallel


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


def _whole_stage_s(*, layers: Array, strategy: Strategy, costs: LayerCosts) -> Array:
    """Time of the mean stage of every layout for one micro-batch; `layers` are those of the model."""
    s = strategy
    return mean_stage_time_s(
        layers=layers,
        pipeline_parallel=s.pipeline_parallel,
        layer_s=s.of_shapes(costs.layer.device) + s.of_shapes(costs.layer.launch),
        end_s=stage_end_time_s(head_s=s.of_shapes(costs.ends.head), modules_s=s.of_shapes(costs.modules)),
        embedding_s=s.of_shapes(costs.ends.embedding),
    )


def _stage_passes(*, layers: Array, strategy: Strategy, costs: LayerCosts) -> _StagePasses:
    """Passes of the mean stage of every layout; `layers` are those of the model."""
    s, compute, exchange = strategy, costs.layer.compute, costs.layer.exchange
    mean: dict[str, Any] = {"layers": layers, "pipeline_parallel": s.pipeline_parallel}
    head, expert = s.of_shapes(costs.ends.head), s.of_shapes(exchange.expert)
    whole = _whole_stage_s(layers=layers, strategy=strategy, costs=costs)
    forward = mean_forward_time_s(
        **mean,
        compute_s=s.of_shapes(compute.forward),
        tensor_s=s.of_shapes(exchange.tensor),
        context_s=s.of_shapes(exchange.context),
        expert_s=expert,
        head_s=head,
    )
    weight = mean_weight_gradient_time_s(**mean, layer_s=s.of_shapes(compute.weight_gradient), head_s=head)
    return _StagePasses(
        forward=forward,
        input_gradient=mean_input_gradient_time_s(
            mean_stage_s=whole, forward_s=forward, weight_gradient_s=weight
        ),
        weight_gradient=weight,
        whole=whole,
        hidden=hidden_exchange_time_s(
            **mean, expert_s=expert, paired_expert_s=s.of_shapes(exchange.paired_expert)
        ),
    )


@quantity(unit="s", source=_SCHEDULES)
def steady_layer_time_s(
    *, device_s: Array, launch_s: Array, expert_s: Array, paired_expert_s: Array, schedule: Array
) -> Array:
    """Time of a layer while the pipeline is full, by which the slowest stage is known.

    In schedules of pairs their exchange with experts hides behind each other's compute.
    """
    pairs = (schedule == DUALPIPE) | (schedule == MOE_OVERLAP)
    return device_s + launch_s + np.where(pairs, paired_expert_s - expert_s, 0.0)


def schedule_times(
    *, layers: Array, strategy: Strategy, micro_batches: Array, costs: LayerCosts
) -> tuple[Array, Array]:
    """Micro-batches that run in pairs [1], and the bubble [s], of every layout; `layers` are those of the model.

    What no layout of a search uses is not computed.
    """
    s, none = strategy, np.zeros(1)
    stages: dict[str, Array] = {"pipeline_parallel": s.pipeline_parallel}
    counted = stages | {"micro_batches": micro_batches}
    virtual = counted | {"virtual_stages": s.virtual_stages}
    whole = _whole_stage_s(layers=layers, strategy=s, costs=costs)
    bubble: dict[str, Array] = dict.fromkeys(
        ("zero_bubble_h1_s", "zero_bubble_v_s", "dualpipe_s", "overlapped_s"), none
    )
    bubble["one_f_one_b_s"] = one_f_one_b_bubble_s(**virtual, mean_stage_s=whole)
    codes, pairs = plain(s.schedule), none
    used = {code for code in SCHEDULES if np.any(codes == code)}
    if used - {ONE_F_ONE_B}:
        passes = _stage_passes(layers=layers, strategy=s, costs=costs)
        parts = {
            "forward_s": passes.forward,
            "input_gradient_s": passes.input_gradient,
            "weight_gradient_s": passes.weight_gradient,
        }
        bubble["zero_bubble_h1_s"] = zero_bubble_h1_bubble_s(**counted, **parts)
        bubble["zero_bubble_v_s"] = zero_bubble_v_bubble_s(**counted, **parts)
    if used & {DUALPIPE, MOE_OVERLAP}:
        filling = filling_micro_batches(
            **stages,
            virtual_stages=s.virtual_stages,
            group=micro_batch_group_size(**virtual),
            schedule=s.schedule,
        )
        pairs = paired_micro_batches(micro_batches=micro_batches, schedule=s.schedule, filling=filling)
        bubble["dualpipe_s"] = dualpipe_bubble_s(**stages, **parts, hidden_s=passes.hidden)
        bubble["overlapped_s"] = overlapped_bubble_s(
            **virtual,
            filling=filling,
            one_f_one_b_s=bubble["one_f_one_b_s"],
            forward_s=passes.forward,
            mean_stage_s=passes.whole,
            hidden_s=passes.hidden,
        )
    return pairs, pipeline_bubble_time_s(schedule=s.schedule, **bubble)
