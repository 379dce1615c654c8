"""Sobol indices against a function whose indices are known in closed form, and against limits."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.trace import Array
from app.engine.uncertainty.sobol import indices, saltelli_samples

A, B = 7.0, 0.1


def ishigami(shares: Array) -> Array:
    one, two, three = np.moveaxis(-np.pi + 2 * np.pi * shares, -1, 0)
    return np.asarray(np.sin(one) + A * np.sin(two) ** 2 + B * three**4 * np.sin(one))


def test_ishigami() -> None:
    """Ishigami and Homma 1990; the variance splits as in Saltelli et al. 2008, Global Sensitivity Analysis, 4.6."""
    alone_1 = (1 + B * np.pi**4 / 5) ** 2 / 2
    alone_2 = A**2 / 8
    with_3 = B**2 * np.pi**8 * (1 / 18 - 1 / 50)
    whole = alone_1 + alone_2 + with_3
    first, total = indices(ishigami(saltelli_samples(count=4096, inputs=3, seed=1)))
    np.testing.assert_allclose(first[0], np.array([alone_1, alone_2, 0]) / whole, atol=0.015)
    np.testing.assert_allclose(total[0], np.array([alone_1 + with_3, alone_2, with_3]) / whole, atol=0.015)
    for found in (first, total):
        assert np.all((found[1] <= found[0] + 1e-9) & (found[0] <= found[2] + 1e-9))


def test_a_sum_splits_by_variances() -> None:
    weights = np.array([3.0, 2.0, 1.0, 0.0])
    first, total = indices(saltelli_samples(count=1024, inputs=4, seed=2) @ weights)
    np.testing.assert_allclose(first[0], weights**2 / 14, atol=0.01)
    np.testing.assert_allclose(total[0], weights**2 / 14, atol=0.01)
    assert total[0, 3] == 0


def test_inputs_that_only_act_together_do_nothing_alone() -> None:
    centred = saltelli_samples(count=2048, inputs=2, seed=3) - 0.5
    first, total = indices(centred[..., 0] * centred[..., 1])
    np.testing.assert_allclose(first[0], 0, atol=0.03)
    np.testing.assert_allclose(total[0], 1, atol=0.05)


def test_a_figure_that_nothing_moves_has_no_shares() -> None:
    first, total = indices(np.full((5, 64), 3.0))
    assert not first.any()
    assert not total.any()


def test_a_spread_far_below_the_mean_has_the_same_intervals() -> None:
    figures = saltelli_samples(count=1024, inputs=3, seed=6) @ np.array([3.0, 2.0, 1.0])
    for bare, offset in zip(indices(figures), indices(1e8 + figures), strict=True):
        np.testing.assert_allclose(offset, bare, atol=1e-6)


def test_unknown_samples_are_left_out() -> None:
    figures = saltelli_samples(count=1024, inputs=2, seed=4) @ np.array([1.0, 1.0])
    figures[2, ::5] = np.nan
    first, _ = indices(figures)
    np.testing.assert_allclose(first[0], 0.5, atol=0.05)
    assert not indices(np.full((4, 8), np.nan))[0].any()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_samples_differ_in_one_input(place: int) -> None:
    one, other, *mixed = saltelli_samples(count=16, inputs=3, seed=5)
    np.testing.assert_array_equal(mixed[place][:, place], other[:, place])
    rest = [each for each in range(3) if each != place]
    np.testing.assert_array_equal(mixed[place][:, rest], one[:, rest])
