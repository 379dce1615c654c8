"""Errors of one quantity over distinct measurements, with one vote for each family of models."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from app.validation.statistics import Prediction, weighted_quantile

A_THIRD, DOUBLE = 0.33, 2.0


@dataclass(frozen=True)
class Score:
    """Errors as fractions; `bias` is the median of predicted over measured, less one."""

    rows: int
    median_abs_error: float | None
    within_33_pct: float | None
    within_2x: float | None
    bias: float | None


def score_of(predictions: Sequence[Prediction]) -> Score:
    """Every family has the same weight, however many measurements it has."""
    if not predictions:
        return Score(0, None, None, None, None)
    errors = np.array([one.error for one in predictions])
    sizes = Counter(one.family for one in predictions)
    weights = np.array([1 / sizes[one.family] for one in predictions])
    near = np.abs(errors) <= A_THIRD
    double = (errors + 1 >= 1 / DOUBLE) & (errors + 1 <= DOUBLE)
    return Score(
        rows=len(predictions),
        median_abs_error=weighted_quantile(np.abs(errors), weights, 0.5),
        within_33_pct=float(weights[near].sum() / weights.sum()),
        within_2x=float(weights[double].sum() / weights.sum()),
        bias=weighted_quantile(errors, weights, 0.5),
    )


def scores_by(
    predictions: Sequence[Prediction], label: Callable[[Prediction], str]
) -> dict[str, dict[str, Any]]:
    """The score of each group, by its name."""
    members: dict[str, list[Prediction]] = defaultdict(list)
    for one in predictions:
        members[label(one)].append(one)
    return {name: asdict(score_of(members[name])) for name in sorted(members)}
