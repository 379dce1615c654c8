"""Lower bound of the time of a training run, before any layout is searched for.

A stage of a pipeline takes at least as long as the mean one, and a micro-batch at least what the kernels of
its layers take. So no layout is faster than the layer shape with the least accelerator time per token,
without exchange, bubble or recomputation, with the usual differences between the speeds of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.design import evaluate_fabric_of
from app.engine.performance.context_exchange import CONTEXT_EXCHANGES, RING
from app.engine.performance.ends import ends
from app.engine.performance.hardware import nodes_used
from app.engine.performance.job import Job
from app.engine.performance.kinds import Machine
from app.engine.performance.layer import layer_compute
from app.engine.performance.layer_widths import micro_batch_tokens
from app.engine.performance.section import bare_machines
from app.engine.performance.space import USUAL, divisors, grid
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Design
from app.engine.trace import Array, median_of

_ROOFLINE = "[1] Williams et al. 2009, Roofline, CACM 52(4): no kernel is faster than the rate of its unit"
_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473: a step takes its micro-batches on the slowest stage, and the bubble"


@quantity(
    unit="FLOP",
    source="[1] Hoffmann et al. 2022, arXiv 2203.15556, appendix F; backward twice the forward pass",
)
def routed_flop_per_token(
    *,
    experts_per_token: Array,
    mlp_matrices: Array,
    hidden: Array,
    expert_hidden: Array,
    expert_layers: Array,
) -> Array:
    """Training FLOPs of a token in routed experts.

    6 x experts x matrices x hidden x width x layers with experts.
    """
    return 6 * experts_per_token * mlp_matrices * hidden * expert_hidden * expert_layers


@quantity(unit="s", source=_ROOFLINE)
def least_token_time_s(
    *,
    model_flop_per_token: Array,
    routed_flop_per_token: Array,
    highest_flop_per_s: Array,
    matmul_flop_per_s: Array,
    expert_imbalance: Array,
    grouped_matmul_ratio: Array,
) -> Array:
    """Least time of a token on one accelerator, by its rates alone.

    FLOPs outside routed experts over the highest sustained rate of any kernel, and those of routed experts
    over the rate of grouped products, the fullest expert as full as it is: routed FLOP x imbalance / (rate x
    grouped ratio).
    """
    slower = np.maximum(expert_imbalance, 1.0) / np.minimum(grouped_matmul_ratio, 1.0)
    routed_s = np.minimum(routed_flop_per_token, model_flop_per_token) * slower / matmul_flop_per_s
    return np.maximum(model_flop_per_token - routed_flop_per_token, 0.0) / highest_flop_per_s + routed_s


@quantity(unit="s", source=_PIPELINE)
def shape_token_time_s(
    *,
    layers: Array,
    layer_s: Array,
    head_s: Array,
    ranks: Array,
    micro_batch: Array,
    sequence_length: Array,
) -> Array:
    """Accelerator time of a token in one layer shape.

    (layers x mean layer + head) x ranks / (micro-batch x sequence).

    Parameters
    ----------
    layer_s, head_s : computing alone, forward and backward, for one micro-batch
    ranks : that share a micro-batch, tensor x context parallel
    """
    return (layers * layer_s + head_s) * ranks / (micro_batch * sequence_length)


@quantity(unit="s", source=_PIPELINE)
def least_training_time_s(
    *,
    tokens: Array,
    least_token_time_s: Array,
    accelerators_used: Array,
    nodes_used: Array,
    straggler_per_decade: Array,
    measured_over_predicted: Array,
) -> Array:
    """Least time of a run.

    Tokens x least time of one / (accelerators x measured over predicted), with the wait for the slowest node:
    a share for each factor ten of nodes.
    """
    wait = 1 + straggler_per_decade * np.log10(np.maximum(nodes_used, 1))
    return tokens * least_token_time_s * wait / (accelerators_used * measured_over_predicted)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastSpeed:
    """The least time of a token on one accelerator, and the least wait for slow nodes, under whichever
    framework."""

    token_time_s: float
    straggler_per_decade: float

    def training_time_s(self, pods: Design) -> Array:
        """Least time of the run of pods of any size."""
        return least_training_time_s(
            tokens=pods.training.tokens,
            least_token_time_s=np.full(1, self.token_time_s),
            accelerators_used=pods.pod.accelerators_used,
            nodes_used=nodes_used(
                accelerators_used=pods.pod.accelerators_used,
                supernode_accelerators=pods.supernode.accelerators,
                supernode_nodes=pods.supernode.nodes,
            ),
            straggler_per_decade=np.full(1, self.straggler_per_decade),
            measured_over_predicted=pods.training.measured_over_predicted,
        )


def least_speed_of(designs: Sequence[Design]) -> LeastSpeed:
    """The least time of a token over frameworks: of the layouts that are searched, or by rates where one is
    stated."""
    times, waits = [], []
    for design in designs:
        with np.errstate(invalid="ignore", divide="ignore"):
            job, (machine,) = bare_machines(design, evaluate_fabric_of(design))
            by_rates = float(np.min(_by_rates(design, job, machine)))
            if design.layout is None:
                by_shapes = float(np.fmin.reduce(_by_shapes(design, job, machine)))
                times.append(float(np.fmax(by_rates, by_shapes)))
            else:
                times.append(by_rates)
        waits.append(float(np.min(machine.assumptions.straggler_per_decade)))
    return LeastSpeed(token_time_s=min(times), straggler_per_decade=min(waits))


def _by_rates(design: Design, job: Job, machine: Machine) -> Array:
    hardware, model = machine.hardware, design.training.architecture
    highest = np.fmax(
        np.fmax(hardware.matmul_flop_per_s, hardware.matmul_16_bit_flop_per_s), hardware.attention_flop_per_s
    )
    return least_token_time_s(
        model_flop_per_token=job.flops.model,
        routed_flop_per_token=routed_flop_per_token(
            experts_per_token=model.experts_per_token,
            mlp_matrices=model.mlp_matrices,
            hidden=model.hidden,
            expert_hidden=model.expert_hidden,
            expert_layers=model.expert_layers,
        ),
        highest_flop_per_s=highest,
        matmul_flop_per_s=hardware.matmul_flop_per_s,
        expert_imbalance=machine.assumptions.expert_imbalance,
        grouped_matmul_ratio=machine.assumptions.grouped_matmul_ratio,
    )


def _by_shapes(design: Design, job: Job, machine: Machine) -> Array:
    """Least accelerator time of a token over all layer shapes that a layout may have."""
    workload, shapes = design.training, _shapes(design)
    model = workload.architecture
    tokens = micro_batch_tokens(
        micro_batch=shapes.micro_batch,
        sequence_length=workload.sequence_length,
        context_parallel=shapes.context_parallel,
    )
    common = {
        "hardware": machine.hardware,
        "shapes": shapes,
        "tokens": tokens,
        "assumptions": machine.assumptions,
    }
    layer = layer_compute(workload=workload, flops=job.flops, **common)  # type: ignore[arg-type]
    head = ends(architecture=model, **common).head  # type: ignore[arg-type]
    return shape_token_time_s(
        layers=model.layers,
        layer_s=layer.matmul + layer.attention + layer.memory,
        head_s=head,
        ranks=shapes.tensor_parallel * shapes.context_parallel,
        micro_batch=shapes.micro_batch,
        sequence_length=workload.sequence_length,
    )


def _shapes(design: Design) -> LayerShapes:
    """All layer shapes of the space `USUAL` in a pod of any size.

    Shapes that do not divide the accelerators of a pod may be among them: they only lower the bound.
    """
    model, only = design.training.architecture, USUAL.only
    heads, experts = median_of(model.heads), median_of(model.experts)
    domain = median_of(design.supernode.scale_up_domain_accelerators)
    sequence = median_of(design.training.sequence_length)
    tensor = [one for one in only["tensor_parallel"] if heads % one == 0 and one <= max(domain, 1)]
    expert = [one for one in divisors(experts) if one in only["expert_parallel"]] if experts else [1.0]
    axes = grid(
        [
            np.array(tensor),
            np.array(list(_chunks(sequence))),
            np.array(expert),
            np.array(only["micro_batch"], dtype=float),
            np.array([0.0, 1.0]),
            np.array(list(CONTEXT_EXCHANGES), dtype=float),
        ]
    )
    tp, cp, ep, micro_batch, in_sequence, way = axes[:, (axes[1] > 1) | (axes[5] == RING)]
    none = np.zeros(tp.size)
    return LayerShapes(
        tensor_parallel=tp,
        context_parallel=cp,
        expert_parallel=ep,
        expert_tensor_ranks=none,
        micro_batch=micro_batch,
        sequence_parallel=np.where(tp > 1, in_sequence, 0.0),
        recompute=none,
        selective_recompute=none,
        tensor_overlap=np.ones(tp.size),
        context_exchange=way,
    )


def _chunks(sequence: float) -> Iterator[float]:
    """Ways to split a sequence into whole chunks that are not too short."""
    for ranks in range(1, max(int(sequence // USUAL.shortest_chunk_tokens), 1) + 1):
        if sequence % ranks == 0:
            yield float(ranks)
