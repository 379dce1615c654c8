"""The parts of a step, in exposed seconds on the slowest pipeline stage.

The remaining parts (`pp_bubble`, `pp_transfer`, `dp`, `optimizer`) stand with their models.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_LAUNCH = "[1] NVIDIA, CUDA C++ Best Practices Guide (launch overhead); [2] NVIDIA Nsight Systems (kernels of a layer)"
_STEP = "[1] Narayanan et al. 2021, arXiv 2104.04473 (step = micro-batches on the slowest stage + bubble)"


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.gemm", short="Matrix multiplication")
def gemm_time_s(
    *,
    micro_batches: Array,
    stage_layers: Array,
    layer_s: Array,
    head_s: Array,
    has_head: Array,
    embedding_s: Array,
    pipeline_parallel: Array,
) -> Array:
    """Matmuls, with embedding and output head.

    Micro-batches x (layers of the slowest stage x time of one, plus the head and its loss if the
    stage has it, plus the embedding if it is the only stage).
    """
    has_embedding = np.where(pipeline_parallel > 1, 0.0, 1.0)
    return micro_batches * (stage_layers * layer_s + has_head * head_s + has_embedding * embedding_s)


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.attention", short="Attention")
def attention_time_s(*, micro_batches: Array, stage_layers: Array, layer_s: Array) -> Array:
    """Attention scores and values."""
    return micro_batches * stage_layers * layer_s


@quantity(
    unit="s", source=_STEP, at="performance.time_breakdown_s.memory_bound", short="Memory-bound kernels"
)
def memory_bound_time_s(*, micro_batches: Array, stage_layers: Array, layer_s: Array) -> Array:
    """Memory-bound work between the matmuls."""
    return micro_batches * stage_layers * layer_s


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.recompute")
def recompute_time_s(*, micro_batches: Array, stage_layers: Array, layer_s: Array) -> Array:
    """Recomputation."""
    return micro_batches * stage_layers * layer_s


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.tp", short="Tensor-parallel traffic")
def tensor_parallel_time_s(*, micro_batches: Array, stage_layers: Array, layer_s: Array) -> Array:
    """Tensor-parallel exchange, exposed."""
    return micro_batches * stage_layers * layer_s


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.cp", short="Context-parallel traffic")
def context_parallel_time_s(*, micro_batches: Array, stage_layers: Array, layer_s: Array) -> Array:
    """Context-parallel exchange, exposed."""
    return micro_batches * stage_layers * layer_s


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.ep", short="Expert-parallel traffic")
def expert_parallel_time_s(
    *,
    micro_batches: Array,
    paired_micro_batches: Array,
    stage_layers: Array,
    layer_s: Array,
    paired_layer_s: Array,
) -> Array:
    """Expert dispatch and combine, exposed.

    Of micro-batches alone on their stage, and of those beside another.
    """
    alone = (micro_batches - paired_micro_batches) * layer_s
    return stage_layers * (alone + paired_micro_batches * paired_layer_s)


@quantity(unit="1", source=_LAUNCH)
def layer_kernels(
    *,
    layers: Array,
    expert_layers: Array,
    experts: Array,
    expert_parallel: Array,
    forward_kernels: Array,
    cast_kernels: Array,
    expert_kernels: Array,
    local_expert_kernels: Array,
    local_expert_cast_kernels: Array,
    ring_ranks: Array,
    context_turn_kernels: Array,
) -> Array:
    """Kernels of the mean layer, forward.

    Those of any layer and the casts of its matmul inputs; in layers with experts also those of routing, and of each
    expert on the accelerator; attention, merging and transfer in each further turn of a context ring.
    """
    each = local_expert_kernels + local_expert_cast_kernels
    routed = expert_kernels + experts / expert_parallel * each
    turns = (ring_ranks - 1) * context_turn_kernels
    return forward_kernels + cast_kernels + turns + expert_layers / layers * routed


@quantity(unit="1", source=_LAUNCH)
def layer_collectives(*, tensor_parallel: Array, sequence_parallel: Array, exchanges: Array) -> Array:
    """Tensor-parallel collectives of the mean layer, forward and backward: two in place of each all-reduce with
    sequence parallelism."""
    each = np.where(sequence_parallel > 0, 2.0, 1.0)
    return np.where(tensor_parallel > 1, each * exchanges, 0.0)


@quantity(unit="s", source=_LAUNCH)
def launch_time_per_layer_s(
    *,
    kernels: Array,
    collectives: Array,
    recompute: Array,
    kernel_launch_s: Array,
    collective_kernels: Array,
) -> Array:
    """Host time to launch the kernels of the mean layer, forward and backward.

    The forward pass once, once more where it is done again, and the backward pass with two for each; a collective
    counts as a few, since streams wait for one another.
    """
    return kernel_launch_s * ((3 + recompute) * kernels + collective_kernels * collectives)


@quantity(unit="s", source="definition")
def device_time_per_layer_s(
    *,
    matmul_s: Array,
    attention_s: Array,
    memory_s: Array,
    recompute_s: Array,
    tensor_s: Array,
    context_s: Array,
    expert_s: Array,
) -> Array:
    """Time of the mean layer for one micro-batch, forward and backward."""
    return matmul_s + attention_s + memory_s + recompute_s + tensor_s + context_s + expert_s


@quantity(unit="s", source="definition")
def stage_time_s(*, stage_layers: Array, layer_s: Array, end_s: Array, has_head: Array) -> Array:
    """Time of the slowest stage for one micro-batch, forward and backward."""
    return stage_layers * layer_s + has_head * end_s


@quantity(unit="s", source="definition")
def exposed_launch_time_s(*, launch_s: Array, device_s: Array) -> Array:
    """Host time of the mean layer that the device waits for.

    Cube root of the sum of cubes, less the device's own time: the host runs ahead during long kernels, but not
    through short ones, nor past the points where it waits for counts of tokens.
    """
    return np.cbrt(launch_s**3 + device_s**3) - device_s


@quantity(unit="s", source=_STEP, at="performance.time_breakdown_s.launch", short="Kernel launches")
def launch_time_s(
    *, micro_batches: Array, stage_layers: Array, layer_s: Array, step_overhead_s: Array
) -> Array:
    """Host launch overhead.

    Kernel launches that the device waits for, and what every step costs beside its layers.
    """
    return micro_batches * stage_layers * layer_s + step_overhead_s


@quantity(
    unit="s",
    source="[1] Jiang et al. 2024, arXiv 2402.15627 (stragglers at scale)",
    at="performance.time_breakdown_s.straggler",
)
def straggler_time_s(*, other_s: Array, nodes_used: Array, straggler_per_decade: Array) -> Array:
    """Straggler wait.

    A share of all other time for each factor ten of nodes.
    """
    return other_s * straggler_per_decade * np.log10(np.maximum(nodes_used, 1))


@quantity(unit="s", source="definition")
def time_without_stragglers_s(
    *,
    gemm: Array,
    attention: Array,
    memory_bound: Array,
    prediction: Array,
    recompute: Array,
    tp: Array,
    cp: Array,
    ep: Array,
    pp_transfer: Array,
    pp_bubble: Array,
    dp: Array,
    offload: Array,
    optimizer: Array,
    launch: Array,
) -> Array:
    """Step time if every node were equally fast."""
    compute = gemm + attention + memory_bound + recompute + prediction
    exchange = tp + cp + ep + pp_transfer + pp_bubble + dp
    return compute + exchange + offload + optimizer + launch


@quantity(unit="s", source="own runs, stated in the scenario", at="performance.time_breakdown_s.calibration")
def calibration_time_s(
    *, time_without_stragglers_s: Array, straggler: Array, measured_over_predicted: Array
) -> Array:
    """Calibration.

    Below 0 where they are faster, 0 where the scenario states none.
    """
    return (1 / measured_over_predicted - 1) * (time_without_stragglers_s + straggler)


@quantity(unit="s", source="definition", at="performance.step_time_s", key=True, better="less")
def step_time_s(*, time_without_stragglers_s: Array, straggler: Array, calibration: Array) -> Array:
    """Step time.

    Of one optimiser step in training: the sum of the exposed parts on the slowest pipeline stage.
    """
    return time_without_stragglers_s + straggler + calibration
