"""Errors of some published measurements in a few numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.validation.published.basis import Judged, One
from app.validation.statistics import errors_of, weighted_quantile

AIMED_COVERAGE = 0.8
"""The share of runs that an interval is made to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Fractions. Errors are predicted over measured, less one; `bias` is the middle one.

    Eight of ten errors lie between `low_error` and `high_error`; `held` is the share of runs whose
    measurement lies in the interval of its prediction.
    """

    runs: int
    median_abs_error: float
    p90_abs_error: float
    bias: float
    within_20_pct: float
    low_error: float
    high_error: float
    held: float


def summary_of(judged: Sequence[Judged[One]], *, sources_equal: bool = False) -> Summary | None:
    """Errors of some runs, None where there are none; with `sources_equal` each source counts the same."""
    if not judged:
        return None
    found = errors_of([one.prediction for one in judged], families_equal=sources_equal)
    families = [one.run.family for one in judged]
    counted = [1 / families.count(family) if sources_equal else 1.0 for family in families]
    weights, errors = np.array(counted), np.array([one.error for one in judged])
    held = np.array([one.held for one in judged])
    assert found.median_abs_error is not None  # as of any prediction
    assert found.p90_abs_error is not None
    assert found.bias is not None
    assert found.within_20_pct is not None
    return Summary(
        runs=len(judged),
        median_abs_error=found.median_abs_error,
        p90_abs_error=found.p90_abs_error,
        bias=found.bias,
        within_20_pct=found.within_20_pct,
        low_error=weighted_quantile(errors, weights, 0.1),
        high_error=weighted_quantile(errors, weights, 0.9),
        held=float(weights[held].sum() / weights.sum()),
    )
