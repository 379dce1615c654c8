"""Figures of simulated requests: what is drawn, what a table says, and an empty minute."""

from __future__ import annotations

from app.charts.serving.simulated import Minutes, SharesWithin, minutes_figure, shares_figure
from tests.charts.support import layout, traces


def shares(**changes: object) -> SharesWithin:
    values: dict[str, object] = {
        "name": "simulated_ttft", "title": "Time to first token", "shares": [0.5, 0.95], "simulated_s": [0.2, 0.4],
        "formula": [(0.5, 0.21), (0.95, 0.38)], "promised_s": 0.5, "takeaway": "95 % within 400 ms.",
    }  # fmt: skip
    return SharesWithin(**(values | changes))  # type: ignore[arg-type]


def test_shares_are_in_percent_and_times_in_one_unit() -> None:
    figure = shares_figure(shares())
    line, marks = traces(figure)
    assert line["y"] == [50, 95]
    assert line["x"] == [200, 400]
    assert marks["x"] == [210, 380]
    assert layout(figure)["shapes"][0]["x0"] == 500
    assert [row.cells for row in figure.rows] == [("50\u202f%", "200\u202fms"), ("95\u202f%", "400\u202fms")]
    assert [mark.label for mark in figure.legend] == ["Simulated", "Formulas"]


def test_without_formulas_and_without_a_promise() -> None:
    figure = shares_figure(shares(formula=[], promised_s=None))
    assert [mark.label for mark in figure.legend] == ["Simulated"]
    assert layout(figure)["shapes"] == []


def test_a_minute_in_which_nobody_came() -> None:
    figure = minutes_figure(
        Minutes(minutes=[1, 2], first_s=[0.3, None], running=[12.0, 0.0], takeaway="Slowest in minute 1.")
    )
    assert traces(figure)[0]["y"] == [300, None]
    assert figure.rows[1].cells == ("2", "none came", "0")
