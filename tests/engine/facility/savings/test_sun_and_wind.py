"""Sun and wind against published worked examples, and at their limits."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.facility.savings.saved import (
    capacity_factor,
    clearness_by_hour,
    extraterrestrial_w_per_m2,
    generation_by_hour_w,
    hub_wind_m_per_s,
    rated_generation_w,
    solar_yield_by_hour,
    wind_yield_by_hour,
)
from tests.support import number


def sun(latitude, longitude=0.0, utc_offset=0.0):
    return extraterrestrial_w_per_m2(
        latitude_deg=number(latitude), longitude_deg=number(longitude), utc_offset_hours=number(utc_offset)
    )


def test_the_worked_example_of_fao_56():
    """Example 8: 20 degrees south on 3 September (day 246), 32.2 MJ/m2 of extraterrestrial radiation."""
    day = sun(-20).reshape(365, 24)[245]
    assert day.sum() * 3600 / 1e6 == pytest.approx(32.2, abs=0.1)


def test_the_worked_example_of_clearness():
    """FAO 56, example 15: Lyon in July, 26.6 and 14.8 degrees, 40.6 MJ/m2 above the air give 22.3."""
    share = clearness_by_hour(
        dry_bulb_c=np.where(np.arange(24) == 14, 26.6, 14.8),
        elevation_m=number(200),
        clearness_per_root_kelvin=number(0.16),
    )
    assert share * 40.6 == pytest.approx(22.3, abs=0.1)


def test_no_day_is_clearer_than_the_clear_sky():
    desert = np.where(np.arange(24) == 14, 45.0, 5.0)
    share = clearness_by_hour(
        dry_bulb_c=desert, elevation_m=number(1000), clearness_per_root_kelvin=number(0.16)
    )
    assert share == pytest.approx(0.77)


def test_the_sun_is_highest_at_solar_noon_and_below_the_horizon_at_night():
    east = sun(40, longitude=15, utc_offset=1).reshape(365, 24)
    assert set(east.argmax(axis=1).tolist()) <= {11, 12}
    assert east[:, 0].max() == 0
    polar = sun(78).reshape(365, 24).sum(axis=1)
    assert polar[0] == 0
    assert polar[171] > 0


def test_a_solar_field_gives_its_ratio_of_the_irradiance():
    found = solar_yield_by_hour(
        extraterrestrial_w_per_m2=np.array([1000.0, 0.0]),
        clearness_by_hour=np.array([0.6, 0.6]),
        solar_performance_ratio=number(0.8),
    )
    assert found == pytest.approx([0.48, 0])


def test_wind_by_hand():
    hub = hub_wind_m_per_s(
        wind_m_per_s=np.array([5.0]), hub_height_m=number(100), shear_exponent=number(0.143)
    )
    assert hub == pytest.approx(6.95, abs=0.01)
    found = wind_yield_by_hour(
        hub_wind_m_per_s=np.array([2.9, 7.0, 11.0, 25.0, 25.1]),
        cut_in_m_per_s=number(3),
        rated_m_per_s=number(11),
        cut_out_m_per_s=number(25),
        wind_availability=number(0.9),
    )
    assert found == pytest.approx([0, 0.9 * (343 - 27) / (1331 - 27), 0.9, 0.9, 0])


def test_a_plant_generates_what_it_is_asked_for():
    hours = np.array([0.0, 0.5, 0.1, 0.0])
    found = generation_by_hour_w(yield_by_hour=hours, mean_load_w=number(100), share=number(0.6))
    assert found.mean() == pytest.approx(60)
    factor = capacity_factor(yield_by_hour=hours)
    rated = rated_generation_w(mean_load_w=number(100), share=number(0.6), capacity_factor=factor)
    assert rated == pytest.approx(400)
    assert (found <= rated).all()


@pytest.mark.parametrize("hours", [np.zeros(4), np.full(4, np.nan)])
def test_nothing_is_asked_of_a_plant_that_cannot_be_known(hours):
    with np.errstate(invalid="ignore"):
        nothing = generation_by_hour_w(yield_by_hour=hours, mean_load_w=number(100), share=number(0))
    assert nothing.tolist() == [0, 0, 0, 0]
