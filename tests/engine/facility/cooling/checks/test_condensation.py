"""Dew points against PsychroLib and the stations' own, and hours in which surfaces would drip."""

import csv
import gzip
import math

import numpy as np
import psychrolib
import pytest

from app.engine.facility.cooling.checks.condensation import outdoor_dew_point_c, surfaces
from tests.engine.facility.cases import climate, steady
from tests.support import SEED_DATA, number


def test_dew_point_is_that_of_psychrolib():
    psychrolib.SetUnitSystem(psychrolib.SI)
    dry, wet = np.array([30.0, 20.0, 35.0]), np.array([22.0, 18.0, 20.0])
    found = outdoor_dew_point_c(dry_bulb_c=dry, wet_bulb_c=wet, pressure_pa=np.full(3, 101325.0))
    wanted = [psychrolib.GetTDewPointFromTWetBulb(d, w, 101325) for d, w in zip(dry, wet, strict=True)]
    assert found == pytest.approx(wanted, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("site", ["singapore", "ashburn_va"])
def test_dew_point_is_that_of_the_station(site):
    """Rounded to tenths, both ways: within 0.4 K wherever it matters to a hall."""
    year = climate(site)
    with gzip.open(SEED_DATA / "climate" / f"{site}.csv.gz", "rt", encoding="utf-8") as file:
        stated = np.array([float(row["dew_point_c"]) for row in csv.DictReader(file)])
    found = outdoor_dew_point_c(
        dry_bulb_c=year.dry_bulb_c, wet_bulb_c=year.wet_bulb_c, pressure_pa=year.pressure_pa
    )
    damp = stated > 10
    assert np.abs(found - stated)[damp].max() < 0.4


def _surfaces(surface_c, weather):
    (found,) = surfaces(
        temperatures_c={"water": number(surface_c)},
        climate=weather,
        hall_dew_point_c=number(15),
        margin_k=number(2),
    )
    return found


def test_hours_by_hand():
    """Saturated air at 20 degC: its dew point is 20, so 21.9 degC drips all year and 22.1 never."""
    damp = steady(dry_bulb_c=20, wet_bulb_c=20)
    assert _surfaces(21.9, damp).outside_air_hours == 8760
    assert _surfaces(22.1, damp).outside_air_hours == 0


def test_closed_hall_has_its_own_bound():
    year = climate("singapore")
    assert _surfaces(17, year).holds
    cold = _surfaces(16.9, year)
    assert not cold.holds
    assert cold.outside_air_hours > 8000
    assert _surfaces(40, year).outside_air_hours == 0


def test_colder_surfaces_drip_more():
    year = climate("ashburn_va")
    hours = [_surfaces(surface_c, year).outside_air_hours for surface_c in (10, 16, 20, 26)]
    assert hours == sorted(hours, reverse=True)


def test_unknown_surface_is_unknown():
    assert math.isnan(_surfaces(float("nan"), climate("dublin")).outside_air_hours)
