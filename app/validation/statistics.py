"""Errors of predictions in a few numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.uncertainty import quantile

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Prediction:
    """One measurement and what the engine says of it, in the same unit."""

    key: str
    family: str
    groups: dict[str, str]
    measured: float
    predicted: float
    low: float | None = None
    high: float | None = None
    assumed: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Predicted over measured, less one."""
        return self.predicted / self.measured - 1


@dataclass(frozen=True)
class Unsupported:
    """A scored row that cannot be predicted."""

    id: str
    reason: str


@dataclass(frozen=True)
class Errors:
    """Absolute errors as fractions; `bias` is the median signed error."""

    rows: int
    median_abs_error: float | None
    p90_abs_error: float | None
    bias: float | None
    within_20_pct: float | None


def weighted_quantile(values: Numbers, weights: Numbers, share: float) -> float:
    """The value below which a share of the weight lies, as the engine counts it.

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.ones(3), 0.5)
    2.0
    """
    return float(quantile.weighted_quantile(values, weights, share))


def errors_of(predictions: Sequence[Prediction], *, families_equal: bool = False) -> Errors:
    """Errors of some predictions; with `families_equal` each source counts the same, however many rows."""
    if not predictions:
        return Errors(0, None, None, None, None)
    errors = np.array([one.error for one in predictions])
    weights = np.ones(len(errors))
    if families_equal:
        sizes: dict[str, int] = defaultdict(int)
        for one in predictions:
            sizes[one.family] += 1
        weights = np.array([1 / sizes[one.family] for one in predictions])
    size = np.abs(errors)
    return Errors(
        rows=len(predictions),
        median_abs_error=weighted_quantile(size, weights, 0.5),
        p90_abs_error=weighted_quantile(size, weights, 0.9),
        bias=weighted_quantile(errors, weights, 0.5),
        within_20_pct=float(weights[size <= 0.2].sum() / weights.sum()),
    )


def grouped(
    predictions: Iterable[Prediction], group: Callable[[Prediction], str]
) -> dict[str, dict[str, Any]]:
    """Errors of each group, by its name."""
    members: dict[str, list[Prediction]] = defaultdict(list)
    for one in predictions:
        members[group(one)].append(one)
    return {name: asdict(errors_of(members[name])) for name in sorted(members)}
