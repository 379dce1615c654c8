"""Cost against time, drawn and in words."""

from __future__ import annotations

import math

import plotly.graph_objects as go
import pytest

from app.charts.economics.cost_against_time import DrawnPod, DrawnSystem, cost_against_time_figure
from app.charts.figure import Figure

DAY_S = 86_400.0


def pod(days: float, usd: float, **flags: bool) -> DrawnPod:
    return DrawnPod(
        words=f"{1000 / days:,.0f} accelerators",
        elapsed_time_s=days * DAY_S,
        usd=usd,
        feasible=flags.get("feasible", True),
        on_front=flags.get("on_front", False),
        picked=flags.get("picked", False),
        reason="" if flags.get("feasible", True) else "It does not fit.",
    )


OWN = DrawnSystem(name="Own", pods=(pod(10, 9e6, picked=True), pod(20, 8e6)))
NEW = DrawnSystem(name="New", pods=(pod(5, 7e6, on_front=True), pod(12, 5e6, on_front=True)))
BIG = DrawnSystem(name="Big", pods=(pod(4, 6e6, feasible=False),))


def figure(*systems: DrawnSystem, **limits: float) -> Figure:
    return cost_against_time_figure(systems or (OWN, NEW, BIG), money="owned", left_out=["Dear"], **limits)


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def test_a_line_a_system_and_the_front_as_a_staircase() -> None:
    drawn = go.Figure(figure().plot)
    step, own, new, big = drawn.data
    assert step.line.shape == "hv"  # what a pod beats lies above it and to its right
    assert [list(step.x), list(step.y)] == [[5 * DAY_S, 12 * DAY_S], [7e6, 5e6]]
    assert [own.name, new.name, big.name] == ["Own", "New", "Big"]
    assert len({own.line.dash, new.line.dash, big.line.dash}) == 3  # colour is never the only sign
    assert list(big.marker.symbol) == ["diamond-open"]
    assert own.marker.size[0] > own.marker.size[1]  # the one that is picked
    assert (drawn.layout.xaxis.type, drawn.layout.yaxis.type) == ("log", "log")
    assert [mark.label for mark in figure().legend] == ["Own", "New", "Big"]


def test_what_it_says() -> None:
    assert plain(figure().takeaway) == (
        "New with 83 accelerators is cheapest, 5.00 M USD in 12.0 days; New with 200 accelerators is soonest, "
        "7.00 M USD in 5.00 days."
    )
    one = DrawnSystem(name="One", pods=(pod(5, 7e6, on_front=True),))
    assert "is both soonest and cheapest" in figure(one).takeaway
    assert figure(BIG).takeaway == "No pod can be built as it stands."
    assert "Not drawn, as a time or price is unknown: Dear." in figure().caption


def test_the_deadline_and_the_budget_are_drawn_and_named() -> None:
    limited = figure(deadline_s=8 * DAY_S, budget_usd=6e6)
    drawn = go.Figure(limited.plot)
    deadline, budget = drawn.layout.shapes
    assert (deadline.x0, budget.y0) == (8 * DAY_S, 6e6)
    texts = {plain(note.text): note for note in drawn.layout.annotations}
    assert texts["Deadline 8.00 days"].x == pytest.approx(math.log10(8 * DAY_S))
    assert texts["Budget 6.00 M USD"].y == pytest.approx(math.log10(6e6))
    assert plain(limited.takeaway).startswith(
        "New with 200 accelerators is the cheapest that meets the deadline of 8.00 days"
    )
    assert plain(figure(deadline_s=DAY_S).takeaway).startswith("No pod meets the deadline of 24.0 h.")


def test_the_seventh_system_and_those_after_it_share_a_colour() -> None:
    many = [DrawnSystem(name=f"S{place}", pods=OWN.pods) for place in range(9)]
    found = figure(*many)
    assert [mark.slot for mark in found.legend] == ["c1", "c2", "c3", "c4", "c5", "c6", "c7"]
    assert found.legend[-1].label == "S6, S7, S8"


def test_the_table_says_what_the_marks_mean() -> None:
    cells = {row.cells[0] + row.cells[2]: row.cells[-1] for row in figure().rows}
    assert "no other is sooner and cheaper" in cells.values()
    assert "It does not fit." in cells.values()
    assert "picked" in cells.values()


def test_nothing_known_is_said() -> None:
    empty = figure(DrawnSystem(name="Dear", pods=()))
    assert empty.plot is None
    assert "No pod has both" in empty.takeaway
