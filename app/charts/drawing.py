"""Boxes, bands and curves for drawings in plot coordinates."""

from __future__ import annotations

from typing import Any

from app.charts.figure import token


def box(x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    """A group of switches."""
    return {
        "type": "rect",
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
        "fillcolor": token("bg-sunken"),
        "line": {"color": token("control"), "width": 1},
        "layer": "below",
    }


def band(x0: float, x1: float, y0: float, top_x0: float, top_x1: float, y1: float) -> dict[str, Any]:
    """All links between a lower and an upper box, as one soft area."""
    path = f"M{x0:.2f},{y0:.3f} L{top_x0:.2f},{y1:.3f} L{top_x1:.2f},{y1:.3f} L{x1:.2f},{y0:.3f} Z"
    return {
        "type": "path",
        "path": path,
        "fillcolor": token("c1-faint"),
        "line": {"width": 0},
        "layer": "below",
    }


def curve(x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    """A bundle of links from an upper to a lower box."""
    middle = (y0 + y1) / 2
    path = f"M{x0:.2f},{y0:.3f} C{x0:.2f},{middle:.3f} {x1:.2f},{middle:.3f} {x1:.2f},{y1:.3f}"
    return {
        "type": "path",
        "path": path,
        "fillcolor": "rgba(0,0,0,0)",
        "line": {"color": token("c1-tint"), "width": 1},
        "layer": "below",
    }


def line(x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    """One link."""
    return {
        "type": "line",
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
        "line": {"color": token("c1-tint"), "width": 1},
        "layer": "below",
    }


def text(
    x: float, y: float, words: str, *, colour: str = "text-2", anchor: str = "center", **changes: Any
) -> dict[str, Any]:
    """Words in a drawing."""
    return {
        "x": x,
        "y": y,
        "text": words,
        "showarrow": False,
        "xanchor": anchor,
        "font": {"size": 12, "color": token(colour)},
        **changes,
    }


def hover_points(points: list[tuple[float, float]], names: list[str], *, size: int = 28) -> dict[str, Any]:
    """Invisible points that name what is drawn under them."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "marker": {"size": size, "color": "rgba(0,0,0,0)"},
        "text": names,
        "hovertemplate": "%{text}<extra></extra>",
    }


def choosable_points(
    points: list[tuple[float, float]],
    titles: list[tuple[str, str, int]],
    *,
    size: int,
    chosen: int | None = 0,
) -> dict[str, Any]:
    """Squares that open beside the drawing. Each carries its title, subtitle and detail number."""
    choice: dict[str, Any] = {
        "selectedpoints": [chosen],
        "selected": {"marker": {"color": token("accent"), "opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    points_drawn: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "meta": "choosable",
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "customdata": [list(title) for title in titles],
        "marker": {
            "symbol": "square",
            "size": size,
            "color": token("bg"),
            "line": {"color": token("control"), "width": 1.2},
        },
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
    }
    return points_drawn if chosen is None else points_drawn | choice


def share_out(total: int, groups: int) -> list[int]:
    """`total` things in `groups` groups that differ by one at most.

    >>> share_out(10, 4)
    [3, 3, 2, 2]
    """
    each, left = divmod(total, groups)
    return [each + (position < left) for position in range(groups)]
