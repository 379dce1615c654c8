"""What the figures of owning against renting share: how each choice is drawn, and names at the ends of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms


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


class Drawn(NamedTuple):
    """A line of a choice. Unknown and infinite values are None."""

    key: str
    title: str
    values: Sequence[float | None]


def line(drawn: Drawn, across: Sequence[float], said: Sequence[str], divisor: float = 1.0) -> dict[str, Any]:
    """A trace; `said` is what each point says when it is pointed at."""
    style = STYLES[drawn.key]
    heights = [None if value is None else value / divisor for value in drawn.values]
    hover = f"{drawn.title}<br>%{{customdata}}"
    return forms.line(
        across, heights, style.slot, style.width, style.dash, name=drawn.title, said=said, hover=hover
    )


def names_at_ends(lines: Sequence[tuple[str, float, bool]], last: float, top: float) -> list[dict[str, Any]]:
    """Titles at the ends of their lines, whose heights are given; some are emphasised."""
    ends = [
        (f"<b>{title}</b>" if bold else title, end, "c1" if bold else "text-2") for title, end, bold in lines
    ]
    return forms.end_labels(ends, last, top)
