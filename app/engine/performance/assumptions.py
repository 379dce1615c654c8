"""Modelling constants of this room; values and sources are rows of the assumptions table."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceAssumptions:
    """What the step-time and memory models assume, chosen for the generation and precision at hand."""

    matmul_fraction: Array
    reference_power_per_flop_j: Array
    power_exponent: Array
    power_cap_loss: Array
    power_cap_knee: Array
    matmul_ratio: Array
    matmul_ratio_16_bit: Array
    matmul_element_bytes: Array
    kept_16_bit_share: Array
    input_gradient_16_bit: Array
    weight_gradient_16_bit: Array
    software_efficiency: Array
    matmul_depth_overhead_elements: Array
    multiprocessors: Array
    matmul_wave_waste: Array
    matmul_block_elements: Array
    fused_attention: Array
    attention_fraction: Array
    attention_saturation_tokens: Array
    attention_backward_ratio: Array
    attention_score_passes: Array
    memory_bandwidth_fraction: Array
    host_link_bytes_per_s: Array
    host_memory_bandwidth_bytes_per_s: Array
    peer_memory_bytes: Array
    drive_bytes: Array
    drive_bandwidth_bytes_per_s: Array
    residual_passes: Array
    norm_passes: Array
    projection_passes: Array
    activation_passes: Array
    elementwise_ratio: Array
    quantise_element_bytes: Array
    permute_passes: Array
    loss_logit_bytes: Array
    embedding_passes: Array
    optimizer_traffic_parameter_bytes: Array
    kernel_launch_s: Array
    layer_kernels: Array
    cast_kernels: Array
    expert_layer_kernels: Array
    local_expert_kernels: Array
    local_expert_cast_kernels: Array
    collective_kernels: Array
    context_turn_kernels: Array
    step_overhead_s: Array
    tensor_gather_element_bytes: Array
    tensor_parallel_exposed: Array
    expert_parallel_exposed: Array
    paired_exchange_exposed: Array
    pipeline_transfer_exposed: Array
    expert_imbalance: Array
    grouped_matmul_ratio: Array
    selective_share: Array
    selective_kept_share: Array
    data_parallel_overlap: Array
    data_parallel_never_hidden: Array
    shard_units_per_layer: Array
    shard_rank_s: Array
    shard_prefetched_layers: Array
    level_overlap: Array
    forward_overlap: Array
    straggler_per_decade: Array
    scale_up_efficiency: Array
    link_sharers: Array
    host_staging_bytes_per_s: Array
    in_switch_efficiency: Array
    in_switch_reduction_ranks: Array
    collective_launch_s: Array
    scale_up_hop_s: Array
    collective_full_pipeline_s: Array
    own_part: Array
    scale_out_efficiency: Array
    scale_out_hop_s: Array
    domain_nics: Array
    gradient_bucket_bytes: Array
    gradient_bucket_replica_bytes: Array
    dispatch_element_bytes: Array
    expert_launch_s: Array
    expert_handling_bytes_per_s: Array
    routing_domains: Array
    weight_parameter_bytes: Array
    gradient_parameter_bytes: Array
    optimizer_parameter_bytes: Array
    selective_activation_element_bytes: Array
    dropout_mask_bytes: Array
    logit_memory_bytes: Array
    memory_margin: Array
    reserved_memory_bytes: Array
    fragmentation: Array
