"""The handful of inputs that people want to see beside the figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.mixed import all_kinds, blended
from app.engine.specs import Design, GenericWorkload, Kind, ServingWorkload, Sharing, TrainingWorkload


def inputs_summary(design: Design) -> dict[str, Any]:
    """Names and sizes of a design as plain JSON values; unknown as None.

    Where workloads share the pod, `workload` is the first and `sharing` tells how. Of a pod with several kinds of SuperNode those of their mean, with the kinds under `pod.kinds`.
    """
    kinds = all_kinds(design)
    design = blended(design, kinds)
    switch, economics = design.pod.fabric.switch, design.economics
    recovery = design.assumptions.rooms["operations"]
    accelerator, supernode, workload = design.supernode.accelerator, design.supernode, design.workload
    return {
        "workload": _workload(workload),
        "accelerator": {
            "name": accelerator.name,
            "vendor": accelerator.vendor,
            "peak_flop_per_s": _number(accelerator.peak_flop_per_s),
            "memory_bytes": _number(accelerator.memory_bytes),
            "memory_bandwidth_bytes_per_s": _number(accelerator.memory_bandwidth_bytes_per_s),
        },
        "supernode": {
            "name": supernode.name,
            "accelerators": _number(supernode.accelerators),
            "nodes": _number(supernode.nodes),
            "racks": _number(supernode.racks),
            "scale_out_nics": _number(supernode.scale_out_nics),
            "scale_out_nic_bandwidth_bytes_per_s": _number(supernode.scale_out_nic_bandwidth_bytes_per_s),
            "scale_up_topology": supernode.scale_up_topology,
            "cooling": supernode.cooling,
        },
        "pod": {
            "supernodes": _number(design.pod.supernodes),
            "accelerators_used": _number(design.pod.accelerators_used),
            "switch": switch.name if switch else None,
            "switch_port_bandwidth_bytes_per_s": _number(switch.port_bandwidth_bytes_per_s)
            if switch
            else None,
            "kinds": [_kind(kind) for kind in kinds],
        },
        "site": {"name": design.facility.site.name, "redundancy": design.facility.redundancy},
        "economics": {
            "life_years": _number(economics.life_years),
            "wacc": _number(economics.wacc),
            "utilisation": _number(economics.utilisation),
            "rental_on_demand_usd_per_accelerator_hour": _number(
                economics.rental_on_demand_usd_per_accelerator_hour
            ),
            "rental_reserved_usd_per_accelerator_hour": _number(
                economics.rental_reserved_usd_per_accelerator_hour
            ),
        },
        "operations": {
            "checkpoint": design.operations.checkpoint,
            "local_recovery_share": _number(recovery.local_recovery_share),
        },
        **_sharing(design.sharing),
    }


def _sharing(sharing: Sharing | None) -> dict[str, Any]:
    """How workloads share the pod, with what the scenario states of each; nothing where one has it to itself."""
    if sharing is None:
        return {}
    others = [
        {"name": other.name, "share": _number(other.share), "workload": _workload(other.workload)}
        for other in sharing.others
    ]
    return {"sharing": {"by": sharing.by, "first_name": sharing.first_name, "others": others}}


def _kind(kind: Kind) -> dict[str, Any]:
    accelerator = kind.supernode.accelerator
    return {
        "name": kind.supernode.name,
        "supernodes": _number(kind.supernodes),
        "accelerator": accelerator.name,
        "peak_flop_per_s": _number(accelerator.peak_flop_per_s),
        "memory_bytes": _number(accelerator.memory_bytes),
        "max_power_w": _number(kind.supernode.max_power_w),
        "price_usd": _number(kind.supernode.price_usd),
    }


def _workload(workload: TrainingWorkload | GenericWorkload | ServingWorkload) -> dict[str, Any]:
    if isinstance(workload, ServingWorkload):
        return _served(workload)
    if isinstance(workload, GenericWorkload):
        return {
            "kind": "generic",
            "name": workload.name,
            "scaling": "strong" if workload.strong[0] > 0 else "weak",
            "flop_per_step": _number(workload.flop_per_step),
            "memory_traffic_per_step_bytes": _number(workload.memory_traffic_per_step_bytes),
            "memory_held_bytes": _number(workload.memory_held_bytes),
            "steps": _number(workload.steps),
            "patterns": [pattern.name for pattern in workload.patterns],
            "precision": workload.precision,
        }
    return {
        "kind": "training",
        "model": workload.architecture.name,
        "tokens": _number(workload.tokens),
        "sequence_length": _number(workload.sequence_length),
        "global_batch_sequences": _number(workload.global_batch_sequences),
        "precision": workload.precision,
    }


def _served(workload: ServingWorkload) -> dict[str, Any]:
    requests, level, demand = workload.requests, workload.level, workload.demand
    return {
        "kind": "serving",
        "model": workload.architecture.name,
        "engine": workload.engine,
        "precision": workload.precision,
        "context_tokens": _number(workload.context_tokens),
        "input_tokens": _number(requests.input_tokens),
        "output_tokens": _number(requests.output_tokens),
        "cached_share": None if requests.sessions is not None else _number(requests.cached_share),
        "shared_prefix_tokens": _number(requests.shared_prefix_tokens),
        "cache_tier": requests.cache_tier,
        "speculated_tokens": None if workload.speculation.auto else _number(workload.speculation.tokens),
        "concurrency": None if workload.concurrency is None else _number(workload.concurrency),
        "requests_per_s": None if demand is None else _number(demand.requests_per_s),
        "peak_to_mean": None if demand is None else _number(demand.peak_to_mean),
        "promised_ttft_s": _number(level.ttft_s),
        "promised_tpot_s": _number(level.tpot_s),
        "promised_percentile": _number(level.percentile),
        "promised_availability": _number(level.availability),
        "n_plus": _number(level.n_plus),
        "failure_domain": level.failure_domain,
    }


def _number(array: Any) -> float | int | None:
    value = float(array[0])
    if not np.isfinite(value):
        return None
    return int(value) if value.is_integer() else value
