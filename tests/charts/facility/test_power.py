"""Power, hours and savings of a facility: bars that add up, words that follow, and what is unknown."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts import FIGURES
from app.charts.facility.duration import duration_figures
from app.charts.facility.it_parts import it_parts_figure
from app.charts.facility.matching import WeekHours, matched_map_figure, week_figure
from app.charts.facility.month_hours import month_hour_figures
from app.charts.facility.part_load import part_load_figure
from app.charts.facility.power_caps import power_caps_figure
from app.charts.facility.power_swing import power_swing_figure
from app.charts.facility.savings_waterfall import Drop, energy_shown, savings_figure
from app.charts.facility.sites import SitePoint, sites_figure
from app.charts.figure import Figure
from app.engine.facility.hours.part_load import LOAD_SHARES, first_year, part_load, ramp
from app.engine.facility.hours.tables import Duration, MonthsAndHours, duration, months_and_hours
from app.engine.facility.it.breakdown import CapPoint, ItTotals, PartLine
from app.engine.facility.it.transients import swing_trace, transients
from tests.charts.support import assert_whole, layout, plain, traces
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, steady
from tests.engine.facility.hours.test_hours import hours_at
from tests.support import dgx_h100, number
from tests.surfaces.pages.states import whole

NAN = float("nan")
TOTALS = ItTotals(idle_w=2e6, mean_w=7e6, peak_w=8e6, design_w=10e6)
PARTS = (
    PartLine(key="accelerators", label="Accelerators", idle_w=0.5e6, mean_w=5e6, peak_w=6e6, design_w=6e6,
             basis="TDP", source="a"),
    PartLine(key="drives", label="Drives", idle_w=NAN, mean_w=NAN, peak_w=NAN, design_w=NAN,
             basis="not distinguished", source="b"),
    PartLine(key="other", label="Other in the SuperNodes", idle_w=1.5e6, mean_w=2e6, peak_w=2e6, design_w=4e6,
             basis="remainder", source="c"),
)  # fmt: skip


def point(cap: float, **changes: float) -> CapPoint:
    values = {
        "step_time_s": 6 / cap**0.5, "it_power_mean_w": 7e6 * cap, "utility_peak_w": 9e6 * cap,
        "energy_j_per_step": 4e7 * cap**0.5, "energy_j_per_token": 7 * cap**0.5,
    }  # fmt: skip
    return CapPoint(power_cap=cap, **(values | changes))


CAPS = tuple(point(cap) for cap in (1.0, 0.8, 0.5))


def swing(cap: float | None = None) -> Figure:
    node = dgx_h100()
    chip = dataclasses.replace(node.accelerator, power_cap=None if cap is None else number(cap))
    facility = facility_at(steady(dry_bulb_c=15, wet_bulb_c=10))
    power = evaluate(facility=facility, supernode=dataclasses.replace(node, accelerator=chip))[0]
    found = transients(
        power=power, step_time_s=number(5), ramp_limit_w_per_s=number(1e4), assumptions=defaults()
    )
    return power_swing_figure(found, swing_trace(found))


@pytest.fixture(scope="module")
def drawn() -> tuple[Figure, ...]:
    return (
        it_parts_figure(PARTS, TOTALS),
        power_caps_figure(CAPS, NAN),
        power_caps_figure(tuple(point(cap, energy_j_per_token=NAN) for cap in (1.0, 0.8)), 0.8),
        swing(),
    )


def test_bars_stand_for_all_of_the_power(drawn: tuple[Figure, ...]) -> None:
    figure = drawn[0]
    stacks = np.sum([bar["x"] for bar in traces(figure)], axis=0)
    assert stacks == pytest.approx([2, 7, 8, 10])
    assert "7.00" in figure.takeaway
    assert "71" in figure.takeaway
    assert figure.rows[1].cells[1:] == ("not published",) * 4


def test_caps_are_told_against_none(drawn: tuple[Figure, ...]) -> None:
    assert "11.8" in drawn[1].takeaway
    assert "10.6" in drawn[1].takeaway
    assert traces(drawn[1])[0]["y"][0] == 100
    assert not layout(drawn[1])["shapes"]
    assert layout(drawn[2])["shapes"][0]["x0"] == 80
    assert "energy per step" in drawn[2].eyebrow.lower()


def test_the_feed_follows_the_racks(drawn: tuple[Figure, ...]) -> None:
    racks, feed = (np.array(line["y"]) for line in traces(drawn[3]))
    assert feed[0] == racks[0]
    assert feed[-1] == pytest.approx(racks[-1])
    assert "kWh" in drawn[3].takeaway


def test_every_figure_is_drawn(drawn: tuple[Figure, ...]) -> None:
    assert all(figure.plot for figure in drawn)


HOURS = 168


def waterfall(*saved: float, grid: float | None = None, baseline: float = 10_000.0) -> Figure:
    energy = baseline - sum(saved)
    return savings_figure(
        [Drop(f"Step {place}", kwh) for place, kwh in enumerate(saved)],
        baseline_kwh=baseline,
        energy_kwh=energy,
        grid_kwh=energy if grid is None else grid,
    )


def week(load: float = 2e6) -> WeekHours:
    day = [1.0 if 8 <= hour % 24 < 18 else 0.0 for hour in range(HOURS)]
    return WeekHours(
        "Mid July (summer)", [load] * HOURS, [load * sun for sun in day], [0.0] * HOURS,
        [load * (1 - sun) for sun in day], [3 * load * sun for sun in day],
    )  # fmt: skip


def share(noon: float) -> list[list[float]]:
    return [[noon if hour == 12 else 0.1 for hour in range(24)] for _ in range(12)]


def test_bars_lead_from_the_baseline_to_the_grid() -> None:
    figure = waterfall(1000, -200, grid=3000)
    (bars,) = traces(figure) if figure.plot else ({},)
    assert bars["y"] == ["Baseline", "Step 0", "Step 1", "At the meter", "Clean energy", "From the grid"]
    assert bars["base"] == [0, 10, 9, 0, 9.2, 0]
    assert bars["x"] == pytest.approx([10, -1, 0.2, 9.2, -6.2, 3])
    assert (
        figure.takeaway
        == "8.0\u202f% of the energy is saved; with clean energy 70.0\u202f% less comes from the grid."
    )
    assert [mark.label for mark in figure.legend] == ["Energy saved", "Energy added", "Grid energy displaced"]
    assert figure.rows[1].cells == ("Step 0", "Energy saved", "\u22121", "\u221210.0")


def test_without_clean_energy_the_meter_is_the_end() -> None:
    figure = waterfall(1000)
    assert [row.cells[0] for row in figure.rows] == ["Baseline", "Step 0", "At the meter"]
    assert "grid" not in figure.takeaway


def test_a_week_says_how_much_of_it_is_carried() -> None:
    figure = week_figure(week(), "week_0")
    assert figure.takeaway == "Clean energy carries 42\u202f% of this week."
    assert figure.rows[0].cells == ("Day 1, mean", "0.833", "0", "1.17", "2.50")


def test_the_map_names_its_worst_hours() -> None:
    assert matched_map_figure(share(0.9)).takeaway == (
        "Between 10 and 90\u202f% of the load is matched, least on January nights."
    )


@pytest.mark.parametrize(
    ("kwh", "text"), [(0.5, "0.500"), (1234, "1.23"), (5e7, "50"), (math.nan, "unknown")]
)
def test_energies_in_their_units(kwh: float, text: str) -> None:
    assert energy_shown(kwh).value == text


@pytest.mark.parametrize(
    "figure",
    [
        waterfall(1000, -200, 0, grid=3000),
        waterfall(),
        week_figure(week(), "week_0"),
        matched_map_figure(share(0.9)),
    ],
)
def test_they_are_whole(figure: Figure) -> None:
    assert figure.plot is not None
    assert_whole(figure)


def filling(months: int = 12) -> Figure:
    facility = facility_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    power, cooling = evaluate(facility=facility)
    given = {"power": power, "cooling": cooling, "facility": facility, "assumptions": defaults()}
    year = first_year(months=part_load(load_share=ramp(months), **given), ramp_months=months)
    return part_load_figure(part_load(load_share=LOAD_SHARES, **given), year)


def tables(weather, **changes) -> tuple[MonthsAndHours, Duration]:
    _, _, hours = hours_at(weather, **changes)
    return months_and_hours(hours), duration(hours)


def hours_drawn(weather, **changes) -> dict[str, Figure]:
    months, curves = tables(weather, **changes)
    found = (*month_hour_figures(months, "Ashburn"), *duration_figures(curves, "Ashburn"))
    return {figure.name: figure for figure in found}


@pytest.fixture(scope="module")
def ashburn() -> dict[str, Figure]:
    found = hours_drawn(climate("ashburn_va"), cooling="direct_liquid_tower", coolant_supply_c=30)
    return found | {"part_load": filling()}


def test_maps_say_when(ashburn) -> None:
    assert re.fullmatch(
        r"PUE runs from 1\.\d\d to 1\.\d\d, highest on (June|July|August) afternoons\.",
        ashburn["pue_year"].takeaway,
    )
    assert "lowest on" in ashburn["free_cooling_year"].takeaway
    assert ashburn["water_year"].columns[1].unit in ("L/h", "m³/h")


def test_plant_without_water_has_no_map_of_it() -> None:
    assert "water_year" not in hours_drawn(climate("ashburn_va"), cooling="direct_liquid_dry")


def test_one_weather_is_said_to_be_one() -> None:
    found = hours_drawn(steady(dry_bulb_c=12, wet_bulb_c=9), cooling="direct_liquid_dry")
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
    assert "over 12 months, the first year has 1." in figure.takeaway
    assert "first year" not in filling(0).takeaway


def test_every_figure_is_drawn_of_hours(ashburn) -> None:
    assert len(ashburn) == 7
    assert all(figure.plot for figure in ashburn.values())


def test_every_hour_is_a_cell() -> None:
    evaluation = whole()
    figure = FIGURES["pue_hours"](evaluation)
    heat = traces(figure)[0]
    assert heat["z"] == evaluation["cooling"]["pue_by_month_and_hour"]
    assert heat["y"][6] == "Jul"
    assert [row.cells[0] for row in figure.rows] == heat["y"]
    assert float(figure.rows[6].cells[15]) == pytest.approx(heat["z"][6][14], abs=5e-4)


def test_hottest_part_of_the_day_is_named() -> None:
    assert FIGURES["pue_hours"](whole()).takeaway == "PUE runs from 1.09 to 1.18, highest on July afternoons."


def test_flat_year_is_not_drawn_as_weather() -> None:
    evaluation = whole()
    evaluation["cooling"]["pue_by_month_and_hour"] = [[1.1 + 1e-5 * hour for hour in range(24)]] * 12
    figure = FIGURES["pue_hours"](evaluation)
    assert figure.takeaway == "PUE is 1.10 at every hour of the year."
    heat = traces(figure)[0]
    assert heat["zmax"] - heat["zmin"] > 0.009


def sites_point(name: str, cost: float, carbon: float, **flags: bool) -> SitePoint:
    return SitePoint(
        name=name, usd_per_accelerator_hour=cost, operational_kg=carbon,
        on_front=flags.get("on_front", False), here=flags.get("here", False), words="Air, dry, PUE 1.200",
    )  # fmt: skip


CHEAP = sites_point("Cheap", 3.0, 5e6, on_front=True)
CLEAN = sites_point("Clean", 3.3, 1e6, on_front=True)
HERE = sites_point("Here", 3.6, 6e6, here=True)


def test_the_front_is_a_staircase_and_this_design_is_ringed() -> None:
    figure = sites_figure([HERE, CHEAP, CLEAN], left_out=3)
    assert figure.plot is not None
    drawn = go.Figure(figure.plot)
    others, front, here = drawn.data
    assert list(others.x) == [6000.0]
    assert (list(front.x), list(front.y)) == ([1000.0, 5000.0], [3.3, 3.0])  # tonnes
    assert front.line.shape == "hv"  # what a point beats lies above it and to its right
    assert here.marker.symbol == "circle-open"
    said = plain(figure.takeaway)
    assert (
        said
        == "Cheap is cheapest; Clean emits 80.0 % less for 10.0 % more. Here costs 20.0 % more than the cheapest."
    )
    assert "3 sites" in figure.caption
    assert [mark.label for mark in figure.legend][-1] == "This design"
    low, high = drawn.layout.yaxis.range
    assert low < 3.0 < 3.6 < high
    assert drawn.layout.xaxis.ticktext[-1].endswith("t")


def test_one_site_may_be_both() -> None:
    alone = dataclasses.replace(CHEAP, here=True, operational_kg=40.0)
    figure = sites_figure([alone], left_out=0)
    assert figure.takeaway == "Cheap is both cheapest and cleanest."
    assert go.Figure(figure.plot).layout.xaxis.ticktext[-1].endswith("kg")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: it_parts_figure(PARTS, ItTotals(idle_w=NAN, mean_w=NAN, peak_w=NAN, design_w=NAN)),
        lambda: power_caps_figure((point(1.0, it_power_mean_w=NAN),), NAN),
        lambda: waterfall(NAN),
        lambda: week_figure(week(NAN), "week_0"),
        lambda: matched_map_figure(share(NAN)),
        lambda: sites_figure([], left_out=61),
    ],
)
def test_what_is_unknown_is_said_and_not_drawn(draw: Callable[[], Figure]) -> None:
    assert draw().plot is None
    assert re.search("unknown|No site has both", draw().takeaway)
