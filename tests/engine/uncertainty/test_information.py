"""The value of knowing an input before deciding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.engine.uncertainty.information import value_of_each_usd, value_of_perfect_information_usd
from app.engine.uncertainty.sampling import unit_samples


def test_by_hand() -> None:
    # Owning costs 100; renting 60 or 160, as likely as not. Blindly 100 either way; knowing, (60 + 100) / 2 = 80.
    costs = np.array([[100.0, 100.0], [60.0, 160.0]])
    assert value_of_perfect_information_usd(costs_usd=costs) == pytest.approx(20)


def test_an_input_that_decides_alone_is_worth_everything_and_others_nothing() -> None:
    shares = unit_samples(sampler="latin_hypercube", count=4096, inputs=3, seed=1)
    # owning costs 1 to 3, renting 2: known before, (1.5 + 2) / 2 is paid on average in place of 2
    costs = np.array([1 + 2 * shares[:, 0], np.full(4096, 2.0)])
    each = value_of_each_usd(costs, shares)
    assert value_of_perfect_information_usd(costs_usd=costs) == pytest.approx(0.25, abs=1e-3)
    np.testing.assert_allclose(each, [0.25, 0, 0], atol=5e-3)


def test_an_input_that_cannot_change_the_decision_is_worth_nothing() -> None:
    shares = unit_samples(sampler="latin_hypercube", count=2048, inputs=2, seed=2)
    both = 5 * shares[:, 1]  # costs the same whatever is decided
    costs = np.array([1 + both, 3 + shares[:, 0] + both])
    np.testing.assert_array_equal(value_of_each_usd(costs, shares), 0)


def test_noise_is_not_taken_for_knowledge() -> None:
    shares = unit_samples(sampler="latin_hypercube", count=4096, inputs=4, seed=3)
    costs = np.array([np.zeros(4096), 2 * shares[:, 0] - 1])  # on average as dear as each other
    each = value_of_each_usd(costs, shares)
    assert each[0] == pytest.approx(0.25, abs=5e-3)
    np.testing.assert_array_equal(each[1:], 0)


@given(arrays(float, (3, 12), elements=st.floats(-1e6, 1e6)))
def test_knowing_never_costs(costs: np.ndarray) -> None:
    assert value_of_perfect_information_usd(costs_usd=costs) >= -1e-6
