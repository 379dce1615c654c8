"""A layout of the engine as the scenario document states it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES
from app.engine.performance.memory_tiers import HOST, TIERS
from app.engine.performance.schedules import FORMER_KEYS, SCHEDULES
from app.engine.specs import Layout
from app.engine.trace import Array

COUNTS = {
    "tp": "tensor_parallel",
    "pp": "pipeline_parallel",
    "cp": "context_parallel",
    "ep": "expert_parallel",
    "vpp": "virtual_stages",
    "micro_batch": "micro_batch",
    "zero_stage": "zero_stage",
}
"""Numbers of the document -> names of the engine."""
SWITCHES = ("sequence_parallel", "tensor_overlap", "data_overlap")
OFFLOAD = {
    (False, False): "none",
    (True, False): "optimizer",
    (False, True): "activations",
    (True, True): "both",
}
RECOMPUTE = {0.0: "none", 1.0: "full"}


def layout_columns(columns: Mapping[str, Array]) -> dict[str, Array]:
    """The fields of many layouts by the names of `performance.strategy`, as `layout_document` takes them."""
    names = {engine: short for short, engine in COUNTS.items()}
    return {names.get(field.name, field.name): columns[field.name] for field in dataclasses.fields(Layout)}


def layout_document(strategy: Mapping[str, float | None]) -> dict[str, Any]:
    """The fields of `parallelism` that stand for a layout, from `performance.strategy` of an evaluation.

    A layout that was not found, all of it unknown, is an empty document.

    >>> layout_document({"tp": 8.0, "sequence_parallel": 1.0, "recompute": 0.0, "selective_recompute": 1.0})
    {'tp': 8, 'sequence_parallel': True, 'recompute': 'selective'}
    """
    known = {name: value for name, value in strategy.items() if value is not None}
    layout: dict[str, Any] = {name: int(known[name]) for name in COUNTS if name in known}
    layout |= {name: bool(known[name]) for name in SWITCHES if name in known}
    if known.get("zero_stage") == 3 and "reshard" in known:
        layout["reshard"] = "yes" if known["reshard"] else "no"
    if "shard_ranks" in known:
        layout["shard_group"] = int(known["shard_ranks"]) or "all"
    if "expert_tensor_ranks" in known:
        layout["etp"] = int(known["expert_tensor_ranks"]) or "auto"
    if "optimizer_offload" in known:
        away = (bool(known["optimizer_offload"]), bool(known.get("activation_offload")))
        layout["offload"] = OFFLOAD[away]
        if any(away):
            layout["offload_to"] = TIERS[known.get("offload_tier", HOST)]
    if "recompute" in known:
        share = known["recompute"]
        layout["recompute"] = "selective" if known.get("selective_recompute") else RECOMPUTE.get(share, share)
    if "pipeline_inside" in known:
        layout["inside"] = "pipeline" if known["pipeline_inside"] else "data"
    if "context_exchange" in known:
        layout["context"] = CONTEXT_EXCHANGES[known["context_exchange"]]
    if "schedule" in known:
        layout["schedule"] = SCHEDULES[known["schedule"]].key
    elif known.get("zero_bubble"):  # results that were kept before schedules had names
        layout["schedule"] = FORMER_KEYS["zero_bubble"]
    return layout
