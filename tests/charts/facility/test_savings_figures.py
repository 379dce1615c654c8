"""The waterfall of savings and the hours of clean energy: what Plotly accepts, what they say, what is unknown."""

from __future__ import annotations

import math

import pytest

from app.charts.facility.matching import WeekHours, matched_map_figure, week_figure
from app.charts.facility.savings_waterfall import Drop, energy_shown, savings_figure
from app.charts.figure import Figure
from tests.charts.support import assert_whole, traces

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
        "Mid July (summer)",
        [load] * HOURS,
        [load * sun for sun in day],
        [0.0] * HOURS,
        [load * (1 - sun) for sun in day],
        [3 * load * sun for sun in day],
    )


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


def test_unknown_is_said() -> None:
    assert waterfall(math.nan).plot is None
    assert week_figure(week(math.nan), "week_0").plot is None
    assert matched_map_figure(share(math.nan)).plot is None


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
