"""ASHRAE's classes: bounds, and altitude."""

import pytest

from app.engine.facility.cooling.checks.condensation import air_checks, water_class
from tests.support import number


@pytest.mark.parametrize(
    ("supply_c", "name"),
    [(12, "W17"), (17, "W17"), (17.1, "W27"), (32, "W32"), (36, "W40"), (45, "W45"), (46, "W+")],
)
def test_water_class_is_the_coldest_that_allows_the_supply(supply_c, name):
    assert water_class(number(supply_c)) == name


def test_unknown_water_has_no_class():
    assert water_class(number(float("nan"))) == ""


def _highest(elevation_m):
    found = air_checks(hall_air_supply_c=number(24), elevation_m=number(elevation_m))
    return {one.name: one.highest_c for one in found}


def test_altitude_takes_a_kelvin_each_so_many_metres():
    """At 2,100 m, 1,200 above 900: A1 and A2 lose 4 K, A3 6.86, A4 9.6, H1 2.4."""
    low, high = _highest(900), _highest(2100)
    assert low == {"A1": 32, "A2": 35, "A3": 40, "A4": 45, "H1": 25}
    lost = {name: low[name] - high[name] for name in low}
    assert lost == pytest.approx({"A1": 4, "A2": 4, "A3": 1200 / 175, "A4": 9.6, "H1": 2.4})


def test_supply_outside_a_class_is_said():
    found = {one.name: one.holds for one in air_checks(hall_air_supply_c=number(26), elevation_m=number(0))}
    assert found == {"A1": True, "A2": True, "A3": True, "A4": True, "H1": False}
    high = air_checks(hall_air_supply_c=number(31), elevation_m=number(3000))
    assert not next(one for one in high if one.name == "A1").holds


def test_unknown_altitude_counts_as_low():
    assert _highest(float("nan")) == _highest(0)
