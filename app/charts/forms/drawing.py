"""Boxes, bands and curves for drawings in plot coordinates, and points that name or open what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.charts.forms.axes import Chart, blank, plot, token
from app.charts.forms.marks import dots, note, rect, segment

CLEAR = "rgba(0,0,0,0)"
Points = Sequence[tuple[Any, Any]]


def drawing(
    height: int, across: Sequence[float], down: Sequence[float], data: Sequence[Chart], shapes: Sequence[Chart] | None = None,
    words: Sequence[Chart] | None = None, **changes: Any,
) -> Chart:  # fmt: skip
    """A picture without axes over the extent of both, from edge to edge."""
    edges = {"top": 0, "right": 0, "bottom": 0, "left": 0}
    axes = {"x": blank(across), "y": blank(down)}
    return plot(data, height, shapes=shapes, notes=words, **{**edges, **axes, **changes})


def box(x0: float, y0: float, x1: float, y1: float) -> Chart:
    """A group of switches."""
    return rect(x0, y0, x1, y1, "bg-sunken", "control", layer="below")


def band(x0: float, x1: float, y0: float, top_x0: float, top_x1: float, y1: float) -> Chart:
    """All links between a lower and an upper box, as one soft area."""
    path = f"M{x0:.2f},{y0:.3f} L{top_x0:.2f},{y1:.3f} L{top_x1:.2f},{y1:.3f} L{x1:.2f},{y0:.3f} Z"
    return {
        "type": "path",
        "path": path,
        "fillcolor": token("c1-faint"),
        "line": {"width": 0},
        "layer": "below",
    }


def curve(x0: float, y0: float, x1: float, y1: float) -> Chart:
    """A bundle of links from an upper to a lower box."""
    middle = (y0 + y1) / 2
    path = f"M{x0:.2f},{y0:.3f} C{x0:.2f},{middle:.3f} {x1:.2f},{middle:.3f} {x1:.2f},{y1:.3f}"
    stroke = {"color": token("c1-tint"), "width": 1}
    return {"type": "path", "path": path, "fillcolor": CLEAR, "line": stroke, "layer": "below"}


def line(x0: float, y0: float, x1: float, y1: float) -> Chart:
    """One link."""
    return segment(x0, y0, x1, y1, "c1-tint", layer="below")


def text(
    x: float, y: float, words: str, *, colour: str = "text-2", anchor: str = "center", **changes: Any
) -> Chart:
    """Words in a drawing."""
    return note(x, y, words, colour, xanchor=anchor, **changes)


def hover_points(points: Points, names: Sequence[str], *, size: int = 28) -> Chart:
    """Invisible points that name what is drawn under them."""
    x, y = _apart(points)
    return dots(x, y, size=size, text=list(names), hover="%{text}") | {
        "marker": {"size": size, "color": CLEAR}
    }


def named_points(points: Points, names: Sequence[str], slot: str, size: int, symbol: str = "square") -> Chart:
    """Marks that say their name when they are pointed at."""
    return dots(*_apart(points), slot, size, symbol=symbol or None, text=list(names), hover="%{text}")


def choosable_points(
    points: Points, titles: Sequence[tuple[str, str, int]], *, size: int, chosen: int | None = 0
) -> Chart:
    """Squares that open beside the drawing. Each carries its title, subtitle and detail number."""
    squares = dots(
        *_apart(points), "bg", size, symbol="square", edge="control", edge_width=1.2, meta="choosable",
        said=[list(title) for title in titles], hover="%{customdata[0]}<br>%{customdata[1]}",
    )  # fmt: skip
    choice = {
        "selectedpoints": [chosen],
        "selected": {"marker": {"color": token("accent"), "opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    return squares if chosen is None else squares | choice


def share_out(total: int, groups: int) -> list[int]:
    """`total` things in `groups` groups that differ by one at most.

    >>> share_out(10, 4)
    [3, 3, 2, 2]
    """
    each, left = divmod(total, groups)
    return [each + (position < left) for position in range(groups)]


def _apart(points: Points) -> tuple[list[Any], list[Any]]:
    return [x for x, _ in points], [y for _, y in points]
