"""The ladder: one rung a level of one system, a line a system of several, and the factors between."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.charts.bandwidth import LEVELS, bandwidth_figure, bandwidth_line, ladders_figure
from app.charts.ladder import OUT, Line, Measure, factor_to, ladder_figure, steps
from tests.charts.support import layout, traces
from tests.support import part_of
from tests.surfaces.pages.states import whole

NAMES = ("Registers", "HBM", "Scale-up", "Scale-out", "Another site")
MEASURE = Measure(
    "ladders", "B/s", "Bandwidth", "Caption.", "Nothing is published.", lambda _, lines: f"{lines[0].name}."
)
THIS = Line("This", (4e14, 3e12, 4.5e11, 5e10, None))
OTHER = Line("Other", (None, 8e12, 9e11, 5e10, None))


def dots(figure: object) -> list[tuple[float, float]]:
    return [(trace["x"][0], trace["y"][0]) for trace in traces(figure) if trace["mode"] == "markers+text"]  # type: ignore[arg-type]


def test_one_system_has_a_rung_a_level_with_its_value_and_factor() -> None:
    figure = ladder_figure(MEASURE, NAMES[:4], [THIS._replace(values=THIS.values[:4])])
    assert dots(figure) == [(4e14, 0), (3e12, 1), (4.5e11, 2), (5e10, 3)]
    assert [row.cells[2] for row in figure.rows] == ["n/a", "133× less", "6.7× less", "9.0× less"]
    assert figure.legend == ()
    factors = {note["text"]: note["y"] for note in layout(figure)["annotations"]}
    assert factors == {"133× less": 0.5, "6.7× less": 1.5, "<b>9.0× less</b>": 2.5}


def test_several_systems_have_a_line_each_below_the_name_of_their_level() -> None:
    figure = ladder_figure(MEASURE, NAMES, [THIS, OTHER])
    axis = layout(figure)["yaxis"]
    words = dict(zip(axis["tickvals"], axis["ticktext"], strict=True))
    assert [words[y] for _, y in dots(figure)] == ["This", "This", "Other", "This", "Other", "This", "Other"]
    assert [mark.label for mark in figure.legend] == ["This", "Other"]
    assert len({trace["marker"]["color"] for trace in traces(figure) if "marker" in trace}) == 2
    assert len({trace["marker"]["symbol"] for trace in traces(figure) if "marker" in trace}) == 2
    assert list(words.values())[-1] == "2 systems"  # whose value of the last level is not published
    assert layout(figure)["annotations"][-1]["text"] == "not published"
    bold = [note["text"] for note in layout(figure)["annotations"] if note["text"].startswith("<b>")]
    assert bold == ["<b>9.0× less</b>", "<b>18.0× less</b>"]  # leaving the SuperNode
    assert set(figure.narrow["yaxis.ticktext"]) == {f"<b>{name}</b>" for name in NAMES}


def test_what_a_system_is_without_has_no_line() -> None:
    figure = ladder_figure(MEASURE, NAMES, [THIS, OTHER._replace(without=frozenset({"Registers"}))])
    assert "not published" in figure.rows[4].cells
    assert figure.rows[0].cells[3] == "n/a"
    assert layout(figure)["yaxis"]["ticktext"][:3] == ["<b>Registers</b>", "This", "<b>HBM</b>"]


def test_nothing_known_is_an_empty_state() -> None:
    figure = ladder_figure(MEASURE, NAMES, [Line("This", (None,) * 5)])
    assert figure.plot is None
    assert figure.takeaway == "Nothing is published."


@pytest.mark.parametrize(
    ("above", "below", "words"),
    [(9.0, 1.0, "9.0× less"), (1.0, 4.0, "4.0× more"), (2.0, 2.0, "the same"), (None, 1.0, "n/a"), (1.0, None, "n/a")],
)  # fmt: skip
def test_factors_in_words(above: float | None, below: float | None, words: str) -> None:
    assert factor_to(above, below) == words


def test_the_ladder_of_a_design_has_the_values_of_its_evaluation() -> None:
    evaluation = whole()
    line = bandwidth_line(evaluation)
    fabric, used = evaluation["fabric"], evaluation["inputs"]["pod"]["accelerators_used"]
    assert line.values == (
        evaluation["inputs"]["accelerator"]["memory_bandwidth_bytes_per_s"],
        fabric["scale_up_bandwidth_bytes_per_s"],
        fabric["scale_out_bandwidth_bytes_per_s"],
        evaluation["reliability"]["storage_read_bandwidth_bytes_per_s"] / used,
        evaluation["reliability"]["storage_write_bandwidth_bytes_per_s"] / used,
    )
    assert [x for x, _ in dots(bandwidth_figure(evaluation))] == list(line.values)


def test_the_same_design_twice_has_the_same_values_twice() -> None:
    """The figure of several designs says of each what the figure of one says."""
    evaluation = whole()
    one, two = bandwidth_figure(evaluation), ladders_figure({"A": evaluation, "B": evaluation})
    for alone, row in zip(one.rows, two.rows, strict=True):
        assert row.cells == (*alone.cells, *alone.cells[1:])


@pytest.mark.parametrize("seed", part_of(range(40)))
def test_random_ladders(seed: int) -> None:
    """Every known value is drawn once, lower levels lie lower, and the written factors give the values again."""
    random = np.random.default_rng(seed)
    lines = [
        Line(f"S{number}", tuple(float(10 ** random.uniform(6, 15)) if random.random() < 0.8 else None for _ in LEVELS))
        for number in range(random.integers(1, 6))
    ]  # fmt: skip
    known = [value for line in lines for value in line.values if value]
    figure = ladder_figure(MEASURE, LEVELS, lines)
    if len(known) < 2:
        assert figure.plot is None
        return
    assert sorted(x for x, _ in dots(figure)) == sorted(known)
    heights = [y for _, y in dots(figure)]
    assert heights == sorted(heights)
    assert len(set(heights)) == len(heights)
    low, high = layout(figure)["yaxis"]["range"][::-1]
    assert all(low < y < high for y in heights)
    left, right = layout(figure)["xaxis"]["range"]
    assert all(left < np.log10(value) < right for value in known)
    for line in lines:
        for place, words in enumerate(steps(line)):
            above = line.values[place - 1] if place else None
            value = line.values[place]
            if not above or not value:
                assert words == "n/a"
                continue
            factor = float(re.sub(r"[^0-9.]", "", words.replace("the same", "1")))
            ratio = max(above / value, value / above)
            assert factor == pytest.approx(ratio, rel=0.05, abs=0.51 if ratio >= 99.95 else 0.06)
            assert ("more" in words) == (value > above)
    assert OUT in LEVELS
