"""The key figures of a training run that follow from its step time."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_MFU = "[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B (model and hardware FLOPs utilisation)"

_OFFLOAD = "[1] Ren et al. 2021, arXiv 2101.06840 (ZeRO-Offload)"
_OVERLAP = "[1] NVIDIA Megatron-Core, tp_comm_overlap and overlap_grad_reduce"


@quantity(unit="tokens", source="definition")
def tokens_per_step(*, global_batch_sequences: Array, sequence_length: Array) -> Array:
    """Tokens of one optimiser step."""
    return global_batch_sequences * sequence_length


@quantity(unit="1", source="definition")
def steps(*, tokens: Array, tokens_per_step: Array) -> Array:
    """Optimiser steps of the run."""
    return tokens / tokens_per_step


@quantity(unit="tokens/s", source="definition")
def tokens_per_s(*, tokens_per_step: Array, step_time_s: Array) -> Array:
    """Training throughput."""
    return tokens_per_step / step_time_s


@quantity(unit="tokens/s", source="definition")
def tokens_per_s_per_accelerator(*, tokens_per_s: Array, accelerators_used: Array) -> Array:
    """Training throughput per accelerator."""
    return tokens_per_s / accelerators_used


@quantity(unit="FLOP/s", source=_MFU)
def model_flop_per_s_per_accelerator(
    *, tokens_per_s_per_accelerator: Array, model_flop_per_token: Array
) -> Array:
    """Achieved model FLOP/s per accelerator.

    Causal attention halved, output head counted, input embedding and recomputation not.
    """
    return tokens_per_s_per_accelerator * model_flop_per_token


@quantity(unit="1", source=_MFU)
def mfu(*, model_flop_per_s_per_accelerator: Array, peak_flop_per_s: Array) -> Array:
    """Model FLOPs utilisation.

    Achieved model FLOP/s over the dense peak at the precision of the run.
    """
    return model_flop_per_s_per_accelerator / peak_flop_per_s


@quantity(unit="FLOP/s", source=_MFU)
def hardware_flop_per_s_per_accelerator(
    *, tokens_per_s_per_accelerator: Array, model_flop_per_token: Array, recomputed_flop_per_token: Array
) -> Array:
    """Achieved hardware FLOP/s per accelerator.

    With the forward FLOPs that are done again in the backward pass.
    """
    return tokens_per_s_per_accelerator * (model_flop_per_token + recomputed_flop_per_token)


@quantity(unit="1", source=_MFU)
def hfu(*, hardware_flop_per_s_per_accelerator: Array, peak_flop_per_s: Array) -> Array:
    """Hardware FLOPs utilisation.

    Over the dense peak at the precision of the workload.
    """
    return hardware_flop_per_s_per_accelerator / peak_flop_per_s


@quantity(unit="s", source="definition")
def training_time_s(*, steps: Array, step_time_s: Array) -> Array:
    """Productive training time.

    All steps one after the other, without failures, restarts and checkpoints.
    """
    return steps * step_time_s


@quantity(unit="s", source="[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)")
def roofline_step_time_s(
    *, tokens_per_step: Array, model_flop_per_token: Array, peak_flop_per_s: Array, accelerators_used: Array
) -> Array:
    """Step time at peak.

    Model FLOPs over the dense peak of all accelerators: idealised, what no run can beat.
    """
    return tokens_per_step * model_flop_per_token / (peak_flop_per_s * accelerators_used)


@quantity(unit="B", source="definition")
def memory_capacity_bytes(*, memory_bytes: Array) -> Array:
    """Memory of an accelerator."""
    return 1 * memory_bytes


@quantity(unit="1", source="[1] Shoeybi et al. 2019, arXiv 1909.08053", at="performance.strategy.tp")
def tensor_parallel(*, tensor_parallel: Array) -> Array:
    """Tensor-parallel ranks."""
    return 1 * tensor_parallel


@quantity(unit="1", source="[1] Narayanan et al. 2021, arXiv 2104.04473", at="performance.strategy.pp")
def pipeline_parallel(*, pipeline_parallel: Array) -> Array:
    """Pipeline stages."""
    return 1 * pipeline_parallel


@quantity(unit="1", source="[1] Liu et al. 2023, arXiv 2310.01889", at="performance.strategy.cp")
def context_parallel(*, context_parallel: Array) -> Array:
    """Context-parallel ranks."""
    return 1 * context_parallel


@quantity(unit="1", source="[1] Lepikhin et al. 2020, arXiv 2006.16668", at="performance.strategy.ep")
def expert_parallel(*, expert_parallel: Array) -> Array:
    """Expert-parallel ranks."""
    return 1 * expert_parallel


@quantity(unit="1", source="[1] Narayanan et al. 2021, arXiv 2104.04473", at="performance.strategy.vpp")
def virtual_stages(*, virtual_stages: Array) -> Array:
    """Virtual pipeline stages of a rank."""
    return 1 * virtual_stages


@quantity(unit="1", source="definition", at="performance.strategy.micro_batch")
def micro_batch(*, micro_batch: Array) -> Array:
    """Sequences of a micro-batch."""
    return 1 * micro_batch


@quantity(
    unit="1", source="[1] Rajbhandari et al. 2020, arXiv 1910.02054", at="performance.strategy.zero_stage"
)
def zero_stage(*, zero_stage: Array) -> Array:
    """ZeRO stage."""
    return 1 * zero_stage


@quantity(
    unit="1",
    source="[1] Korthikanti et al. 2022, arXiv 2205.05198",
    at="performance.strategy.sequence_parallel",
)
def sequence_parallel(*, sequence_parallel: Array) -> Array:
    """Sequence parallelism, 0 or 1."""
    return 1 * sequence_parallel


@quantity(unit="1", source="[1] Chen et al. 2016, arXiv 1604.06174", at="performance.strategy.recompute")
def recompute(*, recompute: Array) -> Array:
    """Share of the forward pass done again in the backward pass."""
    return 1 * recompute


@quantity(
    unit="1",
    source="[1] Korthikanti et al. 2022, arXiv 2205.05198; [2] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2.3",
    at="performance.strategy.selective_recompute",
)
def selective_recompute(*, selective_recompute: Array) -> Array:
    """Selective recomputation, 0 or 1.

    Norms, activations and the up-projections of latent attention are done again in the backward pass.
    """
    return 1 * selective_recompute


@quantity(unit="1", source=_OVERLAP, at="performance.strategy.tensor_overlap")
def tensor_overlap(*, tensor_overlap: Array) -> Array:
    """Tensor exchange overlapped, 0 or 1.

    It runs beside the matmuls, as far as the framework can.
    """
    return 1 * tensor_overlap


@quantity(unit="1", source=_OVERLAP, at="performance.strategy.data_overlap")
def data_overlap(*, data_overlap: Array) -> Array:
    """Data exchange overlapped, 0 or 1.

    It runs beside the backward pass.
    """
    return 1 * data_overlap


@quantity(unit="1", source="definition", at="performance.strategy.pipeline_inside")
def pipeline_inside(*, pipeline_inside: Array) -> Array:
    """Stages inside the domain, 0 or 1.

    Whether pipeline stages share the scale-up domain before data-parallel replicas do.
    """
    return 1 * pipeline_inside


@quantity(unit="1", source="[1] Zhao et al. 2023, arXiv 2304.11277", at="performance.strategy.shard_ranks")
def shard_ranks(*, shard_ranks: Array) -> Array:
    """Shard group, 0 for all replicas.

    Replicas that share what ZeRO shards.
    """
    return 1 * shard_ranks


@quantity(unit="1", source=_OFFLOAD, at="performance.strategy.optimizer_offload")
def optimizer_offload(*, optimizer_offload: Array) -> Array:
    """Optimiser offloaded, 0 or 1.

    Its states lie in the memory of the host, which updates them.
    """
    return 1 * optimizer_offload


@quantity(unit="1", source=_OFFLOAD, at="performance.strategy.activation_offload")
def activation_offload(*, activation_offload: Array) -> Array:
    """Activations offloaded, 0 or 1.

    They wait for their backward pass in the memory of the host.
    """
    return 1 * activation_offload


@quantity(unit="1", source="[1] Qi et al. 2023, arXiv 2401.10241", at="performance.strategy.zero_bubble")
def zero_bubble(*, zero_bubble: Array) -> Array:
    """Zero-bubble schedule, 0 or 1."""
    return 1 * zero_bubble
