"""Whether an evaluation is of a training run, of a served model, or of a generic job without tokens and layout."""

from __future__ import annotations

from typing import Any

from app.charts.figure import get_path

WORDS = {"training": "Training", "serving": "Serving", "generic": "Generic job"}


def is_generic(evaluation: dict[str, Any]) -> bool:
    """Evaluations that were kept before there were generic jobs do not say; they are of training."""
    return bool(get_path(evaluation, "inputs.workload.kind") == "generic")


def is_serving(evaluation: dict[str, Any]) -> bool:
    """Return whether a model answers requests."""
    return bool(get_path(evaluation, "inputs.workload.kind") == "serving")


def kind_of(evaluation: dict[str, Any]) -> str:
    """training, serving or generic."""
    return "generic" if is_generic(evaluation) else "serving" if is_serving(evaluation) else "training"


def kind_words(evaluation: dict[str, Any]) -> str:
    """Label of the kind of workload."""
    return WORDS[kind_of(evaluation)]


def figures_for(evaluation: dict[str, Any], *paths: str) -> tuple[str, ...]:
    """Those figures that a design of this kind has."""
    missing = frozenset(evaluation.get("not_applicable", ()))
    return tuple(path for path in paths if path not in missing)
