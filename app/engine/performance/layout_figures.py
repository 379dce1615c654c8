"""The layout of a run, as its evaluation shows it."""

from __future__ import annotations

from app.engine.performance.pipeline import micro_batches
from app.engine.performance.strategy import Strategy
from app.engine.quantities import alias, quantity
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array

_OFFLOAD = "[1] Ren et al. 2021, arXiv 2101.06840 (ZeRO-Offload)"
_OVERLAP = "[1] NVIDIA Megatron-Core, tp_comm_overlap and overlap_grad_reduce"


tensor_parallel = alias(
    "tensor_parallel",
    "Tensor parallelism",
    at="performance.strategy.tp",
    source="[1] Shoeybi et al. 2019, arXiv 1909.08053",
)
pipeline_parallel = alias(
    "pipeline_parallel",
    "Pipeline stages",
    at="performance.strategy.pp",
    source="[1] Narayanan et al. 2021, arXiv 2104.04473",
)
context_parallel = alias(
    "context_parallel",
    "Context parallelism",
    at="performance.strategy.cp",
    source="[1] Liu et al. 2023, arXiv 2310.01889",
)
expert_parallel = alias(
    "expert_parallel",
    "Expert parallelism",
    at="performance.strategy.ep",
    source="[1] Lepikhin et al. 2020, arXiv 2006.16668",
)
expert_tensor_ranks = alias(
    "expert_tensor_ranks",
    "Expert tensor parallelism",
    words=("default",),
    at="performance.strategy.expert_tensor_ranks",
    source="[1] Liu et al. 2025, arXiv 2504.14960",
    note="One where experts are spread over ranks, else the tensor-parallel group.",
)
virtual_stages = alias(
    "virtual_stages",
    "Virtual stages",
    at="performance.strategy.vpp",
    source="[1] Narayanan et al. 2021, arXiv 2104.04473",
)
micro_batch = alias("micro_batch", "Micro-batch size", at="performance.strategy.micro_batch")
zero_stage = alias(
    "zero_stage",
    "ZeRO stage",
    at="performance.strategy.zero_stage",
    source="[1] Rajbhandari et al. 2020, arXiv 1910.02054",
)
reshard = alias(
    "reshard",
    "Reshard after forward",
    words=("off", "on"),
    at="performance.strategy.reshard",
    source="[1] PyTorch, fully_shard, reshard_after_forward",
    note="Of ZeRO 3: gathered once more for the backward pass, or kept until then.",
)
sequence_parallel = alias(
    "sequence_parallel",
    "Sequence parallelism",
    words=("off", "on"),
    at="performance.strategy.sequence_parallel",
    source="[1] Korthikanti et al. 2022, arXiv 2205.05198",
)
recompute = alias(
    "recompute",
    "Recomputation, share of the forward pass",
    percent=True,
    at="performance.strategy.recompute",
    source="[1] Chen et al. 2016, arXiv 1604.06174",
)
selective_recompute = alias(
    "selective_recompute",
    "Selective recomputation",
    words=("off", "on"),
    at="performance.strategy.selective_recompute",
    source="[1] Korthikanti et al. 2022, arXiv 2205.05198; [2] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2.3",
    note="Norms, activations and the up-projections of latent attention are done again in the backward pass.",
)
tensor_overlap = alias(
    "tensor_overlap",
    "TP overlap",
    words=("off", "on"),
    at="performance.strategy.tensor_overlap",
    source=_OVERLAP,
    note="It runs beside the matmuls, as far as the framework can.",
)
data_overlap = alias(
    "data_overlap",
    "DP overlap",
    words=("off", "on"),
    at="performance.strategy.data_overlap",
    source=_OVERLAP,
    note="It runs beside the backward pass.",
)
pipeline_inside = alias(
    "pipeline_inside",
    "PP within scale-up domain",
    words=("off", "on"),
    at="performance.strategy.pipeline_inside",
    note="Whether pipeline stages share the scale-up domain before data-parallel replicas do.",
)
shard_ranks = alias(
    "shard_ranks",
    "Shard group",
    words=("all replicas",),
    at="performance.strategy.shard_ranks",
    source="[1] Zhao et al. 2023, arXiv 2304.11277",
    note="Replicas that share what ZeRO shards.",
)
optimizer_offload = alias(
    "optimizer_offload",
    "Optimiser offload",
    words=("off", "on"),
    at="performance.strategy.optimizer_offload",
    source=_OFFLOAD,
    note="Its states lie in another tier of memory, where they are updated.",
)
activation_offload = alias(
    "activation_offload",
    "Activation offload",
    words=("off", "on"),
    at="performance.strategy.activation_offload",
    source=_OFFLOAD,
    note="They wait for their backward pass in another tier of memory.",
)
offload_tier = alias(
    "offload_tier",
    "Offload tier",
    words=("host", "peers", "NVMe"),
    at="performance.strategy.offload_tier",
    source="[1] Rajbhandari et al. 2021, arXiv 2104.07857 (ZeRO-Infinity)",
    note="Where optimiser states and activations lie that are offloaded.",
)
context_exchange = alias(
    "context_exchange",
    "Context-parallel exchange",
    words=("ring", "all-gather", "Ulysses", "hybrid"),
    at="performance.strategy.context_exchange",
    source="[1] Liu et al. 2023, arXiv 2310.01889; [2] Meta 2024, arXiv 2407.21783; [3] Jacobs et al. 2023, arXiv 2309.14509",
    note="Exchange of keys and values between ranks that share a sequence.",
)
schedule = alias(
    "schedule",
    "Pipeline schedule",
    words=("1F1B", "ZB-H1", "ZB-V", "DualPipe", "1F1B with hidden expert exchange"),
    at="performance.strategy.schedule",
    source="[1] Narayanan et al. 2021, arXiv 2104.04473; [2] Qi et al. 2023, arXiv 2401.10241; "
    "[3] DeepSeek-AI 2024, arXiv 2412.19437",
    note="In which order a stage computes forward pass, input gradients and weight gradients.",
)


@quantity(unit="1", source="definition", at="performance.strategy.padding_sequences")
def padding_sequences(
    *, micro_batches: Array, data_parallel: Array, micro_batch: Array, global_batch_sequences: Array
) -> Array:
    """Padding sequences per step.

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
