"""Squares in lines and columns that open: the nodes of a board, the units of a block."""

from __future__ import annotations

import math
from typing import Any

from app.charts import forms
from app.charts.figure import Detail
from app.charts.forms.drawing import choosable_points, drawing, text

MOST_SQUARES = 400
PITCH = 24  # pixels from square to square
Titles = list[tuple[str, str, int]]


def grid_detail(
    titles: Titles,
    details: tuple[Detail, ...],
    *,
    across: int = 0,
    note: str = "",
    facts: tuple[tuple[str, str], ...] = (),
    joined: str = "",
    panel: int = 0,
) -> Detail:
    """A part that opens to squares, each of which opens in turn.

    Parameters
    ----------
    titles : of every square with its subtitle and the position of its detail
    details : what squares open
    across : squares of a line; near a square in all when left out
    joined : "" for squares that stand by themselves, "mesh" where neighbours are joined
    panel : lines after which a gap begins another layer, 0 where there is one
    """
    if len(titles) > MOST_SQUARES:
        shown = MOST_SQUARES
        note = f"The first {shown} of {len(titles):,} are drawn. {note}".strip()
        titles = titles[:shown]
    width = across or max(math.ceil(math.sqrt(len(titles))), 1)
    points = [
        (float(place % width), float(place // width + (place // (width * panel) if panel else 0)))
        for place in range(len(titles))
    ]
    lines = points[-1][1] + 1 if points else 1
    data = [_joins(points)] if joined else []
    data.append(choosable_points(points, titles, size=14, chosen=None))
    layers = range(int(lines + 1) // (panel + 1)) if panel else ()
    words = [text(-1.0, (panel + 1) * layer, f"Layer {layer + 1}", anchor="right") for layer in layers]
    extent = [-3.5 if words else -0.8, max(width, 5 if words else 8) - 0.2]
    plot = drawing(round(PITCH * (lines + 0.6)), extent, [lines - 0.2, -0.8], data, words=words)
    return Detail(
        title=titles[0][0] if titles else "", subtitle="", note=note, plot=plot if titles else None,
        facts=facts, details=details,
    )  # fmt: skip


def segments(ends: list[tuple[float, float, float, float]], slot: str, width: float) -> dict[str, Any]:
    """Straight lines as one trace, none of which can be pointed at."""
    return forms.segments([[round(place, 3) for place in one] for one in ends], slot, width)


def _joins(points: list[tuple[float, float]]) -> dict[str, Any]:
    """Links between squares next to or below each other."""
    there = set(points)
    beside = [(x, y, x + 1, y) for x, y in points if (x + 1, y) in there]
    below = [(x, y, x, y + 1) for x, y in points if (x, y + 1) in there]
    return segments(beside + below, "c1-tint", 1)
