"""Profiles of the grid: laid out over a year, and weighed by the load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.carbon.operational import (
    grid_by_hour_w,
    intensity_by_load_kg_per_kwh,
    intensity_over_the_year,
)


def test_a_day_and_a_day_a_month() -> None:
    day = intensity_over_the_year(np.arange(24.0))
    assert day.shape == (8760,)
    assert day[24 * 200 + 7] == 7
    year = intensity_over_the_year(np.repeat(np.arange(12.0), 24))
    assert year[0] == 0
    assert year[24 * 31] == 1  # 1 February
    assert year[-1] == 11
    with pytest.raises(ValueError, match="neither"):
        intensity_over_the_year(np.ones(25))


def test_hours_weigh_by_their_load() -> None:
    # 3 MW at 0.2 and 1 MW at 0.6: (0.6 + 0.6) / 4
    found = intensity_by_load_kg_per_kwh(
        intensity_kg_per_kwh=np.array([0.2, 0.6]), load_w=np.array([3e6, 1e6])
    )
    assert found[0] == pytest.approx(0.3)


def test_each_row_has_its_own_mean() -> None:
    found = intensity_by_load_kg_per_kwh(
        intensity_kg_per_kwh=np.array([[0.2, 0.6], [0.1, 0.3]]), load_w=np.array([[3e6, 1e6], [1e6, 1e6]])
    )
    np.testing.assert_allclose(found, [[0.3], [0.2]])


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=24, max_size=24), st.floats(1e3, 1e9))
def test_an_even_load_sees_the_plain_mean(profile: list[float], load: float) -> None:
    hours = intensity_over_the_year(np.array(profile))
    found = intensity_by_load_kg_per_kwh(intensity_kg_per_kwh=hours, load_w=np.full(8760, load))
    assert found[0] == pytest.approx(np.mean(profile))


def test_surplus_of_one_hour_is_of_no_use_in_another() -> None:
    found = grid_by_hour_w(load_w=np.array([1.0, 1.0]), generation_w=np.array([2.0, 0.0]))
    assert found.tolist() == [0, 1]
