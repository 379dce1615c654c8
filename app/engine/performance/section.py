"""The performance section of an evaluation: how fast a job trains and what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.engine.performance import figures
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import hardware_of
from app.engine.performance.job import job_of
from app.engine.performance.layout_figures import shown_layout
from app.engine.performance.layout_rules import layout_errors
from app.engine.performance.layouts import Layouts
from app.engine.performance.memory import memory
from app.engine.performance.offload import host_memory_per_accelerator_bytes, offload_capacity_bytes
from app.engine.performance.prediction import prediction_flop
from app.engine.performance.problems import performance_problems
from app.engine.performance.recomputation import recomputed_flop
from app.engine.performance.search import Computed, central, computed, layout_at
from app.engine.performance.space import USUAL, Space
from app.engine.performance.step_time import step_time
from app.engine.performance.strategy import strategy_of
from app.engine.quantities import unknown
from app.engine.specs import Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, plain

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric

__all__ = ["Performance", "evaluate_training", "layout_errors", "performance_problems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """How fast a job trains and what it needs.

    `time_breakdown_s` are exposed seconds on the slowest pipeline stage and sum to `step_time_s`;
    `memory_breakdown_bytes` is of the fullest stage and sums to `memory_per_accelerator_bytes`.
    `elapsed_time_s` is unknown until it is written once reliability is known.
    """

    step_time_s: Array
    tokens_per_s: Array
    tokens_per_s_per_accelerator: Array
    mfu: Array
    hfu: Array
    training_time_s: Array
    elapsed_time_s: Array
    time_breakdown_s: dict[str, Array]
    memory_per_accelerator_bytes: Array
    memory_breakdown_bytes: dict[str, Array]
    memory_capacity_bytes: Array
    host_memory_per_accelerator_bytes: Array
    offloaded_per_accelerator_bytes: Array
    offload_capacity_bytes: Array
    strategy: dict[str, Array]
    roofline_step_time_s: Array
    model_flop_per_s_per_accelerator: Array
    hardware_flop_per_s_per_accelerator: Array
    model_flop_per_token: Array
    tokens_per_step: Array
    steps: Array
    parameters: Array
    active_parameters: Array
    prediction_parameters: Array


def evaluate_training(
    *,
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    layout: Layout | None,
    assumptions: PerformanceAssumptions,
) -> Performance:
    """Step time, memory and what follows from them.

    Without a layout the best of a modest set is searched for, on the median of the samples; only the
    winner is traced. A job that no layout of the set can run has unknown figures.
    """
    if layout is None:
        layout = found_layout(workload, supernode, pod, fabric, assumptions)
    job = job_of(workload)
    hardware = hardware_of(
        workload=workload, supernode=supernode, pod=pod, fabric=fabric, assumptions=assumptions
    )
    strategy = strategy_of(layout=layout, accelerators_used=pod.accelerators_used)
    step = step_time(job=job, hardware=hardware, strategy=strategy, assumptions=assumptions)
    held = memory(job=job, strategy=strategy, assumptions=assumptions)
    accelerator = supernode.accelerator
    batch_tokens = figures.tokens_per_step(
        global_batch_sequences=workload.global_batch_sequences, sequence_length=workload.sequence_length
    )
    rate = figures.tokens_per_s(tokens_per_step=batch_tokens, step_time_s=step.step_time_s)
    rate_each = figures.tokens_per_s_per_accelerator(
        tokens_per_s=rate, accelerators_used=pod.accelerators_used
    )
    achieved = figures.model_flop_per_s_per_accelerator(
        tokens_per_s_per_accelerator=rate_each, model_flop_per_token=job.flops.model
    )
    mfu = figures.mfu(model_flop_per_s_per_accelerator=achieved, peak_flop_per_s=accelerator.peak_flop_per_s)
    done = figures.hardware_flop_per_s_per_accelerator(
        tokens_per_s_per_accelerator=rate_each,
        model_flop_per_token=job.flops.model,
        recomputed_flop_per_token=recomputed_flop(
            architecture=workload.architecture,
            flops=job.flops,
            recompute=strategy.recompute,
            selective_recompute=strategy.selective_recompute,
            selective_share=assumptions.selective_share,
            fused_attention=assumptions.fused_attention,
        ),
        prediction_flop_per_token=prediction_flop(job, strategy, assumptions),
    )
    steps = figures.steps(tokens=workload.tokens, tokens_per_step=batch_tokens)
    return Performance(
        step_time_s=step.step_time_s,
        tokens_per_s=rate,
        tokens_per_s_per_accelerator=rate_each,
        mfu=mfu,
        hfu=figures.hfu(
            hardware_flop_per_s_per_accelerator=done, peak_flop_per_s=accelerator.peak_flop_per_s
        ),
        training_time_s=figures.training_time_s(steps=steps, step_time_s=step.step_time_s),
        elapsed_time_s=unknown(),
        time_breakdown_s=step.breakdown_s,
        memory_per_accelerator_bytes=held.memory_per_accelerator_bytes,
        memory_breakdown_bytes=held.breakdown_bytes,
        memory_capacity_bytes=figures.memory_capacity_bytes(memory_bytes=accelerator.memory_bytes),
        host_memory_per_accelerator_bytes=host_memory_per_accelerator_bytes(
            offloaded_bytes=held.offloaded_per_accelerator_bytes, offload_tier=strategy.offload_tier
        ),
        offloaded_per_accelerator_bytes=held.offloaded_per_accelerator_bytes,
        offload_capacity_bytes=offload_capacity_bytes(
            capacity_bytes=hardware.tiers.of(strategy.offload_tier).capacity_bytes,
            offloaded_bytes=held.offloaded_per_accelerator_bytes,
        ),
        strategy=shown_layout(strategy, workload),
        roofline_step_time_s=figures.roofline_step_time_s(
            tokens_per_step=batch_tokens,
            model_flop_per_token=job.flops.model,
            peak_flop_per_s=accelerator.peak_flop_per_s,
            accelerators_used=pod.accelerators_used,
        ),
        model_flop_per_s_per_accelerator=achieved,
        hardware_flop_per_s_per_accelerator=done,
        model_flop_per_token=job.flops.model,
        tokens_per_step=batch_tokens,
        steps=steps,
        parameters=job.counts.total,
        active_parameters=job.counts.active,
        prediction_parameters=figures.prediction_parameters(parameters=job.prediction.parameters),
    )


def found_layout(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
) -> Layout:
    """The layout that a search would choose, by the median of the samples."""
    layouts = layouts_of(workload, supernode, pod.accelerators_used, USUAL)
    found = searched(workload, supernode, pod, fabric, assumptions, layouts)
    architecture, accelerator = workload.architecture, supernode.accelerator
    inputs = {
        "accelerators used": pod.accelerators_used,
        "scale-up domain": supernode.scale_up_domain_accelerators,
        "memory": accelerator.memory_bytes,
        "peak": accelerator.peak_flop_per_s,
        "scale-up bandwidth": accelerator.scale_up_bandwidth_bytes_per_s,
        "scale-out bandwidth": fabric.scale_out_bandwidth_bytes_per_s,
        "layers": architecture.layers,
        "hidden": architecture.hidden,
        "heads": architecture.heads,
        "experts": architecture.experts,
        "sequence length": workload.sequence_length,
        "sequences a step": workload.global_batch_sequences,
    }
    return layout_at(layouts, found.best(), inputs)


def layouts_of(
    workload: TrainingWorkload, supernode: SuperNode, accelerators_used: Array, space: Space
) -> Layouts:
    """Every layout of a space for a job, by the median of the samples."""
    return Layouts(
        workload=central(workload),
        supernode=central(supernode),
        accelerators_used=np.median(plain(accelerators_used), axis=0),
        space=space,
    )


def searched(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
    layouts: Layouts,
) -> Computed:
    """Step time and memory of every layout, by the median of the samples."""
    bare_workload, bare_assumptions = central(workload), central(assumptions)
    hardware = hardware_of(
        workload=bare_workload,
        supernode=central(supernode),
        pod=central(pod),
        fabric=central(fabric),
        assumptions=bare_assumptions,
    )
    return computed(
        job=job_of(bare_workload), hardware=hardware, layouts=layouts, assumptions=bare_assumptions
    )
