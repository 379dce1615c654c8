"""Errors in a few numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.validation.study import FAMILY, Prediction, errors_of, grouped, weighted_quantile


def prediction(family: str, error: float, group: str = "a") -> Prediction:
    return Prediction(f"{family}-1", family, {"hardware": group}, measured=100, predicted=100 * (1 + error))


def test_errors_by_hand() -> None:
    found = errors_of([prediction("A", error) for error in (-0.3, -0.1, 0.0, 0.1, 0.2)])
    assert found.rows == 5
    assert found.median_abs_error == pytest.approx(0.1)
    assert found.bias == pytest.approx(0.0)
    assert found.within_20_pct == pytest.approx(0.8)


def test_families_count_the_same() -> None:
    many = [prediction("A", 0.0)] * 99 + [prediction("B", 0.5)]
    assert errors_of(many).median_abs_error == pytest.approx(0.0)
    assert errors_of(many, families_equal=True).within_20_pct == pytest.approx(0.5)


def test_nothing_has_no_errors() -> None:
    assert errors_of([]).median_abs_error is None
    assert grouped([], FAMILY) == {}


def test_groups() -> None:
    found = grouped([prediction("A", 0.1), prediction("B", 0.3, "b")], "hardware")
    assert found["b"].median_abs_error == pytest.approx(0.3)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_quantiles_lie_within_and_rise(values: list[float]) -> None:
    numbers, weights = np.array(values), np.ones(len(values))
    found = [weighted_quantile(numbers, weights, share) for share in (0.0, 0.5, 0.9, 1.0)]
    assert found == sorted(found)
    assert min(values) <= found[0]
    assert found[-1] <= max(values)
