"""What the hardware sustains: rates and bandwidths that step time is computed with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.offload import host_memory_share_bytes
from app.engine.quantities import quantity
from app.engine.specs import Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric

_MATMUL = "[1] Bekman, Machine Learning Engineering, maximum achievable matmul FLOPS"
_RING = "[1] NVIDIA nccl-tests, doc/PERFORMANCE.md (bus bandwidth)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """Sustained rates of one accelerator and its place among the others."""

    matmul_flop_per_s: Array
    matmul_16_bit_flop_per_s: Array
    attention_flop_per_s: Array
    memory_bandwidth_bytes_per_s: Array
    memory_bytes: Array
    host_memory_bytes: Array  # for each accelerator
    scale_up_bandwidth_bytes_per_s: Array
    scale_up_pair_bandwidth_bytes_per_s: Array
    scale_up_topology: str
    domain_accelerators: Array
    scale_out_bandwidth_bytes_per_s: Array
    across_units_bandwidth_bytes_per_s: Array
    accelerators_used: Array
    nodes_used: Array


@quantity(unit="1", source="[1] Patel et al. 2024, arXiv 2308.12908 (matmul clocks under a power cap)")
def power_capped_share(
    *,
    tdp_w: Array,
    peak_16_bit_flop_per_s: Array,
    reference_power_per_flop_j: Array,
    power_exponent: Array,
) -> Array:
    """Rate of a part with less power to each FLOP than the measured part of its generation.

    (P / peak over that of the reference)^e, at most 1: clocks fall with the power that is allowed.
    1 where there is no reference or the power is not known.
    """
    share = tdp_w / peak_16_bit_flop_per_s / reference_power_per_flop_j
    known = (reference_power_per_flop_j > 0) & (share < 1)
    return np.where(known, np.where(known, share, 1.0) ** power_exponent, 1.0)


@quantity(unit="1", source=_MATMUL)
def achievable_matmul_fraction(
    *,
    achievable_16_bit_flop_per_s: Array,
    peak_16_bit_flop_per_s: Array,
    matmul_fraction: Array,
    power_capped_share: Array,
) -> Array:
    """Best matmul rate over the peak.

    Measured at 16 bit where somebody did, else that of its generation, less where power is capped.
    """
    measured = achievable_16_bit_flop_per_s / peak_16_bit_flop_per_s
    return np.where(np.isnan(measured), matmul_fraction * power_capped_share, measured)


@quantity(unit="FLOP/s", source=_MATMUL)
def sustained_matmul_flop_per_s(
    *, peak_flop_per_s: Array, achievable_fraction: Array, ratio: Array, software_efficiency: Array
) -> Array:
    """Matmul rate of large shapes in training.

    Peak x best measured fraction x what training reaches of it at this precision x what the software
    reaches of that.
    """
    return peak_flop_per_s * achievable_fraction * ratio * software_efficiency


@quantity(unit="FLOP/s", source="[1] Dao 2023, arXiv 2307.08691")
def sustained_attention_flop_per_s(
    *,
    peak_16_bit_flop_per_s: Array,
    attention_fraction: Array,
    sequence_length: Array,
    saturation_tokens: Array,
    achievable_16_bit_flop_per_s: Array,
    power_capped_share: Array,
) -> Array:
    """Fused attention rate.

    16-bit peak x fraction x s / (s + s_half): attention stays at 16 bit whatever the precision, short
    sequences do not fill the kernel, and an unmeasured part with capped power is slower.
    """
    filled = sequence_length / (sequence_length + saturation_tokens)
    capped = np.where(np.isnan(achievable_16_bit_flop_per_s), power_capped_share, 1.0)
    return peak_16_bit_flop_per_s * attention_fraction * capped * filled


@quantity(unit="B/s", source="[1] McCalpin, STREAM benchmark (reached over peak bandwidth)")
def sustained_memory_bandwidth_bytes_per_s(
    *, memory_bandwidth_bytes_per_s: Array, memory_bandwidth_fraction: Array
) -> Array:
    """Memory bandwidth reached by streaming kernels."""
    return memory_bandwidth_bytes_per_s * memory_bandwidth_fraction


@quantity(unit="B/s", source=_RING)
def sustained_scale_up_bandwidth_bytes_per_s(
    *, scale_up_bandwidth_bytes_per_s: Array, scale_up_efficiency: Array
) -> Array:
    """Scale-up bandwidth of large messages, per accelerator."""
    return scale_up_bandwidth_bytes_per_s * scale_up_efficiency


@quantity(unit="B/s", source=_RING)
def sustained_pair_bandwidth_bytes_per_s(
    *, scale_up_pair_bandwidth_bytes_per_s: Array, scale_up_efficiency: Array
) -> Array:
    """Scale-up bandwidth between two accelerators."""
    return scale_up_pair_bandwidth_bytes_per_s * scale_up_efficiency


@quantity(unit="B/s", source=_RING)
def sustained_scale_out_bandwidth_bytes_per_s(
    *, scale_out_bandwidth_bytes_per_s: Array, scale_out_efficiency: Array
) -> Array:
    """Scale-out bandwidth of large messages, per accelerator."""
    return scale_out_bandwidth_bytes_per_s * scale_out_efficiency


@quantity(unit="B/s", source="[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901")
def across_units_bandwidth_bytes_per_s(
    *,
    scale_out_bandwidth_bytes_per_s: Array,
    oversubscription: Array,
    accelerators_used: Array,
    unit_accelerators: Array,
) -> Array:
    """Scale-out bandwidth of exchanges over the whole job.

    Divided by the oversubscription when the job is larger than one scalable unit: pessimistic, as
    if all of the traffic left the unit. Where there is no fabric there are no units to leave.
    """
    leaves_unit = (unit_accelerators > 0) & (accelerators_used > unit_accelerators)
    # An unknown unit is an unknown bandwidth, not one without oversubscription.
    known = np.where(np.isnan(unit_accelerators), np.nan, 1.0)
    return scale_out_bandwidth_bytes_per_s * known / np.where(leaves_unit, oversubscription, 1.0)


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


@quantity(unit="B/s", source=_RING)
def mesh_bandwidth_bytes_per_s(
    *, ranks: Array, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of a group in a full mesh.

    The links to the other members of the group: (n - 1) pairs, at most all links.
    """
    reached = np.minimum(np.maximum(ranks - 1, 1) * pair_bandwidth_bytes_per_s, full_bandwidth_bytes_per_s)
    # Where nobody published the rate of a pair, the group is taken to reach all links.
    return np.where(np.isnan(reached), full_bandwidth_bytes_per_s, reached)


