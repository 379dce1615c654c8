"""What a square of a lattice opens: a cell, or a block of cells that open in turn."""

from __future__ import annotations

from itertools import product
from typing import Any

from app.charts.figure import Detail, at
from app.charts.grid import Titles, grid_detail
from app.charts.inside import supernode_detail
from app.charts.lattice.cells import Lattice
from app.charts.tier_rows import accelerator_word
from app.engine.fabric.topologies.lattices.torus import SIDE


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
    lengths = at(evaluation, "fabric.lengths")
    if lattice.cell == "board":
        note = "Nodes of a board are joined to their neighbours; those at its edges to the switches of their lines."
        return grid_detail(titles, (node,), across=int(lengths[1]), joined="mesh", note=note)
    note = "Nodes of a cube are joined by cables, also between layers; what leaves a face goes to circuit switches."
    layers = SIDE if len(lengths) == 3 else 0
    return grid_detail(titles, (node,), across=SIDE, joined="mesh", panel=layers, note=note)
