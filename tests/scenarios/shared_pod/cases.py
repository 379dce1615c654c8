"""Scenarios in which a training run and a served model share eight DGX H200."""

from __future__ import annotations

from typing import Any

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario

TRAINING: dict[str, Any] = {
    "kind": "training",
    "model": "llama_3_1_8b",
    "tokens": 1e11,
    "sequence_length": 8192,
    "global_batch_sequences": 512,
}
SERVING: dict[str, Any] = {
    "kind": "serving",
    "model": "llama_3_1_70b",
    "precision": "fp8",
    "engine": {"name": "vllm"},
    "mode": "aggregated",
    "requests": {"input_tokens": 1024, "output_tokens": 512},
    "layout": {"tp": 8},
    "concurrency": 64,
}


def other(
    share: float = 0.25, name: str = "Answers", workload: dict[str, Any] | None = None
) -> dict[str, Any]:
    return {"name": name, "share": share, "workload": workload or SERVING}


def values(by: str | None = "day", *others: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """`by` None: the training run alone."""
    sharing = {"by": by, "first_name": "Run", "others": list(others) or [other()]}
    base = {
        "workload": TRAINING,
        "supernode": {"system": "dgx_h200"},
        "pod": {"supernodes": 8},
        "facility": {"site": "stockholm"},
    }
    return base | ({} if by is None else {"sharing": sharing}) | changes


def evaluated(by: str | None = "day", *others: dict[str, Any], **changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values(by, *others, **changes)), ready_catalog())
