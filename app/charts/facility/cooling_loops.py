"""Both loops from the racks to the sky: what goes round, how warm and how much, and what gives its heat on."""

from __future__ import annotations

import math
import textwrap
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import HEAT, THIN_SPACE, number, show, temperature, temperature_unit
from app.charts.forms.drawing import drawing, hover_points, text
from app.engine.facility.cooling.loops.loops import Loop, Side

NAME = "cooling_loops"
EYEBROW = "Loops from the racks to the sky"
CAPTION = (
    "Every SuperNode at its rating. Upper lines come back hot, lower ones go out cold; the approach is how close "
    "the colder side gets to the warmer. Outdoors: the hottest such hour of the climate year."
)
PITCH = 168  # pixels from side to side
BOX_WIDTH = 0.42  # over the distance from box to box
BOX_HEIGHT = 0.29
LINE = 0.14  # of the hot line above the middle, and of the cold one below
TITLE = 0.40
WIDTH_OF_A_BOX = 176
WORDS = 14  # characters of a line in a box


def cooling_loops_figure(sides: tuple[Side, ...]) -> Figure:
    """A row for each side; boxes give heat on, pairs of lines carry it."""
    loops = [loop for side in sides for loop in side.loops]
    if any(math.isnan(value) for loop in loops for value in (loop.cold_c, loop.heat_w, loop.flow)):
        return unknown_figure(NAME, EYEBROW, CAPTION, "The load of the loops is unknown.")
    height = PITCH * len(sides) + 8
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(sides),
        caption=CAPTION,
        columns=(
            Column.words("Loop"), Column("Cold", temperature_unit()), Column("Hot", temperature_unit()), Column("Flow"), Column("Heat"),
            Column.words("Cooled by"), Column("Approach", "K"),
        ),
        rows=tuple(
            Row(
                (
                    f"{side.name}: {loop.name}", temperature(loop.cold_c).value, temperature(loop.hot_c).value, flow_words(loop),
                    show(loop.heat_w, HEAT).text, after.name, f"{after.approach_k:.1f}",
                )
            )
            for side in sides
            for loop, after in zip(side.loops, side.exchanges, strict=True)
        ),
        plot=_plot(sides, height),
        legend=(Mark("c2", "Hot, from the racks"), Mark("c6", "Cold, to the racks")),
        minimum_width=WIDTH_OF_A_BOX * max(len(side.loops) + 2 for side in sides),
    )  # fmt: skip


def flow_words(loop: Loop) -> str:
    """A flow with its unit."""
    unit = "m³/s" if loop.flow_unit == "m3/s" else loop.flow_unit
    return f"{number(loop.flow)}{THIN_SPACE}{unit}"


def _takeaway(sides: tuple[Side, ...]) -> str:
    first = sides[0]
    racks, last = first.loops[0], first.loops[-1]
    heat = show(racks.heat_w, HEAT).text
    return (
        f"{heat} leave the racks at {temperature(racks.hot_c, 0).text} and reach "
        f"{first.exchanges[-1].name[:1].lower()}{first.exchanges[-1].name[1:]} at {temperature(last.hot_c, 0).text}."
    )


def _plot(sides: tuple[Side, ...], height: int) -> dict[str, Any]:
    across = max(len(side.loops) + 1 for side in sides)
    shapes: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    named: dict[tuple[float, float], str] = {}
    for row, side in enumerate(sides):
        places = [place * across / (len(side.loops) + 1) for place in range(len(side.loops) + 2)]
        for position, (x, lines) in enumerate(zip(places, _boxes(side), strict=True)):
            shapes.append(_box(x, -row, last=position == len(places) - 1))
            words.append(text(x, -row, "<br>".join(lines), colour="text"))
            named[x, -row] = " ".join(lines)
        for loop, left, right in zip(side.loops, places[:-2], places[1:-1], strict=True):
            words += _loop(loop, left + BOX_WIDTH / 2, right - BOX_WIDTH / 2, -row)
        words.append(_arrow(places[-2] + BOX_WIDTH / 2, places[-1] - BOX_WIDTH / 2, -row, "c2"))
        title = f"{side.name}: {show(side.loops[0].heat_w, HEAT).text}"
        words.append(text(-BOX_WIDTH / 2, TITLE - row, title, anchor="left"))
    extent = [-BOX_WIDTH / 2 - 0.01, across + BOX_WIDTH / 2 + 0.01]
    points = [hover_points(list(named), list(named.values()))]
    return drawing(height, extent, [-len(sides) + 0.6, 0.5], points, shapes, words, left=1, right=1)


def _boxes(side: Side) -> list[list[str]]:
    """The words of each box, from the racks outwards."""
    first = side.loops[0].name if side.name != "Air" else "Racks, to air"
    return [
        [first],
        *(
            [*textwrap.wrap(after.name, WORDS), f"{after.approach_k:.0f}{THIN_SPACE}K approach"]
            for after in side.exchanges
        ),
        ["Outdoors", temperature(side.outdoors_c).text, side.outdoors],
    ]


def _box(x: float, y: float, *, last: bool) -> dict[str, Any]:
    wide, high = BOX_WIDTH / 2, BOX_HEIGHT
    fill, dash = ("bg", "dot") if last else ("bg-sunken", "solid")
    return forms.rect(x - wide, y - high, x + wide, y + high, fill, "control", 1, dash, layer="below")


def _loop(loop: Loop, left: float, right: float, y: float) -> list[dict[str, Any]]:
    middle = (left + right) / 2
    return [
        _arrow(left, right, y + LINE, "c2"),
        _arrow(right, left, y - LINE, "c6"),
        text(middle, y + LINE + 0.01, temperature(loop.hot_c).text, colour="text", yanchor="bottom"),
        text(
            middle, y, f"{'Coolant' if loop.name in ('Racks', 'Tanks') else loop.name}<br>{flow_words(loop)}"
        ),
        text(middle, y - LINE - 0.01, temperature(loop.cold_c).text, colour="text", yanchor="top"),
    ]


def _arrow(start: float, end: float, y: float, slot: str) -> dict[str, Any]:
    places = {"ax": start, "ay": y, "xref": "x", "yref": "y", "axref": "x", "ayref": "y"}
    look = {
        "showarrow": True,
        "arrowhead": 2,
        "arrowsize": 0.8,
        "arrowwidth": 2,
        "arrowcolor": forms.token(slot),
    }
    return {"x": end, "y": y, "text": "", **places, **look}
