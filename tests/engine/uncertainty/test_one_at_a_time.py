"""Inputs moved one at a time."""

from __future__ import annotations

import numpy as np

from app.engine.uncertainty.one_at_a_time import along_ranges, low_and_high, swing

TYPICAL, LOW, HIGH = np.array([2.0, 5.0]), np.array([1.0, 4.0]), np.array([3.0, 8.0])


def test_each_row_moves_one_input() -> None:
    rows = low_and_high(typical=TYPICAL, low=LOW, high=HIGH)
    np.testing.assert_array_equal(rows, [[2, 5], [1, 5], [2, 4], [3, 5], [2, 8]])


def test_along_its_range() -> None:
    rows = along_ranges(typical=TYPICAL, low=LOW, high=HIGH, shares=np.array([0, 0.5, 1]))
    np.testing.assert_array_equal(rows[0], [[1, 5], [2, 5], [3, 5]])
    np.testing.assert_array_equal(rows[1], [[2, 4], [2, 6], [2, 8]])


def test_how_far_it_moves() -> None:
    found = swing(
        at_low=np.array([[90.0, 100, np.nan]]), at_high=np.array([[120.0, 100, 5]]), base=np.array([100.0])
    )
    np.testing.assert_allclose(found, [[0.3, 0, 0]])


def test_no_input_leaves_the_design_as_it_stands() -> None:
    nothing = np.empty(0)
    assert low_and_high(typical=nothing, low=nothing, high=nothing).shape == (1, 0)
