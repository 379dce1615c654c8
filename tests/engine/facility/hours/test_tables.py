"""Hourly years told in short."""

import dataclasses
import datetime

import numpy as np
import pytest

from app.engine.facility.hours.tables import (
    RANKS,
    by_month_and_hour,
    duration,
    hottest_hour,
    months_and_hours,
    reached_in,
)
from tests.engine.facility.cases import climate
from tests.engine.facility.hours.test_hours import hours_at


def test_months_and_hours_by_hand():
    """Each hour valued by its month and hour of the day comes out as it went in."""
    start = datetime.datetime(2023, 1, 1, tzinfo=datetime.UTC)
    moments = [start + datetime.timedelta(hours=hour) for hour in range(8760)]
    table = by_month_and_hour(np.array([100.0 * moment.month + moment.hour for moment in moments]))
    np.testing.assert_allclose(table, 100.0 * np.arange(1, 13)[:, None] + np.arange(24))


def test_table_of_pue_is_that_of_the_evaluation():
    _, cooling, hours = hours_at(climate("ashburn_va"), cooling="direct_liquid_tower", coolant_supply_c=30)
    tables = months_and_hours(hours)
    np.testing.assert_allclose(tables.pue, cooling.pue_by_month_and_hour, rtol=1e-12)
    assert np.all(tables.water_l_per_h > 0)
    assert np.all((tables.free_cooling_share >= 0) & (tables.free_cooling_share <= 1))


def test_duration_by_hand():
    year = np.arange(8760.0)
    assert reached_in(year, np.array([1, 100, 8760])).tolist() == [8759, 8660, 0]


def test_duration_falls_from_the_hottest_hour_to_the_best():
    _, cooling, hours = hours_at(climate("phoenix_az"), cooling="direct_liquid_dry")
    curve = duration(hours)
    assert curve.hours[0] == 1
    assert curve.hours[-1] == 8760
    assert curve.pue[0] == pytest.approx(cooling.pue_hottest_hour[0])
    assert curve.pue[-1] == hours.pue.min()
    for name in ("pue", "utility_w", "dry_bulb_c", "wet_bulb_c"):
        assert np.all(np.diff(getattr(curve, name)) <= 0), name
    assert np.all(np.diff(RANKS) > 0)


def test_hottest_hour_is_named_by_its_date():
    _, _, hours = hours_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    wanted = datetime.datetime(2023, 7, 31, 15, tzinfo=datetime.UTC)
    index = int((wanted - datetime.datetime(2023, 1, 1, tzinfo=datetime.UTC)).total_seconds() // 3600)
    pue = hours.pue.copy()
    pue[index] = 2.0
    found = hottest_hour(dataclasses.replace(hours, pue=pue))
    assert (found.month, found.day, found.hour, found.hour_of_year) == (7, 31, 15, index)
    assert found.dry_bulb_c == hours.dry_bulb_c[index]


@pytest.mark.parametrize(("index", "day"), [(0, (1, 1, 0)), (31 * 24, (2, 1, 0)), (8759, (12, 31, 23))])
def test_first_and_last_hours(index, day):
    _, _, hours = hours_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    pue = np.ones(8760)
    pue[index] = 3
    found = hottest_hour(dataclasses.replace(hours, pue=pue))
    assert (found.month, found.day, found.hour) == day


def test_unknown_year_has_no_hottest_hour():
    _, _, hours = hours_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    assert hottest_hour(dataclasses.replace(hours, pue=np.full(8760, np.nan))) is None
