"""The run by every method as bars: order, marks of research, and unknown."""

from __future__ import annotations

import math

from app.charts.economics.run_methods import MethodBar, run_methods_figure
from tests.charts.support import layout, traces

BARS = [
    MethodBar("Rented on demand", "rented", 110e6, 330e6),
    MethodBar("Rented on spot", "rented", math.nan, math.nan),
    MethodBar("Levelised ownership", "owned", 55e6, 165e6),
    MethodBar("Acquisition of the cluster", "bought", 780e6, None),
]


def test_bars_stand_on_a_logarithmic_axis() -> None:
    figure = run_methods_figure(BARS, 1.0)
    (bars,) = traces(figure)
    assert bars["y"] == ["Rented on demand", "Levelised ownership", "Acquisition of the cluster"]
    assert bars["x"] == [110e6, 55e6, 780e6]
    assert layout(figure)["xaxis"]["type"] == "log"
    assert figure.takeaway == "Rented on demand is 2.0 times levelised ownership."
    assert [row.cells[2] for row in figure.rows][1] == "unknown"
    assert [len(row.cells) for row in figure.rows] == [len(figure.columns)] * 4


def test_research_is_a_mark_beyond_the_bar() -> None:
    figure = run_methods_figure(BARS, 3.0)
    marks = traces(figure)[1]
    assert marks["x"] == [330e6, 165e6]
    assert "diamond" in figure.caption
    low, high = layout(figure)["xaxis"]["range"]
    assert 10**low < 55e6
    assert 10**high > 780e6
    assert figure.columns[-1].name == "With research"
    assert "Rented on<br>demand" in figure.narrow["yaxis.ticktext"]


def test_unknown_is_said() -> None:
    figure = run_methods_figure([MethodBar("Rented on demand", "rented", math.nan, None)], 1.0)
    assert figure.plot is None
    assert "not known by any method" in figure.takeaway
