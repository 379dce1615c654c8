"""A served workload on a pod's accelerators: what every layout of it is computed with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import MemoryTier
from app.engine.performance.power_cap import under_cap
from app.engine.performance.serving.adapters import adapter_set, load_bytes_per_s
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.cache_tier import cache_tier, host_tier
from app.engine.performance.serving.machine import HostSide, ServingMachine
from app.engine.performance.serving.served_model import ServedModel, served_model
from app.engine.specs import Accelerator, HostWeights, PartPrecision, Pod, ServingWorkload, SuperNode
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric

LAYERS, EXPERTS = "layers", "experts"
"""Parts of a model whose weights may lie in the memory of the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Peaks are those that a power cap leaves."""

    workload: ServingWorkload
    model: ServedModel
    parts: PartPrecision
    machine: ServingMachine
    accelerators_used: Array
    supernode_accelerators: Array
    assumptions: ServingAssumptions
    tier: MemoryTier | None  # that cached keys and values wait in; None: the accelerators' own
    host: MemoryTier  # the memory of the host


def setting_of(
    *,
    workload: ServingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: ServingAssumptions,
    of_chips: PerformanceAssumptions,
) -> Setting:
    """The setting of a served workload on a pod."""
    accelerator = supernode.accelerator
    parts = _capped_parts(workload.parts, accelerator, of_chips)
    host = host_tier(supernode, of_chips)
    return Setting(
        workload=workload,
        model=_model(workload, host),
        parts=parts,
        machine=ServingMachine(
            memory_bytes=accelerator.memory_bytes,
            memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
            peak_16_bit_flop_per_s=under_cap(accelerator.peak_16_bit_flop_per_s, accelerator, of_chips),
            scale_up_bandwidth_bytes_per_s=accelerator.scale_up_bandwidth_bytes_per_s,
            scale_out_bandwidth_bytes_per_s=fabric.scale_out_bandwidth_bytes_per_s,
            domain_accelerators=supernode.scale_up_domain_accelerators,
            unit_accelerators=fabric.unit_supernodes * supernode.accelerators,
            oversubscription=fabric.oversubscription,
            host=_host_side(workload.host_weights, host, assumptions),
        ),
        accelerators_used=pod.accelerators_used,
        supernode_accelerators=supernode.accelerators,
        assumptions=assumptions,
        tier=cache_tier(workload.requests.cache_tier, supernode, of_chips),
        host=host,
    )


def _model(workload: ServingWorkload, host: MemoryTier) -> ServedModel:
    own = replace(
        served_model(workload.architecture), bidirectional=workload.bidirectional, encoder=workload.encoder
    )
    if workload.adapters is None:
        return own
    rate = load_bytes_per_s(
        link_bytes_per_s=host.link_bytes_per_s, memory_bytes_per_s=host.medium_bytes_per_s
    )
    return replace(own, adapters=adapter_set(workload.adapters, workload.architecture, rate))


def with_host_weights(setting: Setting, weights: HostWeights | None) -> Setting:
    """The setting with other weights in the memory of the host."""
    return replace(
        setting,
        workload=replace(setting.workload, host_weights=weights),
        machine=replace(setting.machine, host=_host_side(weights, setting.host, setting.assumptions)),
    )


def _host_side(weights: HostWeights | None, host: MemoryTier, a: ServingAssumptions) -> HostSide | None:
    if weights is None:
        return None
    none = 0 * weights.share
    return HostSide(
        capacity_bytes=host.capacity_bytes,
        link_bytes_per_s=host.link_bytes_per_s,
        memory_bytes_per_s=host.medium_bytes_per_s,
        flop_per_s=a.host_flop_per_s,
        crossing_s=a.host_crossing_s,
        pass_tokens=a.host_pass_tokens,
        dense_share=weights.share if weights.way.part == LAYERS else none,
        expert_share=weights.share,
        computed=weights.way.computed,
        prefill_crosses=weights.way.prefill_crosses,
    )


def _capped_parts(
    parts: PartPrecision, accelerator: Accelerator, of_chips: PerformanceAssumptions
) -> PartPrecision:
    if accelerator.power_cap is None:
        return parts
    return replace(
        parts,
        dense_peak_flop_per_s=under_cap(parts.dense_peak_flop_per_s, accelerator, of_chips),
        expert_peak_flop_per_s=under_cap(parts.expert_peak_flop_per_s, accelerator, of_chips),
    )
