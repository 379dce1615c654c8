"""What the hardware sustains: rates and bandwidths that step time is computed with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.engine.fabric.collectives.shared_links import Pattern, SharedLinks, slowdown
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import MemoryTiers, memory_tiers
from app.engine.performance.power_cap import under_cap
from app.engine.performance.sustained_rates import (
    achievable_matmul_fraction,
    mesh_bandwidth_bytes_per_s,
    neighbour_bandwidth_bytes_per_s,
    power_capped_share,
    shared_scale_out_bandwidth_bytes_per_s,
    sustained_attention_flop_per_s,
    sustained_matmul_flop_per_s,
    sustained_memory_bandwidth_bytes_per_s,
    sustained_pair_bandwidth_bytes_per_s,
    sustained_scale_out_bandwidth_bytes_per_s,
    sustained_scale_up_bandwidth_bytes_per_s,
    torus_bandwidth_bytes_per_s,
)
from app.engine.quantities import quantity, unknown
from app.engine.specs import GenericWorkload, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """Sustained rates of one accelerator and its place among the others."""

    matmul_flop_per_s: Array
    matmul_16_bit_flop_per_s: Array
    attention_flop_per_s: Array
    memory_bandwidth_bytes_per_s: Array
    memory_bytes: Array
    tiers: MemoryTiers  # that things may be offloaded to
    scale_up_bandwidth_bytes_per_s: Array
    scale_up_pair_bandwidth_bytes_per_s: Array
    scale_up_topology: str
    domain_accelerators: Array
    scale_out_bandwidth_bytes_per_s: Array
    shared_links: SharedLinks  # of the scale-out fabric
    accelerators_used: Array
    nodes_used: Array


@quantity(unit="1", source="definition")
def nodes_used(*, accelerators_used: Array, supernode_accelerators: Array, supernode_nodes: Array) -> Array:
    """Hosts that the job runs on."""
    return accelerators_used / supernode_accelerators * supernode_nodes


def group_bandwidth_bytes_per_s(*, ranks: Array, hardware: Hardware) -> Array:
    """Scale-up bandwidth that each rank of a group of this size has."""
    if hardware.scale_up_topology == "mesh":
        function = mesh_bandwidth_bytes_per_s
    elif hardware.scale_up_topology == "torus":
        function = torus_bandwidth_bytes_per_s
    else:
        return hardware.scale_up_bandwidth_bytes_per_s
    return function(
        ranks=ranks,
        full_bandwidth_bytes_per_s=hardware.scale_up_bandwidth_bytes_per_s,
        pair_bandwidth_bytes_per_s=hardware.scale_up_pair_bandwidth_bytes_per_s,
    )


def scale_out_of(pattern: Pattern, hardware: Hardware, *, members: Array, inner_ranks: Array) -> Array:
    """Scale-out bandwidth of an exchange between `members` scale-up domains, ranks `inner_ranks` apart."""
    return shared_scale_out_bandwidth_bytes_per_s(
        scale_out_bandwidth_bytes_per_s=hardware.scale_out_bandwidth_bytes_per_s,
        exchange_slowdown=slowdown(
            pattern,
            hardware.shared_links,
            members=members,
            inner_ranks=inner_ranks,
            domain_accelerators=hardware.domain_accelerators,
            accelerators_used=hardware.accelerators_used,
        ),
    )


def working(supernode: SuperNode, pod: Pod) -> SuperNode:
    """The SuperNode as the job sees it: scale-up domains of the accelerators that it uses."""
    used = pod.domain_accelerators_used
    return supernode if used is None else replace(supernode, scale_up_domain_accelerators=used)


def hardware_of(
    *,
    workload: TrainingWorkload | GenericWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
) -> Hardware:
    """The sustained rates of a pod for a workload."""
    accelerator, a = supernode.accelerator, assumptions
    capped = power_capped_share(
        tdp_w=accelerator.tdp_w,
        peak_16_bit_flop_per_s=accelerator.peak_16_bit_flop_per_s,
        reference_power_per_flop_j=a.reference_power_per_flop_j,
        power_exponent=a.power_exponent,
    )
    fraction = achievable_matmul_fraction(
        achievable_16_bit_flop_per_s=accelerator.achievable_16_bit_flop_per_s,
        peak_16_bit_flop_per_s=accelerator.peak_16_bit_flop_per_s,
        matmul_fraction=a.matmul_fraction,
        power_capped_share=capped,
    )
    scale_out = sustained_scale_out_bandwidth_bytes_per_s(
        scale_out_bandwidth_bytes_per_s=fabric.scale_out_bandwidth_bytes_per_s,
        scale_out_efficiency=a.scale_out_efficiency,
    )
    scale_up = sustained_scale_up_bandwidth_bytes_per_s(
        scale_up_bandwidth_bytes_per_s=accelerator.scale_up_bandwidth_bytes_per_s,
        scale_up_efficiency=a.scale_up_efficiency,
    )
    pair = sustained_pair_bandwidth_bytes_per_s(
        scale_up_pair_bandwidth_bytes_per_s=accelerator.scale_up_pair_bandwidth_bytes_per_s,
        scale_up_efficiency=a.scale_up_efficiency,
    )
    memory_bandwidth = sustained_memory_bandwidth_bytes_per_s(
        memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
        memory_bandwidth_fraction=a.memory_bandwidth_fraction,
    )
    matmul = sustained_matmul_flop_per_s(
        peak_flop_per_s=accelerator.peak_flop_per_s,
        achievable_fraction=fraction,
        ratio=a.matmul_ratio,
        software_efficiency=a.software_efficiency,
    )
    matmul_16_bit = sustained_matmul_flop_per_s(
        peak_flop_per_s=accelerator.peak_16_bit_flop_per_s,
        achievable_fraction=fraction,
        ratio=a.matmul_ratio_16_bit,
        software_efficiency=a.software_efficiency,
    )
    # a generic job has no attention, and nothing asks how fast it would be
    attention = (
        unknown()
        if isinstance(workload, GenericWorkload)
        else sustained_attention_flop_per_s(
            peak_16_bit_flop_per_s=accelerator.peak_16_bit_flop_per_s,
            attention_fraction=a.attention_fraction,
            sequence_length=workload.sequence_length,
            saturation_tokens=a.attention_saturation_tokens,
            achievable_16_bit_flop_per_s=accelerator.achievable_16_bit_flop_per_s,
            power_capped_share=capped,
        )
    )
    return Hardware(
        matmul_flop_per_s=under_cap(matmul, accelerator, a),
        matmul_16_bit_flop_per_s=under_cap(matmul_16_bit, accelerator, a),
        attention_flop_per_s=under_cap(attention, accelerator, a),
        memory_bandwidth_bytes_per_s=memory_bandwidth,
        memory_bytes=accelerator.memory_bytes,
        tiers=memory_tiers(
            supernode=supernode,
            neighbour_bytes_per_s=neighbour_bandwidth_bytes_per_s(
                pair_bandwidth_bytes_per_s=pair, full_bandwidth_bytes_per_s=scale_up
            ),
            memory_bandwidth_bytes_per_s=memory_bandwidth,
            assumptions=a,
        ),
        scale_up_bandwidth_bytes_per_s=scale_up,
        scale_up_pair_bandwidth_bytes_per_s=pair,
        scale_up_topology=supernode.scale_up_topology,
        domain_accelerators=working(supernode, pod).scale_up_domain_accelerators,
        scale_out_bandwidth_bytes_per_s=scale_out,
        shared_links=fabric.shared_links,
        accelerators_used=pod.accelerators_used,
        nodes_used=nodes_used(
            accelerators_used=pod.accelerators_used,
            supernode_accelerators=supernode.accelerators,
            supernode_nodes=supernode.nodes,
        ),
    )
