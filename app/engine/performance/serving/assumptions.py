"""Modelling constants of serving; values and sources are rows of the assumptions table."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.performance.serving.memory_assumptions import ServingMemoryAssumptions
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingAssumptions(ServingMemoryAssumptions):
    """What the latency model assumes, chosen for the engine, the generation and the formats at hand."""

    weight_read_efficiency: Array  # of the memory bandwidth of the data sheet, as the two below
    expert_read_efficiency: Array
    kv_read_efficiency: Array
    latent_read_ratio: Array  # of latent attention over that
    expert_read_overhead_bytes: (
        Array  # what starting on an expert's weights costs, as bytes at full bandwidth
    )
    expert_spread: Array  # of the busiest expert-parallel rank, in standard deviations of even routing
    expert_popularity: (
        Array  # standard deviation over mean of what experts are asked for, as long as a text lasts
    )
    permute_passes: Array  # over hidden states of the tokens that go to experts, and come back
    decode_matmul_efficiency: Array  # of the dense peak at the format of the part, as all below
    decode_expert_efficiency: Array
    decode_16_bit_efficiency: Array
    decode_attention_efficiency: Array
    prefill_matmul_efficiency: Array
    prefill_expert_efficiency: Array
    expert_half_width: Array  # of a slice of an expert, at which its products reach half as much
    two_batch_overlap: Array  # 1 where the engine computes one half of a batch while it exchanges the other
    prefill_attention_efficiency: Array
    prefill_dense_format_ratio: Array  # of formats whose peak is hard to reach
    prefill_expert_format_ratio: Array
    dense_dequantise_ratio: Array  # rate of products whose weights are dequantised on the way, over 16 bit
    expert_dequantise_ratio: Array
    kernel_time_s: Array  # of the engine on Hopper at the reference date, beyond what roofline counts
    kernel_time_ratio: Array  # of other generations
    kernel_gain_per_year: Array
    engine_reference_year: Array
    engine_first_year: Array  # of the dates that the engine was measured at
    engine_last_year: Array
    attention_kernels: Array  # of a layer, as all below
    query_key_norm_kernels: Array
    wide_norm_kernels: Array
    latent_attention_kernels: Array
    index_kernels: Array
    linear_attention_kernels: Array
    feed_forward_kernels: Array
    expert_kernels: Array
    expert_kernel_ratio: Array  # of the engine
    shared_expert_kernels: Array
    quantise_kernels: Array
    all_reduce_latency_s: Array
    all_reduce_growth: Array  # of the latency, for each doubling of ranks
    all_reduce_bandwidth_share: Array
    across_domain_latency_s: Array
    dispatch_latency_s: Array
    dispatch_bandwidth_share: Array  # of the scale-up link, where tokens go straight to their experts
    forward_bandwidth_share: Array  # where prompts are sent once a domain and passed on
    across_bandwidth_share: Array  # of the scale-out link
    across_exposed: Array  # share of exchange beyond the domain that no other batch hides
    decode_step_overhead_s: Array
    sequence_overhead_s: Array
    prefill_interference: Array
    promise_margin: Array  # of percentiles of random arrivals below a promise
    prefill_interference_attention_parallel: Array
    prefill_kernel_time_s: Array
    first_token_overhead_s: Array
    first_token_steps: Array
    first_token_prefills: Array
    burst_share: Array
    burst_attention_parallel: Array
    disaggregated_overhead_s: Array
    disaggregated_burst: Array
    disaggregated_prefill_ratio: Array
    kv_transfer_bandwidth_share: Array  # of the links of the ranks that send and receive
    kv_transfer_overhead_s: Array
    prompt_chunks_follow: Array  # 1: chunks of a prompt follow one another through pipeline stages
    kv_transfer_grain: Array  # 0: sent after the prefill; 1: with each of its passes; 2: with each layer
    encoder_kernels: Array  # of a layer of an encoder of images or sound
    host_flop_per_s: Array  # that processors of the host reach in matrix products, for each accelerator
    host_crossing_s: Array  # of handing work to the host and taking its result back
    host_pass_tokens: Array  # most tokens that weights in the host cross the link for once
