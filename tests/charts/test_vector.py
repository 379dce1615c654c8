"""Charts as vector graphics that the server draws: marks at the places that their values have."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from app.charts import FIGURES, forms
from app.charts.vector import plot_svg
from app.charts.vector.areas import colour_at
from tests.charts.support import plain
from tests.support import part_of
from tests.surfaces.pages.states import whole

SVG = "{http://www.w3.org/2000/svg}"


def drawn(plot: dict[str, Any], width: float = 600) -> ElementTree.Element:
    return ElementTree.fromstring(plot_svg(plot, width, label="A chart"))


def boxes(plot: dict[str, Any], fill: str) -> list[dict[str, float]]:
    found = [one for one in drawn(plot).iter(f"{SVG}rect") if one.get("fill") == fill]
    return [{name: float(one.attrib[name]) for name in ("x", "y", "width", "height")} for one in found]


def words(plot: dict[str, Any]) -> list[str]:
    return [one.text or "" for one in drawn(plot).iter(f"{SVG}text")]


def test_bars_are_as_long_as_their_values() -> None:
    trace = forms.bars(["One", "Two"], [10, 20], "c1")
    one, two = boxes(
        forms.plot([trace], 200, x=forms.from_zero(20), y=forms.names(["One", "Two"])), "var(--c1)"
    )
    assert two["width"] == pytest.approx(2 * one["width"], rel=1e-3)
    assert one["x"] == two["x"]
    assert one["y"] < two["y"], "names are read from the top"


def test_stacked_bars_begin_where_the_last_one_ended() -> None:
    traces = [forms.bars(["a"], [length], slot) for length, slot in ((3, "c1"), (5, "c2"))]
    plot = forms.plot(traces, 100, x=forms.from_zero(8), y=forms.names(["a"]), barmode="stack")
    (one,), (two,) = boxes(plot, "var(--c1)"), boxes(plot, "var(--c2)")
    assert two["x"] == pytest.approx(one["x"] + one["width"], abs=0.11)
    assert two["width"] / one["width"] == pytest.approx(5 / 3, rel=1e-3)


def test_a_logarithmic_axis_has_equal_steps_of_ten() -> None:
    trace = forms.dots([1, 10, 100], [1, 1, 1], "c1", 8)
    axis = forms.log([1, 100], "s", "Time")
    plot = forms.plot([trace], 200, x=axis, y=forms.values([0, 1], forms.plain, [0, 2]))
    places = [float(one.attrib["cx"]) for one in drawn(plot).iter(f"{SVG}circle")]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.11)


def test_gaps_divide_a_line() -> None:
    trace = forms.line([0, 1, 2, 3, 4], [1, 2, None, 2, 1], "c1")
    plot = forms.plot([trace], 200, x=forms.along([0, 4], forms.plain, [0, 4]), y=forms.from_zero(2))
    lines = [one for one in drawn(plot).iter(f"{SVG}path") if one.get("stroke") == "var(--c1)"]
    assert len(lines) == 2


def test_flows_keep_their_amounts() -> None:
    plot = FIGURES["power_flow"](whole()).plot
    assert plot is not None
    trace, picture = plot["data"][0], drawn(plot)
    links = [one for one in picture.iter(f"{SVG}path") if one.get("fill") in set(trace["link"]["color"])]
    assert len(links) == len(trace["link"]["value"])
    heights = [_height(one.attrib["d"]) for one in links]
    expected = sorted(trace["link"]["value"])
    thickest = max(heights)
    # thin ones are drawn at half a pixel at least, so that they are seen
    for height, value in zip(sorted(heights), expected, strict=True):
        assert height == pytest.approx(max(value / expected[-1] * thickest, 0.5), abs=0.11)


def _height(moves: str) -> float:
    """Of a flow where it leaves: from its first point up to the last."""
    numbers = [float(one) for one in re.findall(r"-?\d+\.\d+", moves)]
    return abs(numbers[-1] - numbers[1])


def test_every_note_of_every_chart_is_in_its_picture() -> None:
    for name, draw in FIGURES.items():
        plot = draw(whole()).plot
        assert plot is not None, name
        seen = " ".join(words(plot))
        for note in plot["layout"].get("annotations", ()):
            for line in re.sub(r"</?b>", "", note["text"]).split("<br>"):
                assert plain(line) in plain(seen), (name, line)


def test_text_is_escaped() -> None:
    note = forms.note(0.5, 0.5, "a & b")
    trace = forms.dots([0.5], [0.5])
    plot = forms.plot([trace], 100, x=forms.cells([0, 1]), y=forms.cells([0, 1]), notes=[note])
    assert "a & b" in words(plot)
    assert 'aria-label="&lt;script&gt;"' in plot_svg(plot, 100, label="<script>")


def test_colours_between_two_of_a_scale() -> None:
    scale = [[0, "#000000"], [0.5, "#FF0000"], [1, "#FFFFFF"]]
    assert [colour_at(scale, share) for share in (-1, 0, 0.25, 1, 2)] == [
        "#000000", "#000000", "#800000", "#FFFFFF", "#FFFFFF",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", part_of(range(40)))
def test_nothing_is_drawn_outside_the_picture(seed: int) -> None:
    """Bars and points of values that the axes are made for lie within the picture, whatever the values."""
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 12))
    values = (10 ** random.uniform(-6, 12, count)).tolist()
    names = [f"Name {place} {'x' * int(random.integers(0, 20))}" for place in range(count)]
    traces = [forms.bars(names, values, "c1"), forms.dots(values, names, "c2")]
    plot = forms.plot(traces, 60 + 30 * count, x=forms.from_zero(max(values)), y=forms.names(names))
    for one in drawn(plot).iter():
        if one.tag in (f"{SVG}rect", f"{SVG}circle"):
            numbers = [float(one.get(side, 0)) for side in ("x", "y", "width", "height", "cx", "cy")]
            assert all(math.isfinite(number) for number in numbers)
            assert numbers[0] >= -0.1
            assert numbers[0] + numbers[2] <= 600.1
            assert numbers[1] >= -0.1
            assert numbers[1] + numbers[3] <= 60 + 30 * count + 0.1
