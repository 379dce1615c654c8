"""Designs in every state a page must show, made from one recorded evaluation."""

from __future__ import annotations

import copy
import functools
import json
from pathlib import Path
from typing import Any, ClassVar, cast

from app.catalog.lookup import Catalog
from app.engine.trace import Origin
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.designs import NEW, Evaluated
from app.surfaces.pages.studio.choices import KINDS, Choice
from app.views.fabric.supernode_sizes import SuperNodeSizes
from app.views.projecting.options import LIMITS, ProjectionOptions
from app.views.projecting.project import project
from tests.support import read_example

RECORDED = Path(__file__).resolve().parents[2] / "fixtures" / "evaluation.json"

PUBLISHED = [
    {
        "path": "performance.mfu",
        "value": 0.41,
        "unit": "1",
        "label": "MFU",
        "source": "The Llama 3 Herd of Models, table 4",
        "note": "BF16, 8,192 GPUs and more",
    },
    {
        "path": "performance.elapsed_time_s",
        "value": 78 * 86400,
        "unit": "s",
        "label": "Elapsed time",
        "source": "Llama 3.1 model card, GPU-hours",
    },
]
CHOICES = dict.fromkeys(KINDS, ()) | {
    "models": (
        Choice("llama_3_1_405b", "Llama 3.1 405B", "Dense, 126 layers"),
        Choice("gpt_3_175b", "GPT-3 175B", "Dense, 96 layers"),
    ),
    "systems": (Choice("dgx_h100", "DGX H100", "8 accelerators"),),
    "sites": (Choice("ashburn", "Ashburn VA", "US"),),
}
ORIGINS = {
    "supernode.accelerator.tdp_w": Origin(
        kind="vendor",
        label="H100, TDP",
        source="data sheet",
        date="2024",
        catalog="accelerators/nvidia_h100_sxm",
    )
}
USED: dict[str, float | str] = {"supernode.accelerator.tdp_w": 700.0}
TREE = {
    "path": "performance.elapsed_time_s",
    "kind": "quantity",
    "name": "performance.elapsed_time_s",
    "value": 6773760.0,
    "unit": "s",
    "id": "n0",
    "label": "Elapsed time",
    "formula": "return training_time_s / ettr",
    "description": "Elapsed time.\n\nCalendar time from first to last step, with failures and checkpoints.",
    "source": "definition",
    "inputs": [
        {
            "role": "training_time_s",
            "kind": "quantity",
            "name": "performance.training_time_s",
            "value": 6025000.0,
            "unit": "s",
            "id": "n1",
            "label": "Productive training time",
            "formula": "return tokens / tokens_per_s",
            "source": "definition",
            "inputs": [
                {
                    "role": "tokens",
                    "kind": "input",
                    "name": "workload.tokens",
                    "value": 15.6e12,
                    "unit": "tokens",
                    "id": "n2",
                    "origin": {
                        "kind": "vendor",
                        "label": "Training tokens",
                        "source": "Llama 3.1 model card",
                        "date": "2024-07",
                    },
                }
            ],
        },
        {
            "role": "ettr",
            "kind": "quantity",
            "name": "reliability.ettr",
            "value": 0.889,
            "unit": "1",
            "id": "n3",
        },
    ],
}


STUDY: dict[str, Any] = {
    "accelerators": 16384,
    "domain_accelerators": 8,
    "scale_up_bandwidth_bytes_per_s": 450e9,
    "sizes": [
        {
            "domain_accelerators": size,
            "bandwidth_factor": factor,
            "feasible": True,
            "parallelism": {"tp": 8, "pp": 16, "cp": 1, "ep": 1},
            "step_time_s": time_s / factor**0.1,
            "exposed_exchange_s": 0.1 * time_s,
            "mfu": 0.4,
            "usd_per_million_tokens": 4.2,
        }
        for factor in (0.5, 1.0, 2.0)
        for size, time_s in ((1, 10.0), (8, 6.5), (64, 6.1))
    ],
}


def whole() -> dict[str, Any]:
    """A pod with a three-tier fabric and every figure known."""
    recorded: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return recorded


def infeasible() -> dict[str, Any]:
    """The same with too little memory."""
    evaluation = whole()
    evaluation["name"] = "Llama 3.1 405B, pipeline too short"
    evaluation["performance"]["memory_per_accelerator_bytes"] = 94.3e9
    evaluation["performance"]["memory_breakdown_bytes"]["activations"] = 68.5e9
    evaluation["feasible"] = False
    evaluation["problems"] = [
        {
            "kind": "infeasible",
            "field": "parallelism.pp",
            "constraint": "memory",
            "message": "It does not fit: 94.3 GB needed on an 85.5 GB GPU.",
            "value": 94.3e9,
            "limit": 85.5e9,
            "missed_by": 8.8e9,
            "unit": "B",
            "fix": {
                "field": "parallelism.pp",
                "value": 16,
                "message": "Set parallelism.pp to 16 instead of 8.",
            },
            "suggested_assumption": None,
            "affects": (),
        }
    ]
    return evaluation


