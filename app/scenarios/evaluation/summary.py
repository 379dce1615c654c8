"""The handful of inputs that people want to see beside the figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.engine.evaluation import Sections
from app.engine.leaves import leaves, plain_values
from app.engine.mixed import all_kinds, blended
from app.engine.quantities import quantity_at
from app.engine.specs import Design, GenericWorkload, Kind, ServingWorkload, Sharing, TrainingWorkload
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten


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
            "rental_contract_usd_per_accelerator_hour": _number(
                economics.renting.contract_usd_per_accelerator_hour
            ),
            "compared_with": economics.renting.compared_with,
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


def chosen_figures(
    stated: Sequence[str], sections: Sections, *, default: Sequence[str], field: str
) -> tuple[str, ...]:
    """The figures stated in a field, each of one value a design and named once; where none are, those of the default.

    Raises
    ------
    ScenarioError : the evaluation has no such figure, or one of many values
    """
    known = {path: np.size(figure) for path, figure in leaves(sections)}
    if not stated:
        return tuple(path for path in default if path in known)
    for place, path in enumerate(stated):
        if path not in known:
            raise refuse(
                f"{shorten(path)} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path=f"{field}[{place}]",
                value=path,
                hint=f"Nearest: {nearest_names(path, known)}.",
            )
        if known[path] != 1:
            raise refuse(
                f"{path!r} has {known[path]:,} values for one design.",
                rule="one_value",
                path=f"{field}[{place}]",
                value=path,
                hint="Choose a figure of one value.",
            )
    return tuple(dict.fromkeys(stated))


def figure_values(stated: Sequence[str], sections: Sections, *, field: str) -> dict[str, Any]:
    """The values of the figures stated in a field, as an evaluation shows them; None where this design has none.

    Raises
    ------
    ScenarioError : no evaluation has such a figure
    """
    known = dict(leaves(sections))
    for place, path in enumerate(stated):
        if path not in known and quantity_at(path) is None:
            raise refuse(
                f"{shorten(path)} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path=f"{field}[{place}]",
                value=path,
                hint=f"Nearest: {nearest_names(path, known)}.",
            )
    return {path: plain_values(known[path], path) if path in known else None for path in stated}
