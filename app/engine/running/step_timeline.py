"""The simulated step of a training design: times of its stages, and when each computes and waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.engine.performance.groups import stages_share_domain
from app.engine.performance.job import Job, job_of
from app.engine.performance.kinds import Machine, machines_of
from app.engine.performance.layer_costs import LayerCosts, layer_costs
from app.engine.performance.model_share import ModelShare, model_share
from app.engine.performance.offload import exposed_offload_time_s, layer_offload_time_s
from app.engine.performance.pipeline import micro_batches
from app.engine.performance.schedules import DUALPIPE, MOE_OVERLAP, ONE_F_ONE_B, SCHEDULES, ZB_V, Schedule
from app.engine.performance.search import central
from app.engine.performance.stage_transfer import stage_transfer_time_s
from app.engine.performance.step_time import step_time_of
from app.engine.performance.strategy import Strategy, strategy_of
from app.engine.running.job import Running
from app.engine.running.pipeline import ChunkTimes, PipelineStep, simulate_step
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array

MOST_OPERATIONS = 200_000
"""Of a simulation: half a second of computing."""
BESIDE_THE_PIPELINE = ("dp", "optimizer", "straggler", "calibration")
"""Parts of a step that come after the pipeline has drained, or that no schedule changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimeline:
    """A simulated step beside its closed form, of the median sample.

    A step of very many micro-batches is simulated with fewer, in whole groups; `shown` with as few as are asked for.
    """

    schedule: str  # its name
    stages: int
    chunks: int  # of layers on a stage; two copies of a stage in DualPipe
    micro_batches: int
    simulated_micro_batches: int
    shown_micro_batches: int
    transfer_s: float  # from a stage to the next
    formula_s: (
        float  # step-time model of the simulated micro-batches, without optimiser and gradient exchange
    )
    layers: Array  # of each stage
    step: PipelineStep
    shown: PipelineStep


@dataclass(frozen=True, slots=True, kw_only=True)
class _Design:
    """A layout on one machine, every array of the median sample."""

    job: Job
    machine: Machine
    strategy: Strategy
    share: ModelShare
    costs: LayerCosts


