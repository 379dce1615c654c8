"""Models, layouts and formats that several tests of serving memory use; figures as in the catalog."""

from __future__ import annotations

from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.memory_assumptions import ServingMemoryAssumptions
from app.engine.specs import Architecture, PartPrecision, ServingLayout
from tests.support import build

GB200_BYTES = 198_674_743_296  # 189,471 MiB, as nvidia-smi shows
H100_BYTES = 85_520_809_984
NO_EXPERTS = {
    "experts": 0, "experts_per_token": 0, "shared_experts": 0, "expert_hidden": 0, "expert_layers": 0,
}  # fmt: skip
NO_LATENT = {
    "latent_query_rank": 0, "latent_kv_rank": 0, "latent_nope_dim": 0, "latent_rope_dim": 0,
    "latent_value_dim": 0,
}  # fmt: skip


def llama_70b() -> Architecture:
    return build(
        Architecture, key="llama_3_1_70b", name="Llama 3.1 70B", attention="gqa", layers=80,
        attention_layers=80, hidden=8192, heads=64, kv_heads=8, head_dim=128, vocabulary=128256,
        tied_embedding=0, feed_forward_hidden=28672, mlp_matrices=3, window_layers=0, window_tokens=0,
        published_parameters=70.6e9, **NO_EXPERTS, **NO_LATENT,
    )  # fmt: skip


def gpt_oss() -> Architecture:
    return build(
        Architecture, key="gpt_oss_120b", name="gpt-oss-120b", attention="gqa", layers=36,
        attention_layers=36, hidden=2880, heads=64, kv_heads=8, head_dim=64, vocabulary=201088,
        tied_embedding=0, feed_forward_hidden=2880, mlp_matrices=3, experts=128, experts_per_token=4,
        shared_experts=0, expert_hidden=2880, expert_layers=36, window_layers=18, window_tokens=128,
        published_parameters=117e9, **NO_LATENT,
    )  # fmt: skip


def hybrid() -> Architecture:
    """Qwen3.5-397B: 45 of 60 layers are recurrent, with a state of 64 heads of 128 x 128."""
    return build(
        Architecture, key="qwen3_5", name="Qwen3.5 397B", attention="gqa", layers=60, attention_layers=15,
        hidden=4096, heads=32, kv_heads=2, head_dim=256, vocabulary=248320, tied_embedding=0,
        feed_forward_hidden=1024, mlp_matrices=3, experts=512, experts_per_token=10, shared_experts=1,
        expert_hidden=1024, expert_layers=60, window_layers=0, window_tokens=0, published_parameters=397e9,
        linear_layers=45, linear_layer_parameters=118013952, linear_state_elements=1048576, **NO_LATENT,
    )  # fmt: skip


def layout(
    tp: float = 1, dp: float = 1, pp: float = 1, ep: float = 1, copies: float = 0, cp: float = 1
) -> ServingLayout:
    return build(
        ServingLayout, tensor_parallel=tp, data_parallel=dp, pipeline_parallel=pp, expert_parallel=ep,
        redundant_experts=copies, context_parallel=cp,
    )  # fmt: skip


def parts(
    dense: float = 2, expert: float = 2, head: float = 2, kv: float = 2, sent: float = 1
) -> PartPrecision:
    return build(
        PartPrecision, dense_parameter_bytes=dense, expert_parameter_bytes=expert, head_parameter_bytes=head,
        kv_element_bytes=kv, exchange_element_bytes=sent, dense_peak_flop_per_s=1e15,
        expert_peak_flop_per_s=1e15,
    )  # fmt: skip


def machine(memory_bytes: float) -> ServingMachine:
    return build(
        ServingMachine, memory_bytes=memory_bytes, memory_bandwidth_bytes_per_s=8e12,
        peak_16_bit_flop_per_s=2.5e15, scale_up_bandwidth_bytes_per_s=9e11,
        scale_out_bandwidth_bytes_per_s=5e10, domain_accelerators=72,
    )  # fmt: skip


def assumed(**changes: float) -> ServingMemoryAssumptions:
    usual = {
        "memory_fraction": 0.9, "reserved_memory_bytes": 3e9, "kv_block_tokens": 16,
        "index_element_bytes": 132 / 128, "state_element_bytes": 4, "chunk_tokens": 8192,
        "residual_copies": 4, "logit_element_bytes": 4, "exchange_buffers": 4,
    }  # fmt: skip
    return build(ServingMemoryAssumptions, **(usual | changes))
