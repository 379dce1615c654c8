"""Whether an evaluation is of a training run or of a generic job, which has no tokens and no layout."""

from __future__ import annotations

from typing import Any

from app.figures.figure import at

WORDS = {"training": "Training", "generic": "Generic job"}


def is_generic(evaluation: dict[str, Any]) -> bool:
    """Evaluations that were kept before there were generic jobs do not say; they are of training."""
    return bool(at(evaluation, "inputs.workload.kind") == "generic")


def kind_words(evaluation: dict[str, Any]) -> str:
    """What people call the kind of workload."""
    return WORDS["generic" if is_generic(evaluation) else "training"]


def figures_for(evaluation: dict[str, Any], *paths: str) -> tuple[str, ...]:
    """Those figures that a design of this kind has."""
    missing = frozenset(evaluation.get("not_applicable", ()))
    return tuple(path for path in paths if path not in missing)