def unknown() -> dict[str, Any]:
    """A design whose price and power no one has published."""
    evaluation = whole()
    evaluation["name"] = "Dense 128B on 128 TPU v5p"
    evaluation["cost"] = _emptied(evaluation["cost"])
    evaluation["power"] = _emptied(evaluation["power"])
    evaluation["carbon"] = _emptied(evaluation["carbon"])
    evaluation["performance"]["memory_breakdown_bytes"] = _emptied(
        evaluation["performance"]["memory_breakdown_bytes"]
    )
    evaluation["reliability"]["storage_read_bandwidth_bytes_per_s"] = None
    evaluation["problems"] = [
        {
            "kind": "missing_input",
            "field": "supernode.override.price_usd",
            "constraint": "supernode.price_usd",
            "message": "The price of TPU v5p is not published, so 6 figures are unknown.",
            "value": None,
            "limit": None,
            "missed_by": None,
            "unit": "",
            "fix": None,
            "suggested_assumption": {
                "value": 12000.0,
                "unit": "USD",
                "source": "estimate from rental rates",
                "field": "supernode.override.price_usd",
            },
            "affects": ("cost.usd_per_run", "cost.tco_usd"),
        }
    ]
    return evaluation


def single() -> dict[str, Any]:
    """One SuperNode without a scale-out fabric."""
    evaluation = whole()
    evaluation["name"] = "Edge node, two accelerators"
    evaluation["fabric"] |= {
        "topology": "none",
        "tiers": [],
        "switches_total": 0,
        "links_total": 0,
        "cables_total": 0,
        "scalable_units": 0,
        "scale_out_bandwidth_bytes_per_s": 0.0,
        "bandwidth_gap": None,
    }
    evaluation["inputs"]["pod"] |= {"supernodes": 1, "accelerators_used": 2}
    evaluation["inputs"]["supernode"] |= {"name": "Edge node", "accelerators": 2}
    return evaluation


class NoKeptRuns:
    """A workspace that keeps no runs."""

    has_workspace = True

    def listed(self) -> tuple[()]:
        return ()


class NoCatalog:
    """The catalog of a state: without own parts, and asked for nothing else."""

    def own_parts(self) -> tuple[()]:
        return ()

    def __getattr__(self, name: str) -> Any:
        raise KeyError("a state has no catalog")


class StateDesigns:
    """`Designs` without catalog or database: whatever the scenario says, a state keeps its figures."""

    made: ClassVar = {"whole": whole, "infeasible": infeasible, "unknown": unknown, "single": single}

    def of(self, key: str) -> StateDesigns:
        return self

    def opened(self, key: str) -> StateDesigns:
        return self

    def listed(self) -> list[str]:
        return list(self.made)

    def title(self, key: str) -> str:
        return str(self.evaluated(key).as_json["name"])

    def evaluated(self, key: str) -> Evaluated:
        published = copy.deepcopy(PUBLISHED) if key == "whole" else []
        evaluation = new() if key == NEW else self.made[key]()
        return Evaluated(key, evaluation, published, not published, scenario(), ORIGINS, USED)

    def at_hand(self, key: str) -> Evaluated:
        return self.evaluated(key)

    def evaluate(self, key: str, document: ScenarioDocument) -> Evaluated:
        return self.evaluated(key)._replace(document=document)

    def explained(self, key: str, path: str) -> dict[str, Any]:
        if key not in self.made or path != TREE["path"]:
            raise KeyError(path)
        intervals = whole()["intervals"]
        bounds = intervals.pop("performance")["elapsed_time_s"]
        return copy.deepcopy(TREE) | {"interval": intervals | bounds}

    def scenario(self, document: ScenarioDocument) -> EvaluatedScenario:
        raise KeyError("a state has figures, and no scenario that they were evaluated from")

    def catalog(self) -> Catalog:
        return cast(Catalog, NoCatalog())

    def explain(self, document: ScenarioDocument, path: str) -> dict[str, Any]:
        return self.explained("whole", path)

    def domain_study(self, document: ScenarioDocument) -> dict[str, Any]:
        return STUDY

    def supernode_sizes(self, document: ScenarioDocument, options: object) -> SuperNodeSizes:
        raise KeyError("a state has figures, and no scenario that SuperNodes are bought for")

    def project(self, document: ScenarioDocument | None, options: ProjectionOptions) -> dict[str, Any]:
        """A design without an evaluation trains nothing: the law counts as if it did so many FLOP."""
        limits = dict.fromkeys(LIMITS)
        counted = options.model_copy(update={**limits, "flops": options.flops or 1e24} if any(
            getattr(options, name) for name in LIMITS) else {})  # fmt: skip
        return project(counted)

    def own_runs(self) -> NoKeptRuns:
        return NoKeptRuns()

    def deployment(self, document: ScenarioDocument) -> dict[str, str]:
        return {"accelerator": "nvidia_h100_sxm", "framework": "megatron", "precision": "bf16"}

    def choices(self) -> dict[str, tuple[Choice, ...]]:
        return CHOICES


def new() -> dict[str, Any]:
    """Where a new design starts."""
    return single() | {"name": "New design"}


@functools.cache
def scenario() -> ScenarioDocument:
    """The scenario behind every state."""
    return read_example("llama_3_1_405b_on_2048_dgx_h100")


def _emptied(section: dict[str, Any]) -> dict[str, Any]:
    return {name: _emptied(value) if isinstance(value, dict) else None for name, value in section.items()}
