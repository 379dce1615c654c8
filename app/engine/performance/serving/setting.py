"""A served workload on a pod's accelerators: what every layout of it is computed with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import MemoryTier
from app.engine.performance.power_cap import under_cap
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.cache_tier import cache_tier, cache_tiers
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.served_model import ServedModel, served_model
from app.engine.specs import Accelerator, PartPrecision, Pod, ServingWorkload, SuperNode
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric


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
    tiers: tuple[MemoryTier, ...] = ()  # that contexts of sessions go down, the last of them `tier`
    returned: tuple[
        Array, ...
    ] = ()  # of sessions at a load: share of requests whose context returns from each
    returned_tokens: Array | None = None  # of such a context, system prompt aside


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
    return Setting(
        workload=workload,
        model=served_model(workload.architecture),
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
        ),
        accelerators_used=pod.accelerators_used,
        supernode_accelerators=supernode.accelerators,
        assumptions=assumptions,
        tier=cache_tier(workload.requests.cache_tier, supernode, of_chips),
        tiers=cache_tiers(workload.requests.cache_tier, supernode, of_chips)
        if workload.requests.sessions is not None
        else (),
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
