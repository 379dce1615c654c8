"""The chart of a demand's hours: steps to the end of the last hour, and a table of all of them."""

from __future__ import annotations

import math

from app.charts.figure import Figure
from app.charts.serving.demand_hours import HourDrawn, HoursDrawn, demand_hours_figure
from tests.charts.support import layout, traces


def drawn(count: int = 24, *, follows: bool = True) -> Figure:
    hours = [
        HourDrawn(
            title=f"hour {hour}", requests_per_s=10.0 * (hour % 3), needed=hour % 3, running=hour % 3 + 1, paid=3.25,
            utilisation=0.5, ttft_within_s=0.4 if hour % 3 else math.nan, tpot_within_s=0.03 if hour % 3 else math.nan,
            keeps=hour != 1,
        )
        for hour in range(count)
    ]  # fmt: skip
    return demand_hours_figure(
        HoursDrawn(hours=hours, rate=12, always_on=4, follows=follows, share=0.95, takeaway="All of it.")
    )


def test_capacity_is_in_requests_and_ends_with_the_day() -> None:
    figure = drawn()
    needed, running, demand = traces(figure)
    assert (needed["x"][-1], needed["y"][:3], needed["y"][-1]) == (24, [0, 12, 24], 24)
    assert running["y"][:3] == [12, 24, 36]
    assert (demand["x"][0], demand["y"][:3]) == (0.5, [0, 10, 20])
    assert layout(figure)["shapes"][0]["y0"] == 48
    assert layout(figure)["xaxis"]["ticktext"] == ["00:00", "06:00", "12:00", "18:00"]
    assert "a day" in figure.eyebrow


def test_a_week_is_named_by_its_days() -> None:
    figure = drawn(168)
    assert layout(figure)["xaxis"]["ticktext"] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert len(figure.rows) == 168


def test_the_table_says_which_hours_keep_the_promise() -> None:
    quiet, missed, kept = drawn().rows[:3]
    assert quiet.cells[6:] == ("none asked", "none asked", "kept")
    assert missed.cells == (
        "hour 1",
        "10",
        "1",
        "2",
        "3.25",
        "50\u202f%",
        "400\u202fms",
        "30.0\u202fms",
        "missed",
    )
    assert kept.cells[-1] == "kept"


def test_where_all_run_only_what_is_needed_is_drawn_beside_the_demand() -> None:
    figure = drawn(follows=False)
    assert [line["name"] for line in traces(figure)] == ["Capacity needed", "Demand"]
    assert [mark.label for mark in figure.legend] == ["Demand", "Capacity needed"]
