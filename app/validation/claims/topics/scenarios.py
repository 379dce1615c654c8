"""Scenarios that claims are computed with, beside the worked examples."""

from __future__ import annotations

from typing import Any


def dgx_h100_pod(servers: int) -> dict[str, Any]:
    """So many DGX H100 at work on a model that any number of them trains."""
    return {
        "name": f"{servers} DGX H100 of a claim",
        "workload": {
            "kind": "training",
            "model": "llama_3_1_8b",
            "tokens": 100e9,
            "sequence_length": 8192,
            "global_batch_sequences": 16 * servers,
            "precision": "bf16",
        },
        "supernode": {"system": "dgx_h100"},
        "pod": {"supernodes": servers},
    }


DGX_UNIT = dgx_h100_pod(32)
"""One scalable unit of a DGX SuperPOD."""

DGX_1000 = dgx_h100_pod(125)
"""A thousand GPUs."""
