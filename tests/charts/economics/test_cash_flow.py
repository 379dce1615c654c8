"""The bars of a cash flow and its sums: what Plotly takes, both sides of nought, and what is unknown."""

from __future__ import annotations

import math

import pytest

from app.charts.economics.cash_flow import CashYears, cash_flow_figure
from app.charts.figure import Figure
from tests.charts.support import layout, traces

NOTHING = [math.nan, math.nan, math.nan]
YEARS = CashYears(
    revenue=[0, 700e6, 700e6],
    sales=[0, 0, 50e6],
    purchase=[1000e6, 0, 0],
    running=[0, 100e6, 100e6],
    tax=[0, 20e6, -10e6],
    cumulative=[-1000e6, -420e6, 240e6],
    discounted=[-1000e6, -473e6, 73e6],
)


def drawn(years: CashYears = YEARS, *, has_tax: bool = True) -> Figure:
    return cash_flow_figure(years, revenue_label="Rent avoided", takeaway="Paid back.", has_tax=has_tax)


def test_bars_and_lines() -> None:
    figure = drawn()
    heights = {trace["name"]: trace["y"] for trace in traces(figure)}
    assert heights["Purchase"][0] == pytest.approx(-1000)
    assert heights["Tax"] == pytest.approx([0, -20, 10])  # what a loss saves comes in
    assert heights["Cumulative"][-1] == pytest.approx(240)
    stacked = sum(heights[name][2] for name in ("Rent avoided", "Worth at the end", "Running cost", "Tax"))
    assert stacked == pytest.approx(heights["Cumulative"][2] - heights["Cumulative"][1])
    axis = layout(figure)["yaxis"]
    assert axis["range"][0] < -1000
    assert axis["range"][1] > 750
    assert min(axis["tickvals"]) < 0 < max(axis["tickvals"])
    assert axis["ticktext"][-1].endswith("M\u00a0USD")
    assert [row.cells[0] for row in figure.rows] == ["0", "1", "2"]


def test_without_tax_there_is_no_bar_of_it() -> None:
    figure = drawn(has_tax=False)
    assert "Tax" not in [mark.label for mark in figure.legend]


def test_unknown_revenue_leaves_the_cost() -> None:
    figure = drawn(
        YEARS._replace(revenue=[0, math.nan, math.nan], cumulative=NOTHING, discounted=NOTHING, tax=NOTHING)
    )
    assert [trace["name"] for trace in traces(figure)] == ["Worth at the end", "Purchase", "Running cost"]
    assert [mark.label for mark in figure.legend] == ["Worth at the end", "Purchase", "Running cost"]


def test_unknown_cost_is_said() -> None:
    figure = drawn(YEARS._replace(purchase=NOTHING))
    assert figure.plot is None
    assert "unknown" in figure.takeaway
