"""Intervals from the errors of runs: nearest first, wider the further away."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.engine.uncertainty.interval import run_weight, spread, widening

ERRORS = np.linspace(-0.3, 0.3, 61)
SHIFTS = st.floats(0.0, 5.0)


def test_without_likeness_it_is_the_quantiles_of_all() -> None:
    found = spread(distance=np.zeros((1, 61)), errors=ERRORS)
    np.testing.assert_allclose(np.log([found.low[0], found.high[0]]), [-0.244, 0.244], atol=1e-3)
    assert found.nearest_distance == [0.0]


def test_near_runs_decide() -> None:
    apart = np.where(ERRORS > 0.2, 0.0, 8.0)[None, :]
    found = spread(distance=apart, errors=ERRORS)
    assert 1.2 < found.low[0] < found.high[0] < 1.36


def test_runs_that_agree_leave_no_room() -> None:
    found = spread(distance=np.ones((3, 4)), errors=np.zeros(4))
    np.testing.assert_allclose([found.low, found.high], 1)


@given(SHIFTS)
def test_the_same_runs_further_away_make_it_wider(shift: float) -> None:
    """Weights depend on differences of distance only; what grows is the width."""
    apart = np.abs(ERRORS)[None, :]
    near, far = spread(distance=apart, errors=ERRORS), spread(distance=apart + shift, errors=ERRORS)
    factor = widening(nearest_distance=np.array([shift]))
    np.testing.assert_allclose(np.log(far.low), factor * np.log(near.low))
    np.testing.assert_allclose(np.log(far.high), factor * np.log(near.high))
    np.testing.assert_allclose(run_weight(distance=apart + shift), run_weight(distance=apart))


def test_designs_do_not_look_at_each_other() -> None:
    apart = np.random.default_rng(3).random((5, 61))
    together = spread(distance=apart, errors=ERRORS)
    for position in range(5):
        alone = spread(distance=apart[position : position + 1], errors=ERRORS)
        assert alone.low == together.low[position]
        assert alone.high == together.high[position]
