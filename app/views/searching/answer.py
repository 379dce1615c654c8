"""What the answers of searches share: the figures of a design, and how much was looked at."""

from __future__ import annotations

from typing import Any

from app.engine.evaluation import Evaluation
from app.engine.leaves import plain_values
from app.engine.performance.section import Performance
from app.scenarios.document.layout import layout_document

FIGURES = {
    "step_time_s": "performance",
    "tokens_per_s_per_accelerator": "performance",
    "mfu": "performance",
    "training_time_s": "performance",
    "elapsed_time_s": "performance",
    "memory_per_accelerator_bytes": "performance",
    "usd_per_million_tokens": "cost",
    "energy_j_per_token": "power",
}


def tally(strategies: int, feasible: int, rejected: dict[str, int], took_s: float) -> dict[str, Any]:
    return {
        "strategies": strategies,
        "feasible_strategies": feasible,
        "rejected": rejected,
        "search_time_s": took_s,
        "strategies_per_s": strategies / took_s,
    }


def figures_of(evaluation: Evaluation) -> dict[str, Any]:
    sections = evaluation.sections
    strategy = plain_values(sections.performance.strategy, "performance.strategy")
    framework = sections.performance.framework if isinstance(sections.performance, Performance) else ""
    figures = {
        name: plain_values(getattr(getattr(sections, room), name), f"{room}.{name}")
        for name, room in FIGURES.items()
    }
    return {
        "parallelism": layout_document(strategy),
        "dp": strategy["dp"],
        "framework": framework,
        **figures,
    }
