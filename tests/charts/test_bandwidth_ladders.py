"""Ladders side by side: a line a system, gaps where nothing is published, the same in words."""

from __future__ import annotations

from app.charts.bandwidth_ladders import Line, Measure, ladders_figure
from tests.charts.support import traces

LEVELS = ("Registers", "Memory", "Scale-up", "Another site")
MEASURE = Measure(
    "ladders", "B/s", "Bandwidth", "Caption.", "Nothing is published.", lambda lines: f"{lines[0].name}."
)


def test_every_system_is_a_line_and_unknown_levels_leave_gaps() -> None:
    lines = (Line("This", (4e14, 3e12, 4.5e11, None)), Line("Other", (None, 8e12, 9e11, None)))
    figure = ladders_figure(MEASURE, LEVELS, lines)
    first, second = traces(figure)
    assert first["x"] == [4e14, 3e12, 4.5e11]  # a level that nobody has is not drawn
    assert second["x"][0] is None
    assert second["connectgaps"] is False
    assert figure.rows[0].cells[-1] == "not published"
    assert len(figure.rows) == len(LEVELS)
    assert [mark.label for mark in figure.legend] == ["This", "Other"]
    assert first["line"]["color"] != second["line"]["color"]
    assert all(y < z for y, z in zip(first["y"], second["y"], strict=True))  # side by side in each row


def test_nothing_known_is_an_empty_state() -> None:
    figure = ladders_figure(MEASURE, LEVELS, (Line("This", (None,) * 4),))
    assert figure.plot is None
    assert figure.takeaway == "Nothing is published."


def test_plotly_takes_it() -> None:
    figure = ladders_figure(MEASURE, LEVELS, (Line("This", (4e14, 3e12, 4.5e11, 1e9)),))
    assert figure.plot is not None
