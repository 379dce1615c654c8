"""Predicted against measured: every run drawn with its marker, and only what fits is named."""

from __future__ import annotations

import math

import pytest

from app.charts.forms import SYMBOLS
from app.charts.predicted_measured import Point, Series, predicted_measured_figure
from tests.charts.support import layout, traces

SERIES = tuple(Series(f"Generation {slot}", slot) for slot in SYMBOLS)


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
    markers = [trace for trace in traces(figure) if trace["mode"] == "markers"]
    assert {trace["marker"]["symbol"] for trace in markers} == set(SYMBOLS.values())
    drawn = [row[0] for trace in markers for row in trace["customdata"]]
    assert sorted(drawn) == [point.key for point in points()]
    assert [row.path for row in figure.rows] == [point.key for point in points()]


def test_both_axes_are_the_same() -> None:
    figure = predicted_measured_figure(points(), SERIES, caption="")
    axes = layout(figure)
    assert axes["xaxis"]["range"] == axes["yaxis"]["range"]
    assert axes["xaxis"]["type"] == axes["yaxis"]["type"] == "log"
    low, high = axes["xaxis"]["range"]
    assert all(low < math.log10(value) < high for value in axes["xaxis"]["tickvals"])


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
    assert len(layout(figure)["xaxis"]["tickvals"]) > 1


def test_names_keep_apart() -> None:
    figure = predicted_measured_figure(points(named=True), SERIES, caption="")
    places = [note["x"] for note in layout(figure)["annotations"]]
    assert 2 < len(places) < len(points())
    gaps = [abs(one - other) for one in places for other in places if one != other]
    assert min(gaps) >= 0.3
    assert len(figure.narrow["annotations"]) == 1


def test_nothing_to_draw_is_said() -> None:
    figure = predicted_measured_figure([], SERIES, caption="")
    assert figure.plot is None
    assert figure.takeaway == "No runs are asked for."
