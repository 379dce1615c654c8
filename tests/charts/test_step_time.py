"""Where the time of a step goes, with own runs and without."""

from __future__ import annotations

from typing import Any

import pytest

from app.charts.figure import Figure
from app.charts.step_time import step_time_figure
from app.surfaces.pages.cards import time_bar
from tests.charts.support import layout, traces
from tests.surfaces.pages.states import whole


def corrected(ratio: float) -> dict[str, Any]:
    """An evaluation whose scenario states own runs."""
    evaluation = whole()
    performance = evaluation["performance"]
    predicted = performance["step_time_s"]
    performance["step_time_s"] = predicted / ratio
    performance["time_breakdown_s"]["calibration"] = predicted / ratio - predicted
    return evaluation


def bar_end(figure: Figure) -> float:
    return float(sum(trace["x"][0] for trace in traces(figure)))


@pytest.mark.parametrize(
    ("ratio", "words"), [(0.8, "Own runs take 25.0\u202f% longer"), (1.25, "Own runs take 20.0\u202f% less")]
)
def test_own_runs_are_a_line_beside_the_predicted_parts(ratio: float, words: str) -> None:
    """A bar has no length below 0: the parts stay as predicted, and the line is at what was measured."""
    before, figure = step_time_figure(whole()), step_time_figure(corrected(ratio))
    assert words in figure.takeaway
    assert figure.takeaway.startswith(before.takeaway)
    assert bar_end(figure) / layout(figure)["shapes"][0]["x0"] == pytest.approx(ratio, rel=1e-3)
    assert figure.legend_rows[-1].cells[0] == "Correction by own runs"
    assert figure.legend_rows[-1].cells[1].startswith("\N{MINUS SIGN}") == (ratio > 1)


def test_without_own_runs_nothing_is_said_of_them() -> None:
    figure = step_time_figure(whole())
    assert layout(figure)["shapes"] == []
    assert "Own runs" not in figure.takeaway
    assert all("own runs" not in row.cells[0] for row in figure.legend_rows)


def test_the_bar_of_a_card_is_of_the_predicted_parts() -> None:
    assert time_bar(corrected(1.25)) == time_bar(whole())
