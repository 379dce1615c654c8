"""A served workload on a pod's accelerators: what every layout of it is computed with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.leaves import leaves
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import MemoryTier
from app.engine.performance.power_cap import under_cap
from app.engine.performance.serving.adapters import adapter_set, load_bytes_per_s
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.kv_cache import cache_tier, cache_tiers, host_tier
from app.engine.performance.serving.machine import HostSide, ServingMachine
from app.engine.performance.serving.served_model import ServedModel, served_model
from app.engine.quantities import quantity
from app.engine.specs import (
    Accelerator,
    HostWeights,
    Kind,
    PartPrecision,
    Pod,
    ServingWorkload,
    SuperNode,
)
from app.engine.trace import Array, plain

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric

AGGREGATED, DISAGGREGATED = "aggregated", "disaggregated"
LAYERS, EXPERTS = "layers", "experts"
"""Parts of a model whose weights may lie in the memory of the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Peaks are those that a power cap leaves. In a mixed pod all is of the kind of SuperNode that decodes."""

    workload: ServingWorkload
    model: ServedModel
    parts: PartPrecision
    machine: ServingMachine
    peak_flop_per_s: Array  # of an accelerator at the precision of the workload
    accelerators_used: Array  # of its kind of SuperNode
    pod_accelerators: Array  # that work, of all kinds
    supernode_accelerators: Array
    supernode_nodes: Array
    assumptions: ServingAssumptions
    tier: MemoryTier | None  # that cached keys and values wait in; None: the accelerators' own
    host: MemoryTier  # the memory of the host
    tiers: tuple[MemoryTier, ...] = ()  # for contexts of sessions, from the nearest down; the last is `tier`
    returned: tuple[
        Array, ...
    ] = ()  # of sessions at a load: share of requests whose context returns from each
    returned_tokens: Array | None = None  # of such a context, system prompt aside
    on: int | None = (
        None  # the kind of SuperNode, by its place in a mixed pod; None where the pod has one kind
    )
    reading: Setting | None = None  # of instances that only prefill, where they are on another kind

    @property
    def prefilling(self) -> Setting:
        """The setting of instances that read prompts, of the same workload."""
        if self.reading is None:
            return self
        return replace(
            self.reading,
            workload=self.workload,
            returned=self.returned,
            returned_tokens=self.returned_tokens,
        )


@quantity(
    unit="1", source="definition: a job that leaves SuperNodes idle leaves the same share of every kind idle"
)
def accelerators_used_of_kind(
    *, accelerators_used: Array, kind_supernodes: Array, pod_supernodes: Array
) -> Array:
    """Accelerators that work of one kind of SuperNode in a mixed pod."""
    return accelerators_used * kind_supernodes / pod_supernodes


def settings_of(
    *,
    workload: ServingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: ServingAssumptions,
    of_chips: PerformanceAssumptions,
    kinds: tuple[Kind, ...] = (),
) -> tuple[Setting, ...]:
    """What a workload may be served with: one setting, but where a mixed pod leaves open what runs on which kind.

    Kinds that do not differ in anything that serving depends on are one, unless the layout says what runs on which.
    """
    common: dict[str, Any] = {"pod": pod, "fabric": fabric}
    if not kinds:
        return (
            setting_of(
                workload=workload, supernode=supernode, assumptions=assumptions, of_chips=of_chips, **common
            ),
        )
    each = tuple(
        replace(
            setting_of(
                workload=replace(workload, parts=kind.parts or workload.parts),
                supernode=kind.supernode,
                assumptions=kind.serving,
                of_chips=kind.performance,
                **common,
            ),
            workload=workload,
            on=place,
            accelerators_used=accelerators_used_of_kind(
                accelerators_used=pod.accelerators_used,
                kind_supernodes=kind.supernodes,
                pod_supernodes=pod.supernodes,
            ),
        )
        for place, kind in enumerate(kinds)
    )
    plan = workload.plan
    stated = plan is not None and (plan.decode_on, plan.prefill_on) != (None, None)
    if not stated and _alike(each):
        return (replace(each[0], on=None, accelerators_used=pod.accelerators_used),)
    return tuple(
        decode if prefill is decode else replace(decode, reading=prefill)
        for decode, prefill in _assignments(each, workload)
    )


def _assignments(each: tuple[Setting, ...], workload: ServingWorkload) -> list[tuple[Setting, Setting]]:
    """Kinds that decode and that prefill; the same one where one instance does both."""
    plan = workload.plan

    def on(stated: int | None) -> tuple[Setting, ...]:
        return each if stated is None else (each[stated],)

    if plan is None:
        return [
            (decode, prefill)
            for decode in each
            for prefill in each
            if prefill is decode or workload.mode != AGGREGATED
        ]
    if plan.prefill is None:
        return [(decode, decode) for decode in on(plan.decode_on)]
    return [(decode, prefill) for decode in on(plan.decode_on) for prefill in on(plan.prefill_on)]


def _alike(each: tuple[Setting, ...]) -> bool:
    """Return whether an instance is the same on every kind."""

    def facts(setting: Setting) -> list[Any]:
        parts = (setting.machine, setting.parts, setting.assumptions, setting.tier)
        of_supernode = [setting.peak_flop_per_s, setting.supernode_accelerators]
        return [plain(value) for _, value in leaves(parts)] + [plain(value) for value in of_supernode]

    first, *others = map(facts, each)
    return all(
        len(first) == len(other)
        and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(first, other, strict=True))
        for other in others
    )


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
            shared_links=fabric.shared_links,
            host=_host_side(workload.host_weights, host, assumptions),
        ),
        peak_flop_per_s=accelerator.peak_flop_per_s,
        accelerators_used=pod.accelerators_used,
        pod_accelerators=pod.accelerators_used,
        supernode_accelerators=supernode.accelerators,
        supernode_nodes=supernode.nodes,
        assumptions=assumptions,
        tier=cache_tier(workload.requests.cache_tier, supernode, of_chips),
        tiers=cache_tiers(workload.requests.cache_tier, supernode, of_chips)
        if workload.requests.sessions is not None
        else (),
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
        reading=None if setting.reading is None else with_host_weights(setting.reading, weights),
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
