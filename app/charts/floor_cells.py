"""Racks and rows as cells of a plan: coloured squares in metres, with marks over them that open."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.charts import forms
from app.charts.format import show
from app.engine.fabric.floor.floor import Floor, Measured
from app.engine.fabric.graph.graph import Whole

PLAN_WIDTH = 620  # of the plot on a wide page, from which its height follows
HEIGHTS = (180, 560)
STEPS = 5
SHORT_M = 6.0
STRIP = 4  # times as long as wide


def cells(
    x_m: Measured,
    y_m: Measured,
    values: Measured,
    unit: str,
    *,
    width_m: float,
    depth_m: float,
    scale: bool = True,
) -> dict[str, Any]:
    """Coloured cells of one size: lines of them with gaps between, which stay blank."""
    columns, column = np.unique(np.round(x_m, 4), return_inverse=True)
    lines, line = np.unique(np.round(y_m, 4), return_inverse=True)
    x_edges, x_cell = edges(columns, width_m)
    y_edges, y_cell = edges(lines, depth_m)
    z: list[list[float | None]] = [[None] * (len(x_edges) - 1) for _ in range(len(y_edges) - 1)]
    for at_y, at_x, value in zip(y_cell[line.ravel()], x_cell[column.ravel()], values.tolist(), strict=True):
        z[at_y][at_x] = None if np.isnan(value) else float(f"{value:.4g}")
    known = values[~np.isnan(values)]
    top = float(known.max()) if known.size and known.max() > 0 else 1.0
    ticks = [top * step / (STEPS - 1) for step in range(STEPS)]
    labels = [show(tick, unit).text for tick in ticks]
    bar = (ticks, labels) if scale else None
    return forms.heat_map(
        x_edges, y_edges, z, [0, top], scale=bar, hoverongaps=False, showscale=scale, ygap=None
    )


def edges(middles: Measured, size: float) -> tuple[list[float], Whole]:
    """Edges of cells of one size around their middles, with the gaps between; and the cell of each middle.

    >>> edges(np.array([0.5, 1.5, 4.0]), 1.0)
    ([0.0, 1.0, 2.0, 3.5, 4.5], array([0, 1, 3]))
    """
    found: list[float] = []
    at: list[int] = []
    for middle in middles.tolist():
        start, end = round(middle - size / 2, 4), round(middle + size / 2, 4)
        if not found or start - found[-1] > size / 100:
            found.append(start)
        at.append(len(found) - 1)
        found.append(end)
    return found, np.array(at)


def choices(
    x_m: Measured, y_m: Measured, titles: list[list[Any]], size: int, *, chosen: int | None = 0
) -> dict[str, Any]:
    """Marks over the cells that open them, seen only where one is chosen."""
    marks = forms.dots(
        short(x_m), short(y_m), "bg", size, symbol="square", opacity=0, edge="accent", edge_width=2, meta="choosable",
        said=titles, hover="%{customdata[0]}<br>%{customdata[1]}",
    )  # fmt: skip
    choice = {
        "selectedpoints": [chosen],
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 0}},
    }
    return marks if chosen is None else marks | choice


def short(values: Measured) -> list[float]:
    return [round(value, 3) for value in values.tolist()]


def plan_of(data: list[dict[str, Any]], floor: Floor) -> dict[str, Any]:
    """Metres along both axes, as long as wide on the page as on the floor."""
    racks = floor.racks
    aisle = (floor.width_m - float(racks.y_m.max() - racks.y_m.min())) / 4
    x = [float(racks.x_m.min()) - aisle, float(racks.x_m.max()) + aisle]
    y = [float(racks.y_m.max()) + aisle, float(racks.y_m.min()) - aisle]
    # A row or two are a thin strip on a phone, where two numbers touch; both axes have the same scale.
    across = {"tickvals": [0]} if (y[0] - y[1]) * STRIP < x[1] - x[0] else _ticks(y)
    height = round(PLAN_WIDTH * (y[0] - y[1]) / (x[1] - x[0]))
    shared = forms.look(nticks=6, constrain="domain")
    return forms.plot(
        data,
        min(max(height, HEIGHTS[0]), HEIGHTS[1]),
        x=forms.cells(x, "Metres along the rows", **shared, **_ticks(x)),
        y=forms.cells(y, "Metres across", scaleanchor="x", scaleratio=1, **shared, **across),
        top=12,
    )


def _ticks(extent: list[float]) -> dict[str, Any]:
    """Two numbers along a side of few metres: more, and at its ends, would touch each other."""
    low, high = min(extent), max(extent)
    return {"tickvals": [0, math.floor(high)]} if high - low < SHORT_M else {}
