"""The chart of a question."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.charts.question import AnswerChart, AnswerPoint, question_figure

DAY_S = 86_400.0


def point(label: str, x: float, y: float, **more: Any) -> AnswerPoint:
    stated = {"low": math.nan, "high": math.nan, "feasible": True, "chosen": False, "note": ""} | more
    return AnswerPoint(label=label, x=x, y=y, **stated)


def chart(
    *points: AnswerPoint, unit: str = "s", x_title: str = "Accelerators", limit: float = math.nan
) -> AnswerChart:
    return AnswerChart(
        title="Time to train",
        takeaway="Eight are enough",
        caption="Evaluated pods.",
        x_title=x_title,
        y_title="Time",
        y_unit=unit,
        limit=limit,
        limit_label="Deadline",
        points=points,
    )


def test_days_are_read_in_days() -> None:
    figure = question_figure(
        chart(point("4", 4, 20 * DAY_S), point("8", 8, 10 * DAY_S, chosen=True), limit=12 * DAY_S)
    )
    assert figure.plot is not None
    (line,) = figure.plot["data"]
    assert line["y"] == pytest.approx([20, 10])
    assert figure.plot["layout"]["yaxis"]["ticktext"][-1].endswith("days")
    assert any("Deadline" in note["text"] for note in figure.plot["layout"]["annotations"])


def test_a_band_is_of_the_points_that_have_an_interval() -> None:
    known = {"low": 8.0, "high": 12.0}
    figure = question_figure(
        chart(point("4", 4, 9, **known), point("8", 8, 10, **known), point("16", 16, 11), unit="USD")
    )
    assert figure.plot is not None
    band, line = figure.plot["data"]
    assert len(band["x"]) == 4
    assert len(line["x"]) == 3


def test_what_is_infeasible_is_in_the_table_alone() -> None:
    figure = question_figure(
        chart(point("4", 4, 9), point("8", 8, math.nan, feasible=False, note="Out of memory."))
    )
    assert figure.plot is not None
    assert [row.cells for row in figure.rows][1] == ("8", "n/a", "", "infeasible; Out of memory.")
    assert len(figure.plot["data"][0]["x"]) == 1


def test_bars_without_an_axis_of_numbers() -> None:
    figure = question_figure(
        chart(
            point("A", math.nan, 2e6, low=1e6, high=3e6, chosen=True), point("B", math.nan, 4e6), unit="USD", x_title=""
        )
    )  # fmt: skip
    assert figure.plot is not None
    (bars,) = figure.plot["data"]
    assert bars["x"] == pytest.approx([2, 4])
    assert bars["error_x"]["array"] == pytest.approx([1, 0])


def test_nothing_known_is_an_empty_chart_with_a_reason() -> None:
    figure = question_figure(chart(point("4", 4, math.nan, feasible=False)))
    assert figure.plot is None
    assert figure.takeaway == "Eight are enough."
