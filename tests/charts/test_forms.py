"""Forms of charts: one theme, the unit last, and marks that say what they are told to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts import forms
from app.charts.figure import Column, Row, line_marks, table
from tests.charts.support import assert_drawable, plain

STEPS = [
    forms.Step("A", 0, 4, "c1", "4", "4 kg", total=True),
    forms.Step("less", 4, -2, "c7", "\u22126", "\u22126 kg, less"),
    forms.Step("B", 0, -2, "c2", "\u22122", "\u22122 kg", total=True),
]


@pytest.mark.parametrize(
    "trace",
    [
        forms.line([1, 2], [3, None], "c2", 1.8, "dash", size=7, symbol="square", text=["a", "b"], place="top right"),
        forms.dots(np.array([1, 2]), np.array([3.0, 4.0]), ["c1", "bg"], [8, 12], edge="c1", edge_width=2),
        forms.bars(["a", "b"], [1, 2], base=[0, 1], error_x=forms.error_bars([1, 1], [0, 1])),
        forms.columns([1, 2], [3, 4], **forms.inside(["3", "4"], "on-c1")),
        forms.bars(["a"], [1], **forms.inside_or_beside(["1"], "on-c1")),
        forms.band([0, 1], [1, 2], [3, 4], "c1", 0.2),
        forms.segments([(0, 0, 1, 1)], "c1", 2),
        forms.texts(["a"], ["b"], ["words"], ["bg"]),
        forms.heat_map(["a"], ["b"], [[1.0]], [0, 2], scale=([0, 2], ["0", "2"]), hover="%{z}"),
        forms.sankey([("a", "1 W", "c1"), ("b", "1 W", "c7")], ([0, 1], [0, 1]), [(0, 1, 1.0, "c1", ["a", "b", "1 W"])],
                     pad=8, thickness=8),
    ],
    ids=lambda trace: trace["type"],
)  # fmt: skip
def test_every_trace_is_one_that_plotly_takes(trace: dict[str, Any]) -> None:
    assert_drawable(forms.plot([trace], 200))


def test_what_has_no_words_says_nothing_when_it_is_pointed_at() -> None:
    assert forms.line([1], [2])["hoverinfo"] == "skip"
    said = forms.dots([1], [2], said=["one"], hover="%{customdata}")
    assert (said["hovertemplate"], said["customdata"]) == ("%{customdata}<extra></extra>", ["one"])


def test_the_unit_stands_on_the_last_label() -> None:
    assert plain(forms.from_zero(7, "M USD")["ticktext"][-1]) == "6 M USD"
    assert forms.values([10, 20], ["10", "20"], [0, 25], unit="°C")["ticktext"] == ["10", "20°C"]
    assert forms.along([1], forms.plain, [0, 2], title="Months")["title"]["text"] == "Months"


@pytest.mark.parametrize("log", [False, True])
def test_the_name_of_a_limit_stands_at_it(log: bool) -> None:
    """Shapes of a logarithmic axis take values, annotations take exponents."""
    for direction in ("x", "y"):
        drawn = forms.plot([], 200, limits=[forms.limit("most", **{direction: 100.0}, log=log)])
        (line,), (name,) = drawn["layout"]["shapes"], drawn["layout"]["annotations"]
        assert line[f"{direction}0"] == line[f"{direction}1"] == 100
        assert name[direction] == (2 if log else 100)
        go.Figure(drawn)


def test_a_waterfall_passes_below_nought_and_joins_its_steps() -> None:
    drawn = forms.waterfall(STEPS, "kg", 200)
    assert_drawable(drawn)
    assert drawn["data"][0]["x"] == [4, -6, -2]
    low, high = drawn["layout"]["xaxis"]["range"]
    assert low < -2 < 4 < high
    assert [shape["x0"] for shape in drawn["layout"]["shapes"]] == [4, -2]
    labels = [(note["x"], note["text"]) for note in drawn["layout"]["annotations"]]
    assert labels == [(4, "<b>4</b>"), (4, "\u22126"), (0, "<b>\u22122</b>")]


@pytest.mark.parametrize("largest", [4.89, 1529.0, 0.03])
def test_a_waterfall_has_a_label_beside_nought_on_a_small_screen_too(largest: float) -> None:
    axis = forms.narrow_waterfall([forms.Step("A", 0, largest, "c1", "", "")], "USD")
    assert 2 <= len(axis["xaxis.tickvals"]) <= 6
    assert math.isclose(axis["xaxis.range"][1], 1.7 * largest)


def test_a_long_total_holds_its_label_and_a_short_one_does_not() -> None:
    for upto, anchor in ((0.0, "right"), (100.0, "left")):
        total = [forms.Step("Total", 0, 10, "text-2", "10 GB", "10 GB", total=True)]
        (label,) = forms.waterfall(total, "GB", 200, upto=upto, inside=True)["layout"]["annotations"]
        assert label["xanchor"] == anchor


def test_lines_beyond_the_seventh_look_like_it_and_share_its_entry() -> None:
    assert forms.style(6) == forms.style(9) == ("c7", "solid", "x")
    marks = line_marks([f"S{place}" for place in range(9)])
    assert [mark.slot for mark in marks] == list(forms.SYMBOLS)
    assert marks[-1].label == "S6, S7, S8"


def test_a_table_has_a_row_an_item_and_what_comes_after() -> None:
    drawn = table(
        [1, 2], (Column("Each", "GB"), str), after=[Row(("3",), total=True)], path=lambda one: f"p{one}"
    )
    assert drawn["columns"] == (Column("Each", "GB"),)
    assert drawn["rows"] == (Row(("1",), path="p1"), Row(("2",), path="p2"), Row(("3",), total=True))
