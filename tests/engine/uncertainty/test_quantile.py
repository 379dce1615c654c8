"""Weighted quantiles, one row of weights at a time or many."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.uncertainty.summary import weighted_quantile


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1, 0.5, 0.9, 1.0])
def test_equal_weights_are_plain_quantiles_between_middles(share: float) -> None:
    values = np.array([4.0, 1.0, 3.0, 2.0])
    expected = np.quantile(values, share, method="hazen")
    assert weighted_quantile(values, np.ones(4), share) == pytest.approx(expected)


def test_a_weight_of_two_counts_twice() -> None:
    """Between the same ends: two equal values, or one of twice the weight."""
    twice = weighted_quantile(np.array([0.0, 1.0, 1.0, 5.0]), np.ones(4), 0.5)
    once = weighted_quantile(np.array([0.0, 1.0, 5.0]), np.array([1.0, 2.0, 1.0]), 0.5)
    assert twice == once == 1.0


def test_rows_of_weights_are_each_their_own() -> None:
    rng = np.random.default_rng(5)
    values, weights = rng.normal(size=40), rng.random((7, 40))
    together = weighted_quantile(values, weights, 0.1)
    assert together.shape == (7,)
    alone = [float(weighted_quantile(values, row, 0.1)) for row in weights]
    np.testing.assert_array_equal(together, alone)


def test_one_value_is_every_quantile() -> None:
    assert weighted_quantile(np.array([3.0]), np.array([0.2]), 0.9) == 3.0
