"""What the figures of owning against renting share: how each choice is drawn, and names at the ends of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.figure import token
from app.charts.format import THIN_SPACE


class Style(NamedTuple):
    slot: str
    dash: str
    symbol: str
    width: float = 1.8


STYLES = {
    "own": Style("c1", "solid", "circle", 2.5),
    "own_level": Style("c1-tint", "solid", "circle"),
    "on_demand": Style("c4", "dot", "cross"),
    "reserved": Style("c2", "dash", "square"),
    "spot": Style("c6", "dashdot", "triangle-down"),
    "capacity_block": Style("c5", "longdashdot", "triangle-up"),
    "mix": Style("c3", "longdash", "diamond"),
}
LABEL_SPACE = 0.07  # of the height, between names at the ends of lines


class Drawn(NamedTuple):
    """A line of a choice. Unknown and infinite values are None."""

    key: str
    title: str
    values: Sequence[float | None]


def line(drawn: Drawn, across: Sequence[float], said: Sequence[str], divisor: float = 1.0) -> dict[str, Any]:
    """A trace; `said` is what each point says when it is pointed at."""
    style = STYLES[drawn.key]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": drawn.title,
        "x": list(across),
        "y": [None if value is None else value / divisor for value in drawn.values],
        "line": {"color": token(style.slot), "width": style.width, "dash": style.dash},
        "customdata": list(said),
        "hovertemplate": f"{drawn.title}<br>%{{customdata}}<extra></extra>",
    }


def end_labels(names: Sequence[tuple[str, float, str]], last: float, top: float) -> list[dict[str, Any]]:
    """Names at the ends of their lines, moved apart where they would lie on each other, none below the base.

    Each is its words, the height of its line, and a colour.
    """
    space = LABEL_SPACE * top
    ordered = sorted(names, key=lambda name: -name[1])
    heights: list[float] = []
    for _, value, _ in ordered:
        heights.append(min(value, heights[-1] - space) if heights else min(value, top))
    for place in reversed(range(len(heights))):  # pushed up again from the base where there are many
        floor = space / 2 if place == len(heights) - 1 else heights[place + 1] + space
        heights[place] = max(heights[place], floor)
    return [
        {"x": last, "y": height, "xanchor": "left", "xshift": 8, "showarrow": False, "text": words,
         "font": {"size": 12, "color": token(colour)}}
        for (words, _, colour), height in zip(ordered, heights, strict=True)
    ]  # fmt: skip


def whole_percent(share: float) -> str:
    return f"{100 * share:.0f}{THIN_SPACE}%"


def axis_title(words: str) -> dict[str, Any]:
    return {"text": words, "font": {"size": 12, "color": token("text-3")}}


def marked(x: float, y: float, said: str, symbol: str = "circle") -> dict[str, Any]:
    """A ring at a point."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x],
        "y": [y],
        "marker": {
            "size": 9,
            "symbol": symbol,
            "color": token("bg"),
            "line": {"color": token("text"), "width": 2},
        },
        "hovertemplate": f"{said}<extra></extra>",
    }
