"""Charts of validation: every run, region and claim is drawn once."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.charts.claim_verdicts import COLOURS, claim_verdicts_figure
from app.charts.error_spread import error_spread_figure
from app.charts.forms import SYMBOLS
from app.charts.predicted_measured import Point, Series, predicted_measured_figure
from app.charts.pue_regions import RegionPoint, pue_regions_figure
from tests.charts.support import layout, plain, traces

SERIES = tuple(Series(f"Generation {slot}", slot) for slot in SYMBOLS)


def points(count: int = 14, named: bool = False) -> list[Point]:
    return [
        Point(
            key=f"AB-{place:03}", name=f"Model {place}, 8 GPUs", series=SERIES[place % len(SERIES)].name,
            measured=10 * 1.5**place, predicted=10 * 1.5**place * (1.3 if place == 3 else 1.05), named=named,
        )
        for place in range(count)
    ]  # fmt: skip


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


ERRORS = st.floats(-0.999, 1e6, allow_nan=False)


@given(st.lists(ERRORS, min_size=1, max_size=50))
def test_bars_hold_every_error(errors: list[float]) -> None:
    figure = error_spread_figure(errors, caption="")
    assert sum(traces(figure)[0]["y"]) == len(errors)
    assert sum(int(row.cells[1]) for row in figure.rows) == len(errors)


def test_bars_stand_where_their_errors_are() -> None:
    figure = error_spread_figure([-0.02, 0.0, 0.039, 0.04, -0.5, 3.0], caption="")
    bars = dict(zip(traces(figure)[0]["x"], traces(figure)[0]["y"], strict=True))
    assert {place: count for place, count in bars.items() if count} == {-42: 1, -2: 1, 2: 2, 6: 1, 42: 1}
    assert figure.rows[0].cells[0] == "under −40\u202f%"
    assert figure.rows[-1].cells[0] == "over +40\u202f%"


def test_title_says_the_middle_and_what_is_far_off() -> None:
    figure = error_spread_figure([-0.1, 0.02, 0.1, 0.9], caption="")
    assert plain(figure.takeaway) == (
        "The median is +6.0 %: 3 of 4 runs are predicted too fast, 1 more than 40 % off."
    )
    assert plain(error_spread_figure([0.1], caption="").takeaway) == "The one error is +10.0 %."
    assert error_spread_figure([], caption="").plot is None


POINTS = (
    RegionPoint("Stockholm, 2024", "Amazon", 1.10, 1.14, True),
    RegionPoint("Jakarta, 2024", "Amazon", 1.40, 1.29, False),
    RegionPoint("Iowa, 2024", "Google", 1.10, 1.16, True),
)


def figure(points=POINTS):
    return pue_regions_figure(points, below=0.09, above=0.1, takeaway="Said above.", caption="Said below.")


def test_every_region_is_drawn_once_and_stands_in_the_table():
    found = figure()
    markers = [trace for trace in traces(found) if trace["mode"] == "markers"]
    drawn = [name for trace in markers for name, *_ in trace["customdata"]]
    assert sorted(drawn) == sorted(point.name for point in POINTS)
    assert [row.cells[0] for row in found.rows] == [point.name for point in POINTS]
    assert [mark.label for mark in found.legend][:2] == ["Amazon", "Google"]


def test_far_climates_have_open_markers():
    symbols = {
        name: trace["marker"]["symbol"]
        for trace in traces(figure())
        if trace["mode"] == "markers"
        for name, *_ in trace["customdata"]
    }
    assert symbols == {"Stockholm, 2024": "circle", "Jakarta, 2024": "circle-open", "Iowa, 2024": "square"}


def test_the_band_lies_around_the_line_where_both_agree():
    agree, low, high = (trace for trace in traces(figure()) if trace["mode"] == "lines")
    assert agree["x"] == agree["y"] == [1.14, 1.29]
    assert low["y"] == pytest.approx([1.05, 1.2])
    assert high["y"] == pytest.approx([1.24, 1.39])


def test_nothing_published():
    assert figure(()).plot is None


TWO = {
    "First": {"wrong": 1, "imprecise": 2, "right": 3, "unverifiable": 0},
    "Second": {"wrong": 4, "imprecise": 0, "right": 1, "unverifiable": 2},
}


def test_bars_hold_every_claim():
    figure = claim_verdicts_figure(TWO)
    assert [bar["x"] for bar in traces(figure)] == [[1, 4], [2, 0], [3, 1], [0, 2]]
    assert [row.cells for row in figure.rows] == [
        ("First", "1", "2", "3", "0"),
        ("Second", "4", "0", "1", "2"),
    ]
    assert [mark.value for mark in figure.legend] == ["5", "2", "4", "2"]
    assert [mark.label.lower() for mark in figure.legend] == list(COLOURS)


def test_title_says_where_most_is_wrong():
    assert claim_verdicts_figure(TWO).takeaway == "4 of the 5 wrong claims are in “Second”."
