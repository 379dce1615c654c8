"""Correlated inputs have the rank correlations that were asked for, and stay as even as they were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from app.engine.uncertainty.copula import correlated, gaussian_correlation, is_possible, nearest_possible
from app.engine.uncertainty.sampling import unit_samples

ASKED = np.array([[1.0, 0.8, -0.3], [0.8, 1.0, 0.0], [-0.3, 0.0, 1.0]])
IMPOSSIBLE = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])


def shares(count: int = 4096) -> np.ndarray:
    return unit_samples(sampler="latin_hypercube", count=count, inputs=3, seed=3)


def test_ranks_have_the_correlations_that_were_asked_for() -> None:
    found = stats.spearmanr(correlated(shares(), ASKED)).statistic
    np.testing.assert_allclose(found, ASKED, atol=0.03)


def test_every_input_keeps_its_samples() -> None:
    before = shares(512)
    np.testing.assert_array_equal(np.sort(correlated(before, ASKED), axis=0), np.sort(before, axis=0))


def test_inputs_that_do_not_go_together_stay_in_their_order() -> None:
    before = shares(512)
    np.testing.assert_array_equal(correlated(before, np.eye(3)), before)


def test_two_inputs_may_move_as_one() -> None:
    whole = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert is_possible(whole)
    found = correlated(shares(256)[:, :2], whole)
    assert stats.spearmanr(found).statistic == pytest.approx(1, abs=1e-6)


def test_normal_numbers_by_hand() -> None:
    # 2 sin(pi/6 x 1/2) = 2 sin 15 degrees
    assert gaussian_correlation(rank_correlation=np.array(0.5)) == pytest.approx(0.5176380902)


def test_what_cannot_all_hold_is_told_with_the_nearest_that_can() -> None:
    assert not is_possible(IMPOSSIBLE)
    nearest = nearest_possible(IMPOSSIBLE)
    assert is_possible(nearest)
    np.testing.assert_array_equal(np.diag(nearest), 1)
    # the three are alike, so each gives way alike: cos 60 degrees for normal numbers, 6/pi asin(1/4) for ranks
    assert np.abs(nearest[np.triu_indices(3, 1)]) == pytest.approx(6 / np.pi * np.arcsin(0.25), abs=0.02)


def test_what_can_hold_is_its_own_nearest() -> None:
    np.testing.assert_allclose(nearest_possible(ASKED), ASKED, atol=1e-9)


@settings(max_examples=25)
@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_the_nearest_is_always_possible(coefficients: list[float]) -> None:
    matrix = np.eye(4)
    matrix[np.triu_indices(4, 1)] = coefficients
    matrix = matrix + matrix.T - np.eye(4)
    found = nearest_possible(matrix)
    assert is_possible(found)
    assert np.all(np.abs(found) <= 1)
