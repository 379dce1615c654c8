"""The cells of a lattice in layers of lines and columns, or around a circle.

Where there are more cells than can be told apart, a square stands for a block of them.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from app.charts.format import TIMES
from app.charts.forms import dots
from app.charts.forms.drawing import choosable_points, drawing, text
from app.charts.grid import Titles, segments
from app.charts.lattice.cells import Lattice

CIRCLE = 360  # pixels that it is high
WIDE = 760  # pixels, about, that the drawing has
BEYOND = 0.55  # how far the line of a ring stands out, in squares
SHAPELY = 2.4  # width over height that layers are laid out for


def layers_plot(
    lattice: Lattice, rows: int, columns: int, layers: int, tile: int
) -> tuple[dict[str, Any], Titles]:
    """Layers side by side; the squares of each with the lines that join them."""
    step = max(tile, 1)
    high, wide = math.ceil(rows / step), math.ceil(columns / step)
    across = _layers_across(layers, high, wide)
    down = math.ceil(layers / across)
    gap = 2.0
    points, titles, empty, ends = [], [], [], []
    words = []
    size_of_layer = rows * columns
    for layer in range(layers):
        left, top = (layer % across) * (wide + gap), (layer // across) * (high + gap)
        if layers > 1:
            words.append(text(left - 0.3, top - 1.1, f"Layer {layer + 1}", anchor="left"))
        drawn = []
        for row, column in product(range(high), range(wide)):
            first = layer * size_of_layer + row * step * columns + column * step
            place = (left + column, top + float(row))
            if (
                lattice.there if tile else math.ceil(lattice.there * rows * columns / lattice.cells)
            ) <= first:
                empty.append(place)
                continue
            drawn.append(place)
            titles.append(_square(lattice, layer, row * step, column * step, rows, columns, tile))
        points += drawn
        ends += _lines(drawn, left, top, lattice.joined) if tile else []
    width, height = across * (wide + gap) - gap, down * (high + gap) - gap
    pixels = max(min(WIDE / (width + 2), 40), 8)
    size = round(max(min(pixels * 0.6, 18), 4), 1)
    thick = lattice.joined == "full"
    data = [segments(ends, "c1-faint" if thick else "c1-tint", max(size * 0.7, 3) if thick else 1)]
    if empty:
        data.append(_empty(empty, size))
    data.append(choosable_points(points, titles, size=size))  # type: ignore[arg-type]
    margin = 1.4 if layers > 1 else 1.0
    pixels_high = round(min((height + margin + 1) * pixels, 720))
    return drawing(pixels_high, [-1.0, width], [height - 0.2, -margin], data, words=words), titles


def circle_plot(lattice: Lattice) -> tuple[dict[str, Any], Titles]:
    """One line of cells that are all joined to each other, around a circle."""
    turn = 2 * math.pi / lattice.cells
    points = [(math.sin(turn * cell), math.cos(turn * cell)) for cell in range(lattice.there)]
    titles = [
        (f"{lattice.cell.capitalize()} {cell + 1}", _where(lattice, cell), 0) for cell in range(lattice.there)
    ]
    ends = [(*one, *other) for position, one in enumerate(points) for other in points[position + 1 :]]
    data = [segments(ends, "c1-tint", 1), choosable_points(points, titles, size=18)]
    return drawing(CIRCLE, [-2.2, 2.2], [-1.2, 1.2], data), titles


def _layers_across(layers: int, high: int, wide: int) -> int:
    """How many layers stand side by side, so that the drawing is about as wide as a page."""

    def shape(across: int) -> float:
        return abs(math.log(across * (wide + 2) / (math.ceil(layers / across) * (high + 2)) / SHAPELY))

    return min(range(1, layers + 1), key=shape)


def near_square(count: int) -> tuple[int, int]:
    """
    >>> near_square(81), near_square(72), near_square(7)
    ((9, 9), (6, 12), (1, 7))
    """
    rows = next(rows for rows in range(max(int(math.sqrt(count / 1.7)), 1), 0, -1) if count % rows == 0)
    further = math.isqrt(count)
    return (further, further) if further**2 == count else (rows, count // rows)


def _lines(
    drawn: list[tuple[float, float]], left: float, top: float, joined: str
) -> list[tuple[float, float, float, float]]:
    """A line through every row and column of a layer that has several squares, longer where rings close."""
    found = []
    for axis in (1, 0):
        for line in sorted({place[axis] for place in drawn}):
            along = [place[1 - axis] for place in drawn if place[axis] == line]
            if len(along) < 2:
                continue
            more = 0.0 if joined == "full" else BEYOND
            first, last = min(along) - more, max(along) + more
            found.append((first, line, last, line) if axis else (line, first, line, last))
    return found


def _empty(places: list[tuple[float, float]], size: float) -> dict[str, Any]:
    return dots(
        [x for x, _ in places],
        [y for _, y in places],
        "line",
        size,
        symbol="square-open",
        hover="nothing here yet",
    )


def _square(
    lattice: Lattice, layer: int, row: int, column: int, rows: int, columns: int, tile: int
) -> tuple[str, str, int]:
    """Title, subtitle and detail of a square."""
    if tile == 1:
        cell = (layer * rows + row) * columns + column
        return (f"{lattice.cell.capitalize()} {cell + 1}", _where(lattice, cell), 0)
    if tile == 0:
        each = lattice.lengths[-2] * lattice.lengths[-1]
        first = (row * columns + column) * each
        return (f"Layer {row * columns + column + 1}", f"{each} {lattice.cell}s from {first + 1}", 0)
    return (
        f"Block {row // tile + 1}, {column // tile + 1}"
        + (f" of layer {layer + 1}" if len(lattice.lengths) > 2 else ""),
        f"{min(tile, rows - row)} {TIMES} {min(tile, columns - column)} {lattice.cell}s",
        0,
    )


def _where(lattice: Lattice, cell: int) -> str:
    """The place of a cell along each dimension, counted from 1."""
    found = []
    for length in reversed(lattice.lengths):
        cell, place = divmod(cell, length)
        found.append(str(place + 1))
    return f"place {', '.join(reversed(found))}"