def step_timeline(running: Running, most_shown: int) -> StepTimeline:
    """Simulate the step of a pod with one kind of SuperNode; `shown` has about `most_shown` operations at most."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        design = _central(running)
        return _timeline(design, most_shown)


def _timeline(design: _Design, most_shown: int) -> StepTimeline:
    stages = int(design.strategy.pipeline_parallel[0])
    count = _micro_batches(design)
    simulated, shown = (_at_most(design, count, most) for most in (MOST_OPERATIONS, most_shown))
    times = _chunk_times(design)
    transfer = _transfer_s(design) if stages > 1 else 0.0
    step = _simulated(design, simulated, times, transfer)
    return StepTimeline(
        schedule=_schedule(design).name,
        stages=stages,
        chunks=times.forward_s.shape[1],
        micro_batches=count,
        simulated_micro_batches=simulated,
        shown_micro_batches=shown,
        transfer_s=transfer,
        formula_s=_formula_s(design, simulated),
        layers=_stage_layers(design),
        step=step,
        shown=step if shown == simulated else _simulated(design, shown, times, transfer),
    )


def _schedule(design: _Design) -> Schedule:
    return SCHEDULES[float(design.strategy.schedule[0])]


def _simulated(design: _Design, count: int, times: ChunkTimes, transfer_s: float) -> PipelineStep:
    return simulate_step(
        schedule=_schedule(design).key, micro_batches=count, times=times, transfer_s=transfer_s
    )


def _central(running: Running) -> _Design:
    whole = running.design
    workload, layout = whole.workload, whole.layout
    assert isinstance(workload, TrainingWorkload)
    assert layout is not None  # `running` has found one
    workload, pod, layout = central(workload), central(whole.pod), central(layout)
    assert isinstance(workload, TrainingWorkload)
    (machine,) = machines_of(
        workload=workload,
        supernode=central(whole.supernode),
        pod=pod,
        fabric=central(running.fabric),
        assumptions=central(whole.assumptions.rooms["performance"]),
        kinds=(),
    )
    job = job_of(workload)
    strategy = strategy_of(layout=layout, accelerators_used=pod.accelerators_used)
    return _Design(
        job=job,
        machine=machine,
        strategy=strategy,
        share=model_share(job=job, strategy=strategy),
        costs=layer_costs(
            job=job, hardware=machine.hardware, shapes=strategy.shapes, assumptions=machine.assumptions
        ),
    )


def _micro_batches(design: _Design) -> int:
    return int(
        micro_batches(
            global_batch_sequences=design.job.workload.global_batch_sequences,
            data_parallel=design.strategy.data_parallel,
            micro_batch=design.strategy.micro_batch,
        )[0]
    )


def _at_most(design: _Design, count: int, most_operations: int) -> int:
    """Micro-batches of about as many operations: whole groups, at least the two that fill and drain a pipeline."""
    stages, chunks = int(design.strategy.pipeline_parallel[0]), int(design.strategy.virtual_stages[0])
    kinds = 2 if float(design.strategy.schedule[0]) in (ONE_F_ONE_B, MOE_OVERLAP) else 3
    groups = most_operations // (stages * chunks * kinds * stages)
    return min(count, max(groups, 2) * stages)


def _stage_layers(design: _Design) -> Array:
    """Layers of each stage in the order of the model: long ones first, the last as short as the head leaves it."""
    stages = int(design.strategy.pipeline_parallel[0])
    layers = float(design.job.workload.architecture.layers[0])
    longest, last = float(design.share.layers[0]), float(design.share.last_layers[0])
    if stages == 1:
        return np.array([layers])
    # What the last leaves, dealt evenly; the first stages have what does not divide.
    short = np.floor((layers - last) / (stages - 1))
    long = round(layers - last - short * (stages - 1))
    dealt = np.full(stages, short)
    dealt[:long] += 1
    dealt[-1] = last
    assert dealt.max() <= longest + 1e-9
    return dealt


def _chunk_times(design: _Design) -> ChunkTimes:
    """Passes of every chunk, as the step-time model divides them.

    A third of the head and of prediction modules is forward, and as much gradients of inputs and of weights; the
    embedding has no gradient of its inputs.
    """
    strategy, costs = design.strategy, design.costs
    compute, exchange = costs.layer.compute, costs.layer.exchange
    tier = design.machine.hardware.tiers.of(strategy.offload_tier)

    def of(values: Array) -> float:
        return float(strategy.of_shapes(values)[0])

    offload = exposed_offload_time_s(
        activation_offload=strategy.activation_offload,
        link_s=layer_offload_time_s(
            kept_bytes=strategy.of_shapes(costs.kept_bytes),
            link_bytes_per_s=tier.link_bytes_per_s,
            medium_bytes_per_s=tier.medium_bytes_per_s,
        ),
        layer_s=strategy.of_shapes(costs.layer.device),
    )
    forward = of(compute.forward) + of(exchange.tensor + exchange.context + exchange.expert) / 2
    weights = of(compute.weight_gradient)
    inputs = of(costs.layer.device) + of(costs.layer.launch) + float(offload[0]) - forward - weights
    hidden = of(exchange.expert - exchange.paired_expert) / 2
    end, embedding = (of(costs.ends.head) + of(costs.modules)) / 3, of(costs.ends.embedding) / 2

    layers = _stage_layers(design)
    stages, schedule = len(layers), float(strategy.schedule[0])
    each = np.array([forward, inputs, weights])
    if schedule == DUALPIPE:  # both copies whole, one a direction
        held = np.stack([layers, layers[::-1]], axis=1)
        first, last = [(0, 0), (stages - 1, 1)], [(stages - 1, 0), (0, 1)]
    elif schedule == ZB_V:  # a V: the first stage has both ends of the model
        held = _chunk_layers(layers[::-1], 2)
        first, last = [(0, 0)], [(0, 1)]
    else:
        held = _chunk_layers(layers, int(strategy.virtual_stages[0]))
        first, last = [(0, 0)], [(stages - 1, held.shape[1] - 1)]
    passes = held[..., None] * each
    for place in first:
        passes[place] += embedding, 0.0, embedding
    for place in last:
        passes[place] += end
    return ChunkTimes(
        forward_s=passes[..., 0],
        input_gradient_s=passes[..., 1],
        weight_gradient_s=passes[..., 2],
        hidden_forward_s=held * hidden,
        hidden_backward_s=held * hidden,
    )


def _chunk_layers(layers: Array, chunks: int) -> Array:
    """Layers of every chunk, [stage, chunk]: whole ones, and the fewest on the last, which may have the head.

    So does Llama 3, whose last chunk has the output head alone (arXiv 2407.21783, section 3.3.2).
    """
    whole = np.floor(layers)
    held = np.floor((whole[:, None] + np.arange(chunks - 1, -1, -1)) / chunks)
    stage = np.arange(len(layers))
    held[stage, (whole % chunks).astype(int)] += layers - whole  # a part of a layer comes next
    return held


def _transfer_s(design: _Design) -> float:
    strategy, hardware, transfer = design.strategy, design.machine.hardware, design.costs.transfer
    share_domain = stages_share_domain(
        stage_ranks=design.share.stage_ranks,
        pipeline_parallel=strategy.pipeline_parallel,
        pipeline_inside=strategy.pipeline_inside,
        accelerators_used=hardware.accelerators_used,
        domain_accelerators=hardware.domain_accelerators,
    )
    found = stage_transfer_time_s(
        share_domain=share_domain,
        inside_s=strategy.of_shapes(transfer.inside),
        outside_s=strategy.of_shapes(transfer.outside),
    )
    return float(found[0])


def _formula_s(design: _Design, count: int) -> float:
    """The step-time model for so many micro-batches, from the first pass to the last."""
    strategy, assumptions = design.strategy, design.machine.assumptions
    workload = replace(
        design.job.workload,
        global_batch_sequences=count * strategy.data_parallel * strategy.micro_batch,
    )
    found = step_time_of(
        job=replace(design.job, workload=workload),
        hardware=design.machine.hardware,
        strategy=strategy,
        share=design.share,
        costs=design.costs,
        assumptions=assumptions,
    )
    parts: dict[str, Any] = found.breakdown_s
    within = sum(float(part[0]) for name, part in parts.items() if name not in BESIDE_THE_PIPELINE)
    return within - float(assumptions.step_overhead_s[0])
