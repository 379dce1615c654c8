"""The knee: throughput over response time is greatest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.knee import load_power


def test_a_step_of_a_fixed_and_a_growing_part_has_its_knee_where_both_are_equal() -> None:
    """Closed loop, R = 10 ms + n 0.1 ms and X = n / R: X / R = n / R^2 is greatest at n = 100."""
    load = np.arange(1.0, 401.0)
    response = 0.010 + load * 0.0001
    power = load_power(requests_per_s=load / response, end_to_end_s=response)
    assert load[np.argmax(power)] == 100
    assert power.max() == 1


def test_unknown_loads_are_no_knee() -> None:
    power = load_power(requests_per_s=np.array([1.0, np.nan, 4.0]), end_to_end_s=np.array([1.0, 1.0, 2.0]))
    assert power[2] == 1
    assert np.isnan(power[1])


@pytest.mark.slow
@given(st.lists(st.floats(0.1, 1e3), min_size=2, max_size=20), st.floats(0.01, 100))
def test_units_of_time_do_not_move_it(times: list[float], factor: float) -> None:
    response = np.array(times)
    rate = np.arange(1.0, response.size + 1) / response
    power = load_power(requests_per_s=rate, end_to_end_s=response)
    scaled = load_power(requests_per_s=rate / factor, end_to_end_s=response * factor)
    assert scaled == pytest.approx(power)
