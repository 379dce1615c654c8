"""Humid air for whole years against PsychroLib, one hour at a time, over ice and water."""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.sites import humid_air

NEAR_K = 1e-6
"""The steps are the same, so what is found is far nearer than the 0.05 K that weather is known to."""


@pytest.fixture(autouse=True)
def si() -> None:
    psychrolib.SetUnitSystem(psychrolib.SI)


def theirs(dry: float, humidity: float, pressure: float) -> float:
    return float(psychrolib.GetTWetBulbFromRelHum(dry, humidity, pressure))


def ours(dry: float, humidity: float, pressure: float) -> float:
    return float(
        humid_air.wet_bulb_c(
            dry_bulb_c=np.array([dry]),
            relative_humidity=np.array([humidity]),
            pressure_pa=np.array([pressure]),
        )[0]
    )


def test_a_hand_worked_hour() -> None:
    """25 degC, 50 %, sea level: wet bulb 17.9 degC and 9.9 g/kg on any psychrometric chart."""
    assert ours(25.0, 0.5, 101_325.0) == pytest.approx(17.9, abs=0.1)
    ratio = humid_air.humidity_ratio(
        dry_bulb_c=np.array([25.0]), relative_humidity=np.array([0.5]), pressure_pa=np.array([101_325.0])
    )
    assert ratio[0] == pytest.approx(0.0099, abs=0.0001)


def test_the_grid_agrees_with_psychrolib() -> None:
    """-30 to 50 degC, finely from -2 to 2, 1 to 100 %, sea level to 2,500 m."""
    dry = np.concatenate([np.linspace(-30, 50, 41), np.linspace(-2, 2, 21)])
    humidity = np.array([0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0])
    grid = [axis.ravel() for axis in np.meshgrid(dry, humidity, np.array([101_325.0, 75_000.0]))]
    found = humid_air.wet_bulb_c(dry_bulb_c=grid[0], relative_humidity=grid[1], pressure_pa=grid[2])
    wanted = np.array([theirs(*hour) for hour in zip(*grid, strict=True)])
    np.testing.assert_allclose(found, wanted, atol=NEAR_K, rtol=0)


def test_where_ice_and_water_both_have_an_answer_the_search_of_psychrolib_decides() -> None:
    """Near 0 degC both equations may hold, up to 0.5 K apart: 800 dry, cool hours."""
    rng = np.random.default_rng(7)
    dry, humidity = rng.uniform(0.0, 9.0, 800), rng.uniform(0.05, 1.0, 800)
    pressure = rng.uniform(70_000, 103_000, 800)
    found = humid_air.wet_bulb_c(dry_bulb_c=dry, relative_humidity=humidity, pressure_pa=pressure)
    wanted = np.array([theirs(*hour) for hour in zip(dry, humidity, pressure, strict=True)])
    np.testing.assert_allclose(found, wanted, atol=NEAR_K, rtol=0)
    over_water = humid_air.humidity_ratio_at_wet_bulb(
        dry_bulb_c=dry, wet_bulb_c=np.zeros(800), pressure_pa=pressure
    )
    over_ice = humid_air.humidity_ratio_at_wet_bulb(
        dry_bulb_c=dry, wet_bulb_c=np.full(800, -1e-9), pressure_pa=pressure
    )
    ratio = humid_air.humidity_ratio(dry_bulb_c=dry, relative_humidity=humidity, pressure_pa=pressure)
    both = (over_water < ratio) & (ratio < over_ice)
    assert both.sum() > 20, "hours with two answers must be among those that are tried"


@pytest.mark.slow
@given(
    dry=st.floats(-30, 50),
    humidity=st.floats(0.01, 1.0),
    pressure=st.floats(65_000, 104_000),
)
def test_any_hour_agrees_and_lies_between_dew_point_and_dry_bulb(
    dry: float, humidity: float, pressure: float
) -> None:
    psychrolib.SetUnitSystem(psychrolib.SI)
    found = ours(dry, humidity, pressure)
    assert found == pytest.approx(theirs(dry, humidity, pressure), abs=NEAR_K)
    assert psychrolib.GetTDewPointFromRelHum(dry, humidity) - 0.002 <= found <= dry + 1e-12


def test_saturated_air_is_its_own_wet_bulb_and_fog_counts_as_saturated() -> None:
    for dry in (-20.0, -0.5, 0.5, 15.0, 35.0):
        assert ours(dry, 1.0, 101_325.0) == pytest.approx(dry, abs=0.001)
        assert ours(dry, 1.1, 101_325.0) == ours(dry, 1.0, 101_325.0)


def test_relative_humidity_from_dew_point() -> None:
    for dry, dew in ((30.0, 20.0), (5.0, -3.0), (-5.0, -9.0)):
        found = humid_air.relative_humidity(dry_bulb_c=np.array([dry]), dew_point_c=np.array([dew]))[0]
        assert found == pytest.approx(psychrolib.GetRelHumFromTDewPoint(dry, dew), abs=1e-9)
    assert humid_air.relative_humidity(dry_bulb_c=np.array([5.0]), dew_point_c=np.array([6.0]))[0] == 1


def test_what_has_wet_bulb_has_its_humidity() -> None:
    dry, pressure = np.array([28.0, -6.0]), np.array([95_000.0, 95_000.0])
    wet = humid_air.wet_bulb_c(dry_bulb_c=dry, relative_humidity=np.array([0.3, 0.7]), pressure_pa=pressure)
    back = humid_air.humidity_ratio_at_wet_bulb(dry_bulb_c=dry, wet_bulb_c=wet, pressure_pa=pressure)
    ratio = humid_air.humidity_ratio(
        dry_bulb_c=dry, relative_humidity=np.array([0.3, 0.7]), pressure_pa=pressure
    )
    np.testing.assert_allclose(back, ratio, rtol=5e-4)
