"""A lattice as a picture: its places in layers of lines and columns, and what stands on each place."""

from __future__ import annotations

import math
from typing import Any

from app.charts.figure import Figure, at
from app.charts.format import TIMES
from app.charts.lattice.cells import Lattice, lattice_of
from app.charts.lattice.inside import square_details
from app.charts.lattice.layers import circle_plot, layers_plot, near_square
from app.charts.tier_rows import TIER_COLUMNS, in_a_sentence, tier_rows

EYEBROW = "Pod topology"
MOST_SQUARES = 1024
MOST_LAYERS = 64
MOST_AROUND = 40  # cells around a circle, with all their links


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
    shape = f" {TIMES} ".join(str(length) for length in at(evaluation, "fabric.lengths"))
    furthest = at(evaluation, "fabric.diameter_links")
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
