"""Clean energy against a load, hour by hour: every watt-hour is accounted for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.engine.facility.savings.matching import (
    curtailed_share,
    generated_share,
    match_hours,
    matched_by_month_and_hour,
    matched_share,
)

POWERS = hnp.arrays(float, 48, elements=st.floats(0, 10))


def matched(load, solar, wind, **battery):
    given = {"battery_wh": 0.0, "battery_power_w": 0.0, "round_trip_efficiency": 1.0} | battery
    return match_hours(load_w=np.array(load), solar_w=np.array(solar), wind_w=np.array(wind), **given)


@pytest.mark.slow
@given(POWERS, POWERS, POWERS, st.floats(0, 40), st.floats(0, 10), st.floats(0.5, 1))
def test_load_and_generation_close_and_nothing_is_below_zero(load, solar, wind, energy, power, efficiency):
    found = match_hours(
        load_w=load,
        solar_w=solar,
        wind_w=wind,
        battery_wh=energy,
        battery_power_w=power,
        round_trip_efficiency=efficiency,
    )
    assert found.direct_w + found.discharged_w + found.grid_w == pytest.approx(load, abs=1e-9)
    assert found.direct_w + found.charged_w + found.curtailed_w == pytest.approx(solar + wind, abs=1e-9)
    for flow in (found.charged_w, found.discharged_w, found.curtailed_w, found.grid_w, found.stored_wh):
        assert flow.min() >= -1e-9
    assert found.stored_wh.max() <= energy
    assert max(found.charged_w.max(), found.discharged_w.max()) <= power + 1e-9
    assert found.discharged_w.sum() == pytest.approx(found.charged_w.sum() * efficiency, abs=1e-8)


def test_a_day_and_a_night_by_hand():
    """Four watts of sun for one hour, two of load for two; 81 % of three charged watt-hours come back."""
    found = matched([1, 1], [4, 0], [0, 0], battery_wh=9, battery_power_w=3, round_trip_efficiency=0.81)
    # the surplus of 3 W fills 2.7 Wh; the night takes 1 / 0.9 Wh, so only that much is ever charged
    assert found.discharged_w == pytest.approx([0, 1])
    assert found.charged_w == pytest.approx([1 / 0.81, 0])
    assert found.curtailed_w == pytest.approx([3 - 1 / 0.81, 0])
    assert matched_share(load_w=found.load_w, grid_w=found.grid_w) == pytest.approx(1)
    share = curtailed_share(curtailed_w=found.curtailed_w, solar_w=found.solar_w, wind_w=found.wind_w)
    assert share == pytest.approx((3 - 1 / 0.81) / 4)


def test_volumes_that_match_over_the_year_need_not_match_in_an_hour():
    found = matched([1, 1], [2, 0], [0, 0])
    assert generated_share(load_w=found.load_w, solar_w=found.solar_w, wind_w=found.wind_w) == 1
    assert matched_share(load_w=found.load_w, grid_w=found.grid_w) == 0.5


@pytest.mark.slow
@given(POWERS, POWERS, st.floats(0, 20), st.floats(0, 20))
def test_a_larger_battery_never_matches_less(load, solar, energy, more):
    load = load + 1.0
    small, large = (
        matched(load, solar, 0 * solar, battery_wh=size, battery_power_w=10, round_trip_efficiency=0.9)
        for size in (energy, energy + more)
    )
    assert large.grid_w.sum() <= small.grid_w.sum() + 1e-9


def test_months_and_hours_of_the_matched_share():
    noon = np.tile(np.arange(24) == 12, 365).astype(float)
    january = np.arange(8760) < 31 * 24
    share = matched_by_month_and_hour(matched(np.ones(8760), noon * january, np.zeros(8760)))
    assert share.shape == (12, 24)
    assert share[0, 12] == 1
    assert share.sum() == 1