@quantity(unit="B/s", source="[1] Jouppi et al. 2023, arXiv 2304.01433 (torus of chips)")
def torus_bandwidth_bytes_per_s(
    *, ranks: Array, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of a group in a torus.

    A compact group of n = 4^d chips closes rings over d dimensions with 2 links each, 2 d = log2(n)
    links; at most all links.
    """
    links = np.log2(np.maximum(ranks, 2))
    reached = np.minimum(links * pair_bandwidth_bytes_per_s, full_bandwidth_bytes_per_s)
    return np.where(np.isnan(reached), full_bandwidth_bytes_per_s, reached)


def hardware_of(
    *,
    workload: TrainingWorkload,
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
    return Hardware(
        matmul_flop_per_s=sustained_matmul_flop_per_s(
            peak_flop_per_s=accelerator.peak_flop_per_s,
            achievable_fraction=fraction,
            ratio=a.matmul_ratio,
            software_efficiency=a.software_efficiency,
        ),
        matmul_16_bit_flop_per_s=sustained_matmul_flop_per_s(
            peak_flop_per_s=accelerator.peak_16_bit_flop_per_s,
            achievable_fraction=fraction,
            ratio=a.matmul_ratio_16_bit,
            software_efficiency=a.software_efficiency,
        ),
        attention_flop_per_s=sustained_attention_flop_per_s(
            peak_16_bit_flop_per_s=accelerator.peak_16_bit_flop_per_s,
            attention_fraction=a.attention_fraction,
            sequence_length=workload.sequence_length,
            saturation_tokens=a.attention_saturation_tokens,
            achievable_16_bit_flop_per_s=accelerator.achievable_16_bit_flop_per_s,
            power_capped_share=capped,
        ),
        memory_bandwidth_bytes_per_s=sustained_memory_bandwidth_bytes_per_s(
            memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
            memory_bandwidth_fraction=a.memory_bandwidth_fraction,
        ),
        memory_bytes=accelerator.memory_bytes,
        host_memory_bytes=host_memory_share_bytes(
            host_memory_bytes=supernode.host_memory_bytes, accelerators=supernode.accelerators
        ),
        scale_up_bandwidth_bytes_per_s=sustained_scale_up_bandwidth_bytes_per_s(
            scale_up_bandwidth_bytes_per_s=accelerator.scale_up_bandwidth_bytes_per_s,
            scale_up_efficiency=a.scale_up_efficiency,
        ),
        scale_up_pair_bandwidth_bytes_per_s=sustained_pair_bandwidth_bytes_per_s(
            scale_up_pair_bandwidth_bytes_per_s=accelerator.scale_up_pair_bandwidth_bytes_per_s,
            scale_up_efficiency=a.scale_up_efficiency,
        ),
        scale_up_topology=supernode.scale_up_topology,
        domain_accelerators=supernode.scale_up_domain_accelerators,
        scale_out_bandwidth_bytes_per_s=scale_out,
        across_units_bandwidth_bytes_per_s=across_units_bandwidth_bytes_per_s(
            scale_out_bandwidth_bytes_per_s=scale_out,
            oversubscription=fabric.oversubscription,
            accelerators_used=pod.accelerators_used,
            unit_accelerators=fabric.unit_supernodes * supernode.accelerators,
        ),
        accelerators_used=pod.accelerators_used,
        nodes_used=nodes_used(
            accelerators_used=pod.accelerators_used,
            supernode_accelerators=supernode.accelerators,
            supernode_nodes=supernode.nodes,
        ),
    )
