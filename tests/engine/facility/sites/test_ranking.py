"""Places, fronts and weighed orders of sites."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.engine.facility.sites.ranking import on_the_front, places, weighed

FIGURES = arrays(float, st.tuples(st.integers(1, 12), st.just(2)), elements=st.integers(0, 6).map(float))
UNKNOWN = np.nan


def test_places_by_hand() -> None:
    np.testing.assert_array_equal(places(np.array([5.0, 2.0, UNKNOWN, 2.0, 9.0])), [3, 1, UNKNOWN, 1, 4])
    np.testing.assert_array_equal(places(np.array([UNKNOWN])), [UNKNOWN])


def test_the_front_by_hand() -> None:
    """Cheap and dirty, dear and clean, and one between stay; one that is worse in both goes."""
    figures = np.array([[1.0, 9.0], [9.0, 1.0], [4.0, 4.0], [5.0, 5.0], [0.0, UNKNOWN], [4.0, 4.0]])
    np.testing.assert_array_equal(on_the_front(figures), [True, True, True, False, False, True])


def test_weighed_by_hand() -> None:
    figures = np.array([[10.0, 0.0, 1.0], [20.0, 5.0, 1.0], [30.0, 10.0, 1.0], [10.0, UNKNOWN, 1.0]])
    found = weighed(figures, np.array([3.0, 1.0, 5.0]))
    # water tells 5 of 9 parts and is the same everywhere, so at most 4/9 are lost
    np.testing.assert_allclose(found, [0, 2 / 9, 4 / 9, UNKNOWN])
    np.testing.assert_allclose(weighed(figures, np.array([1.0, 0.0, 0.0])), [0, 0.5, 1, 0])
    assert np.isnan(weighed(figures, np.zeros(3))).all()
    assert weighed(np.zeros((0, 3)), np.ones(3)).shape == (0,)


def test_a_figure_that_nobody_knows_leaves_nobody_an_order() -> None:
    assert np.isnan(weighed(np.array([[1.0, UNKNOWN], [2.0, UNKNOWN]]), np.ones(2))).all()


@pytest.mark.slow
@given(figures=FIGURES)
def test_whoever_is_beaten_is_beaten_by_the_front(figures: np.ndarray) -> None:
    front = on_the_front(figures)
    assert front.any()
    for site in np.flatnonzero(~front):
        assert (
            (figures[front] <= figures[site]).all(axis=1) & (figures[front] < figures[site]).any(axis=1)
        ).any()


@pytest.mark.slow
@given(figures=FIGURES, scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
def test_units_decide_nothing(figures: np.ndarray, scale: float, shift: float) -> None:
    weights = np.array([1.0, 2.0])
    np.testing.assert_allclose(
        weighed(figures * scale + shift, weights), weighed(figures, weights), atol=1e-9
    )


@pytest.mark.slow
@given(figures=FIGURES)
def test_the_best_by_weight_is_on_the_front(figures: np.ndarray) -> None:
    score = weighed(figures, np.array([1.0, 1.0]))
    assert on_the_front(figures)[score <= score.min() + 1e-12].any()
