"""Intervals from the errors of runs: nearest first, wider the further away."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.engine.uncertainty.interval import run_weight, spread, widening

ERRORS = np.linspace(-0.3, 0.3, 61)
DENSE, EXPERTS = np.zeros(1), np.ones(1)
SHIFTS = st.floats(0.0, 5.0)


def test_without_likeness_it_is_the_quantiles_of_all() -> None:
    found = spread(distance=np.zeros((1, 61)), errors=ERRORS, experts=DENSE)
    np.testing.assert_allclose(np.log([found.low[0], found.high[0]]), [-0.244, 0.244], atol=1e-3)
    assert found.nearest_distance == [0.0]


def test_near_runs_decide() -> None:
    apart = np.where(ERRORS > 0.2, 0.0, 8.0)[None, :]
    found = spread(distance=apart, errors=ERRORS, experts=DENSE)
    assert 1.2 < found.low[0] < found.high[0] < 1.36


def test_runs_that_agree_leave_no_room() -> None:
    found = spread(distance=np.ones((3, 4)), errors=np.zeros(4), experts=np.array([0.0, 1.0, 0.0]))
    np.testing.assert_allclose([found.low, found.high], 1)


@given(SHIFTS)
def test_the_same_runs_further_away_make_it_wider(shift: float) -> None:
    """Weights depend on differences of distance only; what grows is the width."""
    apart = np.abs(ERRORS)[None, :]
    near, far = (spread(distance=apart + further, errors=ERRORS, experts=DENSE) for further in (0.0, shift))
    factor = widening(nearest_distance=np.array([shift]), experts=DENSE)
    np.testing.assert_allclose(np.log(far.low), factor * np.log(near.low))
    np.testing.assert_allclose(np.log(far.high), factor * np.log(near.high))
    np.testing.assert_allclose(run_weight(distance=apart + shift), run_weight(distance=apart))


def test_designs_do_not_look_at_each_other() -> None:
    apart = np.random.default_rng(3).random((5, 61))
    mixed = np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    together = spread(distance=apart, errors=ERRORS, experts=mixed)
    for position in range(5):
        one = slice(position, position + 1)
        alone = spread(distance=apart[one], errors=ERRORS, experts=mixed[one])
        assert alone.low == together.low[position]
        assert alone.high == together.high[position]


def test_widening_by_hand() -> None:
    """10 % for each unit of distance, 40 % for experts."""
    for distance, experts, factor in ((0.0, 0.0, 1.0), (2.0, 0.0, 1.2), (0.0, 1.0, 1.4), (2.0, 1.0, 1.6)):
        found = widening(nearest_distance=np.array([distance]), experts=np.array([experts]))
        np.testing.assert_allclose(found, factor)


@given(SHIFTS)
def test_a_mixture_of_experts_has_the_wider_interval(shift: float) -> None:
    apart = np.abs(ERRORS)[None, :] + shift
    dense, mixed = (spread(distance=apart, errors=ERRORS, experts=kind) for kind in (DENSE, EXPERTS))
    assert mixed.low[0] < dense.low[0] < 1 < dense.high[0] < mixed.high[0]
