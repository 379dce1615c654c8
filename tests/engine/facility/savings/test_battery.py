"""The battery without a loop against the loop that it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.engine.facility.savings.matching import clamp_chain, stored_over_a_year


def looped(change, capacity, start):
    """The recursion, hour after hour."""
    stored, found = start, []
    for step in change:
        stored = min(max(stored + step, 0.0), capacity)
        found.append(stored)
    return np.array(found)


CHANGES = hnp.arrays(float, st.integers(1, 70), elements=st.floats(-10, 10))


@pytest.mark.slow
@given(CHANGES, st.floats(0, 15), st.floats(0, 1))
def test_the_chain_is_the_recursion_from_any_start(change, capacity, fullness):
    chain = clamp_chain(change=change, capacity=capacity)
    start = fullness * capacity
    found = np.clip(start + chain.total, chain.least, chain.most)
    assert found == pytest.approx(looped(change, capacity, start), abs=1e-9)


@pytest.mark.slow
@given(CHANGES, st.floats(0, 15))
def test_a_year_ends_as_full_as_it_began_and_stays_in_bounds(change, capacity):
    stored = stored_over_a_year(change_wh=change, capacity_wh=capacity)
    assert stored.min() >= 0
    assert stored.max() <= capacity
    assert stored == pytest.approx(looped(change, capacity, stored[-1]), abs=1e-9)


def test_a_full_year_of_hours_is_the_recursion():
    change = np.random.default_rng(1).normal(0.01, 1, 8760)
    stored = stored_over_a_year(change_wh=change, capacity_wh=5.0)
    assert stored == pytest.approx(looped(change, 5.0, stored[-1]), abs=1e-9)


def test_more_sun_than_load_starts_full_and_less_starts_empty():
    plenty = stored_over_a_year(change_wh=np.array([-1.0, 3.0]), capacity_wh=2.0)
    scarce = stored_over_a_year(change_wh=np.array([1.0, -3.0]), capacity_wh=2.0)
    assert plenty.tolist() == [1, 2]
    assert scarce.tolist() == [1, 0]
