"""Heat maps, duration curves and part load: what Plotly accepts, what they say, and what is unknown."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from app.charts.facility.duration import duration_figures
from app.charts.facility.month_hours import month_hour_figures
from app.charts.facility.part_load import part_load_figure
from app.charts.figure import Figure
from app.engine.facility.hours.part_load import LOAD_SHARES, first_year, part_load, ramp
from app.engine.facility.hours.tables import Duration, MonthsAndHours, duration, months_and_hours
from tests.charts.support import layout, traces
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, steady
from tests.engine.facility.hours.test_hours import hours_at


def filling(months: int = 12) -> Figure:
    facility = facility_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    power, cooling = evaluate(facility=facility)
    given = {"power": power, "cooling": cooling, "facility": facility, "assumptions": defaults()}
    year = first_year(months=part_load(load_share=ramp(months), **given), ramp_months=months)
    return part_load_figure(part_load(load_share=LOAD_SHARES, **given), year)


def tables(weather, **changes) -> tuple[MonthsAndHours, Duration]:
    _, _, hours = hours_at(weather, **changes)
    return months_and_hours(hours), duration(hours)


def drawn(weather, **changes) -> dict[str, Figure]:
    months, curves = tables(weather, **changes)
    found = (*month_hour_figures(months, "Ashburn"), *duration_figures(curves, "Ashburn"))
    return {figure.name: figure for figure in found}


@pytest.fixture(scope="module")
def ashburn() -> dict[str, Figure]:
    found = drawn(climate("ashburn_va"), cooling="direct_liquid_tower", coolant_supply_c=30)
    return found | {"part_load": filling()}


def test_maps_say_when(ashburn) -> None:
    assert re.fullmatch(
        r"PUE runs from 1\.\d\d to 1\.\d\d, highest on (June|July|August) afternoons\.",
        ashburn["pue_year"].takeaway,
    )
    assert "lowest on" in ashburn["free_cooling_year"].takeaway
    assert ashburn["water_year"].columns[1].unit in ("L/h", "m³/h")


def test_plant_without_water_has_no_map_of_it() -> None:
    assert "water_year" not in drawn(climate("ashburn_va"), cooling="direct_liquid_dry")


def test_one_weather_is_said_to_be_one() -> None:
    found = drawn(steady(dry_bulb_c=12, wet_bulb_c=9), cooling="direct_liquid_dry")
    assert found["pue_year"].takeaway.endswith("at every hour of the year.")
    assert found["pue_duration"].takeaway.endswith("in every hour of the year.")
    assert found["utility_duration"].takeaway.endswith("in every hour of the year.")


def test_curves_fall_and_weather_has_two(ashburn) -> None:
    for name in ("pue_duration", "utility_duration", "weather_duration"):
        for trace in traces(ashburn[name]):
            assert np.all(np.diff(trace["y"]) <= 0)
    assert [mark.label for mark in ashburn["weather_duration"].legend] == ["Dry bulb", "Wet bulb"]
    low, high = layout(ashburn["pue_duration"])["yaxis"]["range"]
    assert low < traces(ashburn["pue_duration"])[0]["y"][-1] < high


def test_unknown_hours_are_not_drawn() -> None:
    months, curves = tables(climate("ashburn_va"), cooling="direct_liquid_dry")
    gone = np.full((12, 24), np.nan)
    unknown = dataclasses.replace(months, pue=gone, free_cooling_share=gone, water_l_per_h=gone)
    assert all(figure.plot is None for figure in month_hour_figures(unknown, "Ashburn"))
    without = dataclasses.replace(curves, pue=curves.pue * np.nan, utility_w=curves.utility_w * np.nan)
    assert [figure.plot is None for figure in duration_figures(without, "Ashburn")] == [True, True, False]


def test_parts_stand_on_one_and_reach_the_curve() -> None:
    figure = filling()
    *areas, line = traces(figure)
    assert areas[0]["y"] == [1.0] * LOAD_SHARES.size
    np.testing.assert_allclose(areas[-1]["y"], line["y"], rtol=1e-12)
    assert "10 % full" in figure.takeaway
    assert "over 12 months, its first year comes to 1." in figure.takeaway
    assert "first year" not in filling(0).takeaway


def test_every_figure_is_drawn(ashburn) -> None:
    assert len(ashburn) == 7
    assert all(figure.plot for figure in ashburn.values())
