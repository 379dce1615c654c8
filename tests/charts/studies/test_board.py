"""Charts of a board: what is unknown is not drawn, and the front is that of the answers alone."""

from __future__ import annotations

import math

import pytest

from app.charts.studies.board import Bar, Point, multiple_figure, trade_off_figure


def bar(letter: str, value: float) -> Bar:
    return Bar(letter, f"Design {letter}", "c1", value, 0.9 * value, 1.1 * value)


def point(key: str, cost: float, days: float, *, rank: int = 1) -> Point:
    return Point(key, key, "DGX H100", cost, days * 86_400, 1e6, 1e5, 0.1, rank > 0, True, rank)


def test_a_bar_a_column_on_one_axis() -> None:
    figure = multiple_figure(
        [bar("A", 2e6), bar("B", 4e6), bar("C", math.nan)], key="tco_usd", title="Cost", unit="USD"
    )
    assert figure.plot is not None
    (trace,) = figure.plot["data"]
    assert trace["y"] == ["A", "B"]
    assert trace["x"] == [pytest.approx(2), pytest.approx(4)]
    assert figure.takeaway.startswith("A has the least")
    assert len(figure.rows) == 3


def test_more_of_some_figures_is_better() -> None:
    figure = multiple_figure([bar("A", 0.4), bar("B", 0.5)], key="mfu", title="MFU", unit="1", more=True)
    assert figure.takeaway.startswith("B has the most")


def test_what_is_known_of_no_column_is_said() -> None:
    assert multiple_figure([bar("A", math.nan)], key="pue", title="PUE", unit="1").plot is None


def test_the_front_joins_answers_that_no_other_beats() -> None:
    points = [point("a", 4e6, 10), point("b", 2e6, 20), point("c", 5e6, 15), point("d", 1e6, 5, rank=0)]
    figure = trade_off_figure(points, cost_limit=6e6, time_limit=30 * 86_400)
    assert figure.plot is not None
    front = figure.plot["data"][-1]
    assert front["x"] == [pytest.approx(10), pytest.approx(20)]  # c costs more than a and takes longer
    assert len(figure.rows) == 4


def test_one_candidate_is_no_trade_off() -> None:
    assert trade_off_figure([point("a", 1e6, 5)], cost_limit=math.nan, time_limit=math.nan).plot is None
