"""A lattice as a picture: its places in layers of lines and columns, and what stands on each place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

from app.charts.figure import Detail, Figure, get_path
from app.charts.format import TIMES
from app.charts.forms import dots
from app.charts.forms.drawing import choosable_points, drawing, text
from app.charts.grid import Titles, grid_detail, segments
from app.charts.inside import supernode_detail
from app.charts.tier_rows import TIER_COLUMNS, accelerator_word, in_a_sentence, tier_rows
from app.engine.fabric.topologies.lattices.torus import SIDE

EYEBROW = "Pod topology"
MOST_SQUARES = 1024
MOST_LAYERS = 64
MOST_AROUND = 40  # cells around a circle, with all their links
CIRCLE = 360  # pixels that it is high
WIDE = 760  # pixels, about, that the drawing has
BEYOND = 0.55  # how far the line of a ring stands out, in squares
SHAPELY = 2.4  # width over height that layers are laid out for


def lattice_figure(evaluation: dict[str, Any], title: str) -> Figure:
    """The places of a torus, a mesh, a HyperX or a HammingMesh."""
    lattice = lattice_of(evaluation, title)
    rows, columns = ((1, *lattice.lengths)[-2:]) if lattice.lengths else (1, 1)
    layers = max(lattice.cells // (rows * columns), 1)
    tile = max(math.ceil(math.sqrt(lattice.cells / MOST_SQUARES)), 1)
    if layers > MOST_LAYERS:  # one square a layer
        rows, columns, layers, tile = *near_square(layers), 1, 0
    if rows * layers == 1 and lattice.joined == "full" and columns <= MOST_AROUND:
        plot, titles = circle_plot(lattice)
    else:
        plot, titles = layers_plot(lattice, rows, columns, layers, tile)
    details = square_details(lattice, evaluation, rows, columns, tile)
    return Figure(
        name="topology",
        eyebrow=EYEBROW,
        takeaway=_takeaway(lattice, evaluation),
        caption=_caption(lattice, tile, layers),
        hint=f"Select a {'block' if tile != 1 else lattice.cell} to open it.",
        height=plot["layout"]["height"],
        columns=TIER_COLUMNS,
        rows=tier_rows(evaluation["fabric"]),
        plot=plot if titles else None,
        details=details if titles else (),
        minimum_width=560,
    )


def _takeaway(lattice: Lattice, evaluation: dict[str, Any]) -> str:
    shape = f" {TIMES} ".join(str(length) for length in get_path(evaluation, "fabric.lengths"))
    furthest = get_path(evaluation, "fabric.diameter_links")
    steps = (
        f": no two nodes are more than {furthest:,.0f} links apart"
        if furthest and lattice.joined != "full"
        else ""
    )
    steps = steps or (
        f": at most {furthest:,.0f} link{'s' if furthest != 1 else ''} from node to node" if furthest else ""
    )
    name = in_a_sentence(lattice.title)
    return f"{name[0].upper()}{name[1:]} of {shape}{steps}."


def _caption(lattice: Lattice, tile: int, layers: int) -> str:
    each = (
        f"Each square is a {lattice.cell}"
        if tile == 1
        else (
            f"Each square is a block of {tile} {TIMES} {tile} {lattice.cell}s"
            if tile
            else f"Each square is a layer of {lattice.cell}s"
        )
    )
    if lattice.hosts_each > 1:
        each += f", of {lattice.hosts_each} nodes at most"
    said = {
        "ring": "lines are rings that close beyond the edges",
        "full": "every place is joined to every other of its line",
        "switch": "lines meet at the switches of rows and columns",
    }[lattice.joined]
    further = (
        " The same places of the layers are joined as well."
        if layers > 1 and len(lattice.lengths) > 2
        else ""
    )
    return f"{each}; {said}.{further}"


def square_details(
    lattice: Lattice, evaluation: dict[str, Any], rows: int, columns: int, tile: int
) -> tuple[Detail, ...]:
    """What a square opens: a cell, or a block of cells that open in turn."""
    cell = _cell_detail(lattice, evaluation)
    if tile == 1:
        return (cell,)
    wide = min(tile or lattice.lengths[-1], columns if tile else lattice.lengths[-1])
    high = min(tile or lattice.lengths[-2], rows if tile else lattice.lengths[-2])
    titles = [
        (
            f"{lattice.cell.capitalize()} at {row + 1}, {column + 1}",
            f"of the {'block' if tile else 'layer'}",
            0,
        )
        for row, column in product(range(high), range(wide))
    ]
    joined = "mesh" if lattice.joined == "ring" else ""
    return (grid_detail(titles, (cell,), across=wide, joined=joined, note=_inside_note(lattice)),)


def _inside_note(lattice: Lattice) -> str:
    said = {
        "ring": "Neighbours are joined, across the edges of the block too.",
        "full": f"Every {lattice.cell} is joined to every other of its line.",
        "switch": "Boards of a line meet at its switches.",
    }[lattice.joined]
    return f"{said} Select a {lattice.cell} to open it."


def _cell_detail(lattice: Lattice, evaluation: dict[str, Any]) -> Detail:
    """The inside of a cell: a node, or the nodes of a cube, of a board or below a switch."""
    word = accelerator_word(evaluation)
    inside = supernode_detail(evaluation, word)
    node = inside.details[0] if inside.details else inside
    if lattice.cell == "node":
        return node
    count = min(lattice.hosts_each, lattice.hosts)
    titles: Titles = [(f"Node {position + 1}", f"of the {lattice.cell}", 0) for position in range(count)]
    if lattice.cell == "switch":
        note = "Nodes whose NICs it takes. Select a node to open it."
        return grid_detail(titles, (node,), note=note)
    lengths = get_path(evaluation, "fabric.lengths")
    if lattice.cell == "board":
        note = "Nodes of a board are joined to their neighbours; those at its edges to the switches of their lines."
        return grid_detail(titles, (node,), across=int(lengths[1]), joined="mesh", note=note)
    note = "Nodes of a cube are joined by cables, also between layers; what leaves a face goes to circuit switches."
    layers = SIDE if len(lengths) == 3 else 0
    return grid_detail(titles, (node,), across=SIDE, joined="mesh", panel=layers, note=note)


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
    """Number of layers side by side, so that the drawing is about as wide as a page."""

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
        [x for x, _ in places], [y for _, y in places], "line", size, symbol="square-open",
        hover="nothing here yet",
    )  # fmt: skip


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """What is drawn: cells, which are hosts, cubes, boards or switches."""

    title: str
    cell: str
    lengths: tuple[int, ...]
    there: int  # cells that are built
    joined: str  # ring, full, or switch: how the cells of a line are joined
    hosts_each: int
    hosts: int

    @property
    def cells(self) -> int:
        return math.prod(self.lengths)


def lattice_of(evaluation: dict[str, Any], title: str) -> Lattice:
    fabric = evaluation["fabric"]
    lengths = tuple(int(length) for length in fabric["lengths"])
    hosts = int(fabric["networked_supernodes"]) * int(get_path(evaluation, "inputs.supernode.nodes") or 1)
    kinds = {tier["name"] for tier in fabric["tiers"]}
    given: dict[str, Any] = {"title": title, "hosts": hosts}
    if "board" in kinds or fabric["topology"] == "hammingmesh":
        board, boards = lengths[:2], lengths[2:]
        each = math.prod(board)
        there = min(math.ceil(hosts / each), math.prod(boards))
        return Lattice(cell="board", lengths=boards, there=there, joined="switch", hosts_each=each, **given)
    if "circuit" in kinds:
        each, cubes = SIDE ** len(lengths), tuple(length // SIDE for length in lengths)
        there = min(math.ceil(hosts / each), math.prod(cubes))
        return Lattice(cell="cube", lengths=cubes, there=there, joined="ring", hosts_each=each, **given)
    if "router" in kinds:
        switches = math.prod(lengths)
        each = math.ceil(hosts / switches)
        return Lattice(
            cell="switch", lengths=lengths, there=switches, joined="full", hosts_each=each, **given
        )
    joined = "ring" if fabric["topology"].startswith("torus") else "full"
    there = min(hosts, math.prod(lengths))
    return Lattice(cell="node", lengths=lengths, there=there, joined=joined, hosts_each=1, **given)
