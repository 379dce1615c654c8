"""A difference shared out over the changes that make it."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.difference.shapley import order_range, shapley_values

FIGURES = st.integers(1, 6).flatmap(
    lambda changes: st.lists(st.floats(-1e9, 1e9), min_size=1 << changes, max_size=1 << changes)
)


def test_two_factors_by_hand() -> None:
    # hours x price from 10 x 2 to 12 x 3: hours bring 2 x 2.5, the price 1 x 11, together 16
    found = shapley_values(np.array([20.0, 24.0, 30.0, 36.0]))
    assert found == pytest.approx([5.0, 11.0])


def test_one_change_is_the_whole_difference() -> None:
    assert shapley_values(np.array([3.0, 5.0])) == pytest.approx([2.0])


def test_a_change_that_changes_nothing_brings_nothing() -> None:
    found = shapley_values(np.array([20.0, 24.0, 20.0, 24.0]))
    assert found == pytest.approx([4.0, 0.0])


def test_alike_changes_share_alike() -> None:
    # a glove game: nothing comes of either change alone
    assert shapley_values(np.array([0.0, 0.0, 0.0, 8.0])) == pytest.approx([4.0, 4.0])


def test_is_the_mean_over_all_orders() -> None:
    figures = np.random.default_rng(5).uniform(size=16)
    brought = np.zeros(4)
    for order in permutations(range(4)):
        place = 0
        for change in order:
            brought[change] += figures[place | 1 << change] - figures[place]
            place |= 1 << change
    assert shapley_values(figures) == pytest.approx(brought / 24)


@pytest.mark.slow
@given(FIGURES)
def test_adds_up_to_the_difference_and_lies_between_the_orders(listed: list[float]) -> None:
    figures = np.array(listed)
    found = shapley_values(figures)
    scale = np.abs(figures).max() + 1
    assert found.sum() == pytest.approx(figures[-1] - figures[0], abs=1e-12 * scale)
    low, high = order_range(figures)
    assert (found >= low - 1e-9 * scale).all()
    assert (found <= high + 1e-9 * scale).all()


@pytest.mark.parametrize("count", [1, 3, 6])
def test_refuses_what_is_not_every_combination(count: int) -> None:
    with pytest.raises(ValueError, match="changes"):
        shapley_values(np.zeros(count))
