"""Jobs and pods that several tests of this room use; figures as in the catalog."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.fabric.collectives.shared_links import Block, SharedLinks
from app.engine.fabric.figures import Fabric
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware, hardware_of
from app.engine.performance.job import Job, job_of
from app.engine.performance.layouts import Layouts
from app.engine.performance.memory import Memory, layer_activations, memory
from app.engine.performance.section import Performance, evaluate_training
from app.engine.performance.space import USUAL, WHOLE, Space
from app.engine.performance.step_time import StepTime, step_time
from app.engine.performance.strategy import Strategy, strategy_of
from app.engine.specs import (
    Accelerator,
    Architecture,
    FabricPlan,
    Layout,
    Pod,
    SuperNode,
    TrainingWorkload,
    Transceiver,
)
from app.engine.trace import Array
from tests.support import assumptions, build, dgx_h100, number


def layout(
    tp: float = 1, pp: float = 1, cp: float = 1, ep: float = 1, vpp: float = 1, micro_batch: float = 1,
    zero: float = 1, sequence_parallel: float = 1, recompute: float = 0, selective: float = 0,
    tensor_overlap: float = 1, data_overlap: float = 1, pipeline_inside: float = 0, schedule: float = 0, context: float = 0, etp: float = 0, reshard: float = 1,
    shard_ranks: float = 0, optimizer_offload: float = 0, activation_offload: float = 0, offload_tier: float = 0,
) -> Layout:  # fmt: skip
    return build(
        Layout, tensor_parallel=tp, pipeline_parallel=pp, context_parallel=cp, expert_parallel=ep,
        virtual_stages=vpp, micro_batch=micro_batch, zero_stage=zero,
        sequence_parallel=sequence_parallel, recompute=recompute, selective_recompute=selective,
        tensor_overlap=tensor_overlap, data_overlap=data_overlap, pipeline_inside=pipeline_inside,
        schedule=schedule, context_exchange=context, expert_tensor_ranks=etp, reshard=reshard, shard_ranks=shard_ranks,
        optimizer_offload=optimizer_offload, activation_offload=activation_offload, offload_tier=offload_tier,
    )  # fmt: skip


def gpt(layers: int, hidden: int, heads: int, vocabulary: int = 51200) -> Architecture:
    return build(
        Architecture, key="gpt", name="GPT", attention="mha", layers=layers, attention_layers=layers,
        hidden=hidden, heads=heads, kv_heads=heads, head_dim=hidden / heads, vocabulary=vocabulary,
        tied_embedding=1, feed_forward_hidden=4 * hidden, mlp_matrices=2, experts=0,
        experts_per_token=0, shared_experts=0, expert_hidden=0, expert_layers=0, latent_query_rank=0,
        latent_kv_rank=0, latent_nope_dim=0, latent_rope_dim=0, latent_value_dim=0, window_layers=0,
        window_tokens=0, published_parameters=1,
    )  # fmt: skip


def deepseek_v3() -> Architecture:
    return build(
        Architecture, key="deepseek_v3", name="DeepSeek-V3", attention="mla", layers=61,
        attention_layers=61, hidden=7168, heads=128, kv_heads=1, head_dim=192, vocabulary=129280,
        tied_embedding=0, feed_forward_hidden=18432, mlp_matrices=3, experts=256, experts_per_token=8,
        shared_experts=1, expert_hidden=2048, expert_layers=58, latent_query_rank=1536,
        latent_kv_rank=512, latent_nope_dim=128, latent_rope_dim=64, latent_value_dim=128,
        window_layers=0, window_tokens=0, published_parameters=671e9,
    )  # fmt: skip


def training(
    architecture: Architecture,
    sequence: int,
    batch: int,
    precision: str = "bf16",
    tokens: float = 1e12,
    modules: int = 0,
) -> TrainingWorkload:
    return build(
        TrainingWorkload, architecture=architecture, tokens=tokens, sequence_length=sequence,
        global_batch_sequences=batch, prediction_modules=modules, precision=precision, measured_over_predicted=1,
    )  # fmt: skip


def dgx_a100() -> SuperNode:
    accelerator = build(
        Accelerator, key="nvidia_a100_sxm_80", name="A100 SXM4 80GB", vendor="NVIDIA",
        generation="ampere", peak_flop_per_s=312e12, peak_16_bit_flop_per_s=312e12,
        achievable_16_bit_flop_per_s=271e12, memory_bytes=85899345920,
        memory_bandwidth_bytes_per_s=2.039e12, scale_up_bandwidth_bytes_per_s=300e9,
        scale_up_pair_bandwidth_bytes_per_s=300e9, tdp_w=400, idle_w=50, price_usd=12000,
    )  # fmt: skip
    return build(
        SuperNode, key="dgx_a100_640", name="DGX A100", accelerator=accelerator, accelerators=8, host_memory_bytes=2e12,
        scale_up_domain_accelerators=8, scale_up_topology="switched", scale_up_latency_s=1e-6, nodes=1,
        scale_out_nics=8, scale_out_nic_bandwidth_bytes_per_s=25e9, max_power_w=6500,
        typical_power_w=5000, liquid_share=0, cooling="air", racks=0.25, rack_units=6,
        price_usd=300000, price_is_listed=1, price_includes_nics=True, price_includes_network=0,
    )  # fmt: skip


def pod(accelerators: int, supernode: SuperNode) -> Pod:
    module = build(Transceiver, key="", name="", ports=1, power_w=0, price_usd=0)
    plan = build(
        FabricPlan, topology="none", switch=None, switch_transceiver=module, node_transceiver=module,
        trunk_price_usd=0, nic_price_usd=0, nic_power_w=0, oversubscription=1,
        scalable_unit_supernodes=32, management_ports=0, planes=1,
    )  # fmt: skip
    return Pod(
        supernodes=accelerators / supernode.accelerators, accelerators_used=number(accelerators), fabric=plan
    )


def fabric(supernode: SuperNode, oversubscription: float = 1, unit_supernodes: float = 32) -> Fabric:
    """A non-blocking fabric; only the figures that performance looks at are known."""
    node = supernode
    known: dict[str, Any] = {
        "scale_up_bandwidth_bytes_per_s": node.accelerator.scale_up_bandwidth_bytes_per_s,
        "scale_out_bandwidth_bytes_per_s": node.scale_out_nics
        * node.scale_out_nic_bandwidth_bytes_per_s
        / node.accelerators,
        "oversubscription": number(oversubscription),
        "unit_supernodes": number(unit_supernodes),
        "shared_links": SharedLinks(
            blocks=(
                Block(
                    accelerators=number(unit_supernodes) * node.accelerators,
                    taper=number(oversubscription),
                    others=np.zeros(1),
                ),
            ),
            rails_apart=np.zeros(1),
            strain=np.ones(1),
        ),
        "topology": "rail_fat_tree",
        "tiers": (),
        "bill": (),
    }
    names = Fabric.__dataclass_fields__
    return Fabric(**{name: known.get(name, np.full(1, np.nan)) for name in names})


def assumed(workload: TrainingWorkload, supernode: SuperNode) -> PerformanceAssumptions:
    return assumptions(
        "performance",
        PerformanceAssumptions,
        generation=supernode.accelerator.generation,
        link="nvlink",
        precision=workload.precision,
    )


def job(workload: TrainingWorkload) -> Job:
    return job_of(workload)


def hardware(
    workload: TrainingWorkload, supernode: SuperNode, accelerators: int, assumptions: PerformanceAssumptions
) -> Hardware:
    return hardware_of(
        workload=workload,
        supernode=supernode,
        pod=pod(accelerators, supernode),
        fabric=fabric(supernode),
        assumptions=assumptions,
    )


def timed(
    workload: TrainingWorkload,
    chosen: Layout,
    accelerators: int,
    supernode: SuperNode | None = None,
    assumptions: PerformanceAssumptions | None = None,
) -> StepTime:
    node = supernode or dgx_h100()
    a = assumptions or assumed(workload, node)
    return step_time(
        job=job(workload),
        hardware=hardware(workload, node, accelerators, a),
        strategy=single(chosen, accelerators),
        assumptions=a,
    )


def single(chosen: Layout, accelerators: int) -> Strategy:
    return strategy_of(layout=chosen, accelerators_used=number(accelerators))


def held(
    workload: TrainingWorkload, chosen: Layout, accelerators: int, assumptions: PerformanceAssumptions
) -> Memory:
    return memory(
        job=job(workload),
        strategy=single(chosen, accelerators),
        assumptions=assumptions,
    )


def layer_kept(workload: TrainingWorkload, chosen: Layout, assumptions: PerformanceAssumptions) -> float:
    """What the mean layer keeps of one sequence."""
    kept = layer_activations(
        workload=workload,
        shapes=single(chosen, 1024).shapes,
        tokens=workload.sequence_length,
        selective_recompute=chosen.selective_recompute,
        assumptions=assumptions,
    )
    return float(kept[0])


def evaluated(
    workload: TrainingWorkload, chosen: Layout | None, accelerators: int, supernode: SuperNode | None = None
) -> Performance:
    node = supernode or dgx_h100()
    return evaluate_training(
        workload=workload,
        supernode=node,
        pod=pod(accelerators, node),
        fabric=fabric(node),
        layout=chosen,
        assumptions=assumed(workload, node),
    )


def tokens_per_s_per_accelerator(workload: TrainingWorkload, step: StepTime, accelerators: int) -> Array:
    tokens = workload.global_batch_sequences * workload.sequence_length
    return tokens / step.step_time_s / accelerators


def layouts(workload: TrainingWorkload, node: SuperNode, used: float, space: Space = WHOLE) -> Layouts:
    return Layouts(workload=workload, supernode=node, accelerators_used=number(used), space=space)


def usual_layouts(workload: TrainingWorkload, node: SuperNode, used: float) -> Strategy:
    """Every layout that a search looks through, as one strategy."""
    usual = layouts(workload, node, used, USUAL)
    return usual.at(np.arange(usual.size))
