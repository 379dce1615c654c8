"""The layout of a run, as its evaluation shows it."""

from __future__ import annotations

from app.engine.performance.pipeline import micro_batches
from app.engine.performance.strategy import Strategy
from app.engine.quantities import quantity
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array

_OFFLOAD = "[1] Ren et al. 2021, arXiv 2101.06840 (ZeRO-Offload)"
_OVERLAP = "[1] NVIDIA Megatron-Core, tp_comm_overlap and overlap_grad_reduce"


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


@quantity(
    unit="1", source="[1] Liu et al. 2025, arXiv 2504.14960", at="performance.strategy.expert_tensor_ranks"
)
def expert_tensor_ranks(*, expert_tensor_ranks: Array) -> Array:
    """Ranks that share an expert, 0 as usual.

    One where experts are spread over ranks, else the tensor-parallel group.
    """
    return 1 * expert_tensor_ranks


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
    unit="1", source="[1] PyTorch, fully_shard, reshard_after_forward", at="performance.strategy.reshard"
)
def reshard(*, reshard: Array) -> Array:
    """Weights given back after the forward pass, 0 or 1.

    Of ZeRO 3: gathered once more for the backward pass, or kept until then.
    """
    return 1 * reshard


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

    Its states lie in another tier of memory, where they are updated.
    """
    return 1 * optimizer_offload


@quantity(unit="1", source=_OFFLOAD, at="performance.strategy.activation_offload")
def activation_offload(*, activation_offload: Array) -> Array:
    """Activations offloaded, 0 or 1.

    They wait for their backward pass in another tier of memory.
    """
    return 1 * activation_offload


@quantity(
    unit="1",
    source="[1] Rajbhandari et al. 2021, arXiv 2104.07857 (ZeRO-Infinity)",
    at="performance.strategy.offload_tier",
)
def offload_tier(*, offload_tier: Array) -> Array:
    """Memory tier, 0 host, 1 other accelerators, 2 NVMe.

    Where optimiser states and activations lie that are offloaded.
    """
    return 1 * offload_tier


@quantity(
    unit="1",
    source="[1] Liu et al. 2023, arXiv 2310.01889; [2] Meta 2024, arXiv 2407.21783; [3] Jacobs et al. 2023, arXiv 2309.14509",
    at="performance.strategy.context_exchange",
)
def context_exchange(*, context_exchange: Array) -> Array:
    """Context exchange, 0 ring, 1 all-gather, 2 Ulysses, 3 hybrid.

    How ranks that share a sequence come by the keys and values of the others.
    """
    return 1 * context_exchange


@quantity(
    unit="1",
    source="[1] Narayanan et al. 2021, arXiv 2104.04473; [2] Qi et al. 2023, arXiv 2401.10241; "
    "[3] DeepSeek-AI 2024, arXiv 2412.19437",
    at="performance.strategy.schedule",
)
def schedule(*, schedule: Array) -> Array:
    """Pipeline schedule, 0 1F1B, 1 ZB-H1, 2 ZB-V, 3 DualPipe, 4 1F1B with expert exchange hidden.

    In which order a stage computes forward pass, input gradients and weight gradients.
    """
    return 1 * schedule


@quantity(unit="1", source="definition", at="performance.strategy.padding_sequences")
def padding_sequences(
    *, micro_batches: Array, data_parallel: Array, micro_batch: Array, global_batch_sequences: Array
) -> Array:
    """Sequences of padding in a step.

    What replicas compute beyond the batch, where it does not divide among them.
    """
    return micro_batches * data_parallel * micro_batch - global_batch_sequences


def shown_layout(strategy: Strategy, workload: TrainingWorkload) -> dict[str, Array]:
    """The layout as an evaluation shows it, by the names of `performance.strategy`."""
    s = strategy
    batch = {
        "global_batch_sequences": workload.global_batch_sequences,
        "data_parallel": s.data_parallel,
        "micro_batch": s.micro_batch,
    }
    count = micro_batches(**batch)
    return {
        "tp": tensor_parallel(tensor_parallel=s.tensor_parallel),
        "pp": pipeline_parallel(pipeline_parallel=s.pipeline_parallel),
        "cp": context_parallel(context_parallel=s.context_parallel),
        "ep": expert_parallel(expert_parallel=s.expert_parallel),
        "expert_tensor_ranks": expert_tensor_ranks(expert_tensor_ranks=s.expert_tensor_ranks),
        "dp": s.data_parallel,
        "vpp": virtual_stages(virtual_stages=s.virtual_stages),
        "micro_batch": micro_batch(micro_batch=s.micro_batch),
        "micro_batches": count,
        "padding_sequences": padding_sequences(micro_batches=count, **batch),
        "zero_stage": zero_stage(zero_stage=s.zero_stage),
        "reshard": reshard(reshard=s.reshard),
        "sequence_parallel": sequence_parallel(sequence_parallel=s.sequence_parallel),
        "recompute": recompute(recompute=s.recompute),
        "selective_recompute": selective_recompute(selective_recompute=s.selective_recompute),
        "tensor_overlap": tensor_overlap(tensor_overlap=s.tensor_overlap),
        "data_overlap": data_overlap(data_overlap=s.data_overlap),
        "pipeline_inside": pipeline_inside(pipeline_inside=s.pipeline_inside),
        "shard_ranks": shard_ranks(shard_ranks=s.shard_ranks),
        "optimizer_offload": optimizer_offload(optimizer_offload=s.optimizer_offload),
        "activation_offload": activation_offload(activation_offload=s.activation_offload),
        "offload_tier": offload_tier(offload_tier=s.offload_tier),
        "context_exchange": context_exchange(context_exchange=s.context_exchange),
        "schedule": schedule(schedule=s.schedule),
    }
