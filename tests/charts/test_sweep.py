"""A figure of a sweep: lines over values, points of a sample, and nothing where nothing is known."""

from __future__ import annotations

import math

from app.charts.sweep import Group, Quantity, sweep_line, sweep_points

PRICE = Quantity(name="Electricity", unit="USD/kWh", shown=lambda value: f"{value:g} USD/kWh")
COST = Quantity(name="TCO", unit="USD", shown=lambda value: f"{value:,.0f} USD")
SITE = Quantity(name="Site", unit="1", shown=str)


def drawn(figure):
    assert figure.plot is not None
    return figure.plot


def test_the_line_is_the_best_and_its_bars_reach_to_the_worst():
    groups = [
        Group(value=0.05, best=10.0, worst=30.0, designs=4),
        Group(value=0.1, best=20.0, worst=25.0, designs=3),
    ]
    figure = sweep_line(PRICE, COST, groups, takeaway="It says so.", goal="lowest")
    (line,) = drawn(figure)["data"]
    assert (line["x"], line["y"]) == ([0.05, 0.1], [10.0, 20.0])
    assert line["error_y"]["array"] == [20.0, 5.0]
    assert line["error_y"]["arrayminus"] == [0, 0]
    assert figure.rows[0].cells == ("0.05 USD/kWh", "10 USD", "30 USD", "4")
    assert figure.eyebrow == "TCO by electricity"
    assert figure.takeaway == "It says so."


def test_the_worst_of_what_should_be_high_lies_below():
    groups = [Group(value=1, best=0.5, worst=0.2, designs=2)]
    (line,) = drawn(sweep_line(PRICE, COST, groups, takeaway="", goal="highest"))["data"]
    assert line["error_y"]["array"] == [0]
    assert math.isclose(line["error_y"]["arrayminus"][0], 0.3)


def test_words_stand_on_an_axis_of_words_and_one_design_each_needs_no_bars():
    groups = [
        Group(value=site, best=cost, worst=cost, designs=1)
        for site, cost in (("ashburn", 2.0), ("stockholm", 1.0))
    ]
    plot = drawn(sweep_line(SITE, COST, groups, takeaway="", goal="lowest"))
    assert plot["layout"]["xaxis"]["categoryarray"] == ["ashburn", "stockholm"]
    assert plot["data"][0]["mode"] == "markers"
    assert plot["data"][0]["error_y"] == {"visible": False}


def test_a_wide_range_is_logarithmic():
    groups = [Group(value=value, best=value, worst=value, designs=1) for value in (1.0, 10.0, 100.0)]
    layout = drawn(sweep_line(PRICE, COST, groups, takeaway="", goal="lowest"))["layout"]
    assert layout["xaxis"]["type"] == layout["yaxis"]["type"] == "log"


def test_points_of_a_sample_name_their_designs():
    figure = sweep_points(PRICE, COST, [(7, 0.05, 10.0), (9, 0.07, 12.0)], takeaway="Two.")
    assert drawn(figure)["data"][0]["customdata"][1] == ["9", "0.07 USD/kWh", "12 USD"]
    assert [row.cells[0] for row in figure.rows] == ["7", "9"]


def test_nothing_is_drawn_where_nothing_is_known():
    for figure in (
        sweep_line(PRICE, COST, [], takeaway="", goal="lowest"),
        sweep_points(PRICE, COST, [], takeaway=""),
    ):
        assert figure.plot is None
        assert figure.takeaway == "No feasible design has this figure."
