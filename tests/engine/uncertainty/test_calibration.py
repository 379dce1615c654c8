"""What own runs say of a design, by hand and against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.uncertainty import calibration

SPREADS = {"bias_spread": np.array(0.08), "design_spread": np.array(0.06)}
SPREAD = st.floats(0.01, 0.5)


def correction(own: list[float], designs: list[int]) -> tuple[float, float]:
    """Logarithm of the correction, and the spread that is left."""
    of = np.array(designs)
    belief = calibration.belief(**SPREADS, designs=of)
    factor = calibration.speed_correction(own_errors=np.array(own), belief=belief)
    left = calibration.corrected_spread(**SPREADS, belief=belief, designs=of)
    return float(np.log(factor)), float(left)


def test_one_run_of_the_design_by_hand() -> None:
    """Prior 0.08^2 + 0.06^2 = 0.01, measurement 0.02^2: 0.01 / 0.0104 of the error is believed."""
    found, left = correction([-0.104], [0])
    assert found == pytest.approx(-0.1)
    assert left == pytest.approx(np.sqrt(0.01 - 0.01**2 / 0.0104 + 0.02**2))


def test_a_run_of_another_design_says_its_share() -> None:
    """It shares the bias alone: 0.0064 / 0.0104."""
    found, left = correction([-0.104], [1])
    assert found == pytest.approx(-0.064)
    assert left > correction([-0.104], [0])[1]


def test_agrees_with_drawn_deployments() -> None:
    """Of many deployments, keep those whose runs measured about what ours did."""
    rng = np.random.default_rng(11)
    count = 2_000_000
    bias = rng.normal(0, 0.08, count)
    design, other = rng.normal(0, 0.06, (2, count))
    repeats = rng.normal(0, calibration.REPEAT_SPREAD, (3, count))
    ours = bias + design
    near = (abs(ours + repeats[0] - 0.05) < 0.01) & (abs(bias + other + repeats[1] + 0.02) < 0.01)
    found, left = correction([0.05, -0.02], [0, 1])
    assert near.sum() > 5_000
    assert found == pytest.approx(ours[near].mean(), abs=2e-3)
    assert left == pytest.approx((ours + repeats[2])[near].std(), rel=0.03)


@given(own=st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=8), same=st.booleans())
def test_more_runs_never_widen_and_never_go_beyond_what_was_measured(own: list[float], same: bool) -> None:
    designs = [0] * len(own) if same else list(range(1, len(own) + 1))
    found, left = correction(own, designs)
    prior = np.hypot(*SPREADS.values())
    assert calibration.REPEAT_SPREAD <= left <= np.hypot(prior, calibration.REPEAT_SPREAD)
    assert abs(found) <= max(map(abs, own)) + 1e-12
    _, wider = correction(own[:1], designs[:1])
    assert left <= wider + 1e-12


@given(error=SPREAD, design=SPREAD)
def test_spreads_add_up(error: float, design: float) -> None:
    bias = calibration.bias_spread(error_spread=np.array(error), design_spread=np.array(design))
    assert bias**2 == pytest.approx(max(error**2 - design**2, 0.1 * error**2))


def test_deviations_leave_the_bias_out() -> None:
    errors = np.array([0.3, 0.1, -0.2, 5.0])
    found = calibration.deviations(errors=errors, deployment=np.array([0, 0, 0, 1]))
    assert np.isnan(found[3])
    mean = (0.3 + 0.1 - 0.2) / 3
    np.testing.assert_allclose(found[:3], (errors[:3] - mean) * np.sqrt(1.5))
    assert np.mean(found[:3] ** 2) == pytest.approx(np.var(errors[:3], ddof=1))


def test_spread_of_normal_errors_is_their_deviation() -> None:
    errors = np.random.default_rng(2).normal(0, 0.1, 200_000)
    weight = np.ones(len(errors))
    ones = np.array(1.0)
    assert calibration.error_spread(errors=errors, weight=weight, widening=ones) == pytest.approx(
        0.1, rel=0.01
    )
    assert calibration.design_spread(deviations=errors, weight=weight) == pytest.approx(0.1, rel=0.01)
