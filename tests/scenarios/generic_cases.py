"""Scenarios of generic jobs, by what is changed of them."""

from __future__ import annotations

from typing import Any

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario

WORKLOAD: dict[str, Any] = {
    "kind": "generic",
    "name": "Stencil",
    "flop_per_step": 4e15,
    "memory_traffic_per_step_bytes": 1e15,
    "memory_held_bytes": 1e12,
    "steps": 1000,
    "precision": "fp32",
    "compute_efficiency": 0.5,
    "communication": [
        {"pattern": "halo_exchange", "grid_points": [4096, 4096, 4096], "halo_width": 4},
        {"pattern": "all_to_all", "bytes": 1e12},
        {"pattern": "all_reduce", "bytes": 8},
    ],
}


def document(
    supernodes: int = 8, accelerator: dict[str, Any] | None = None, **workload: Any
) -> dict[str, Any]:
    """A job on so many DGX H100; `accelerator` overrides facts of it."""
    supernode: dict[str, Any] = {"system": "dgx_h100"}
    if accelerator:
        supernode["override"] = {"accelerator": accelerator}
    return {
        "workload": WORKLOAD | workload,
        "supernode": supernode,
        "pod": {"supernodes": supernodes},
        "facility": {"site": "ashburn"},
    }


def evaluated(catalog: Catalog, supernodes: int = 8, **changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(document(supernodes, **changes)), catalog)
