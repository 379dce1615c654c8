"""Predicted against measured: every run drawn with its marker, and only what fits is named."""

from __future__ import annotations

import json
import math
from pathlib import Path

import plotly.graph_objects as go
import pytest

from app.charts.forms import SYMBOLS
from app.charts.predicted_measured import Point, Series, predicted_measured_figure

SERIES = tuple(Series(f"Generation {slot}", slot) for slot in SYMBOLS)
TOKENS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"


def points(count: int = 14, named: bool = False) -> list[Point]:
    return [
        Point(
            key=f"AB-{place:03}",
            name=f"Model {place}, 8 GPUs",
            series=SERIES[place % len(SERIES)].name,
            measured=10 * 1.5**place,
            predicted=10 * 1.5**place * (1.3 if place == 3 else 1.05),
            named=named,
        )
        for place in range(count)
    ]


def test_every_run_is_drawn_once_with_the_marker_of_its_series() -> None:
    figure = predicted_measured_figure(points(), SERIES, caption="Said below.")
    assert figure.plot is not None
    go.Figure(figure.plot)
    json.dumps(figure.plot, allow_nan=False)
    markers = [trace for trace in figure.plot["data"] if trace["mode"] == "markers"]
    assert {trace["marker"]["symbol"] for trace in markers} == set(SYMBOLS.values())
    drawn = [row[0] for trace in markers for row in trace["customdata"]]
    assert sorted(drawn) == [point.key for point in points()]
    assert [row.path for row in figure.rows] == [point.key for point in points()]
    assert all(len(row.cells) == len(figure.columns) for row in figure.rows)


def test_both_axes_are_the_same() -> None:
    figure = predicted_measured_figure(points(), SERIES, caption="")
    assert figure.plot is not None
    layout = figure.plot["layout"]
    assert layout["xaxis"]["range"] == layout["yaxis"]["range"]
    assert layout["xaxis"]["type"] == layout["yaxis"]["type"] == "log"
    low, high = layout["xaxis"]["range"]
    assert all(low < math.log10(value) < high for value in layout["xaxis"]["tickvals"])


def test_title_counts_what_lies_within_a_fifth() -> None:
    figure = predicted_measured_figure(points(10), SERIES, caption="")
    assert "Of 10 runs from 10 to 384 tokens/s" in figure.takeaway
    assert "90\u202f% are predicted within" in figure.takeaway


@pytest.mark.parametrize(
    ("predicted", "words"), [(130.0, "too fast, by +30.0"), (90.0, "too slow, by −10.0")]
)
def test_title_of_one_run(predicted: float, words: str) -> None:
    one = Point("AB-001", "Model, 8 GPUs", SERIES[0].name, 100.0, predicted)
    figure = predicted_measured_figure([one], SERIES, caption="")
    assert words in figure.takeaway
    assert figure.plot is not None
    assert len(figure.plot["layout"]["xaxis"]["tickvals"]) > 1


def test_names_keep_apart() -> None:
    figure = predicted_measured_figure(points(named=True), SERIES, caption="")
    assert figure.plot is not None
    places = [note["x"] for note in figure.plot["layout"]["annotations"]]
    assert 2 < len(places) < len(points())
    gaps = [abs(one - other) for one in places for other in places if one != other]
    assert min(gaps) >= 0.3
    assert len(figure.narrow["annotations"]) == 1


def test_nothing_to_draw_is_said() -> None:
    figure = predicted_measured_figure([], SERIES, caption="")
    assert figure.plot is None
    assert figure.takeaway == "No runs are asked for."
