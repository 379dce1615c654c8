"""What one measured point leaves unknown of a deployment, on points made up by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.validation.calibration.one_point import remaining_spread


def test_what_all_points_share_is_gone() -> None:
    found = remaining_spread(np.log([1.5, 1.5, 1.5]), ["a"] * 3)
    assert found is not None
    assert (found.low, found.high, found.median_abs_error) == pytest.approx((1, 1, 0))
    assert (found.deployments, found.points) == (1, 3)


def test_what_they_differ_by_stays() -> None:
    """Of 1, 1 and 2 two thirds of the pairs differ by a factor of two, one way as often as the other."""
    found = remaining_spread(np.log([1.0, 1.0, 2.0]), ["a"] * 3)
    assert found is not None
    assert found.low == pytest.approx(1 / found.high)
    assert found.high == pytest.approx(2)


def test_every_deployment_has_one_vote() -> None:
    many = remaining_spread(np.concatenate([np.zeros(60), np.log([1, 4, 16])]), ["calm"] * 60 + ["wild"] * 3)
    few = remaining_spread(np.concatenate([np.zeros(6), np.log([1, 4, 16])]), ["calm"] * 6 + ["wild"] * 3)
    assert many is not None
    assert few is not None
    assert many.high == pytest.approx(few.high)


def test_small_deployments_and_unknown_points_say_nothing() -> None:
    assert remaining_spread(np.zeros(2), ["a", "a"]) is None
    assert remaining_spread(np.array([0.0, np.nan, 0.0]), ["a"] * 3) is None
    assert remaining_spread(np.zeros(0), []) is None


@given(st.lists(st.floats(-2, 2), min_size=3, max_size=12), st.floats(-3, 3))
def test_a_bias_of_the_deployment_changes_nothing(errors: list[float], bias: float) -> None:
    found = remaining_spread(np.array(errors), ["a"] * len(errors))
    moved = remaining_spread(np.array(errors) + bias, ["a"] * len(errors))
    assert found is not None
    assert moved is not None
    assert (moved.low, moved.high) == pytest.approx((found.low, found.high), rel=1e-6)
    assert found.low <= 1 <= found.high or found.low == pytest.approx(1)
