"""A torus as a box that can be turned: a mark for each accelerator, or for each cube that circuit switches join."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from app.charts.fabric.supernode_words import (
    COLUMNS,
    EYEBROW,
    NAME,
    Inside,
    loss_of,
    rate_of,
    rows_of,
    spare_words,
)
from app.charts.figure import Figure, Mark
from app.charts.format import TIMES, number
from app.charts.forms import look, plot, token


def supernode_torus_figure(inside: Inside) -> Figure:
    """Places of a torus in space with the links between them; a link that closes a ring leaves the box on both sides."""
    network = inside["network"]
    cube = network["cube_side"]
    sides = [round(length / (cube or 1)) for length in network["lengths"]]
    sides = [*sides, *[1] * (3 - len(sides))]
    links = {one["name"]: one for one in inside["links"]}
    each = round(cube ** len(network["lengths"])) if cube else 1
    places = list(itertools.product(*(range(side) for side in sides)))
    word = f"Cube of {each} accelerators" if cube else "Accelerator"
    loss = loss_of(inside, "rack" if cube else "accelerator")
    said = f"<br>lost with it: {each} accelerator{'s' if each > 1 else ''}" + (
        f"<br>spares: {spare_words(loss)}" if loss else ""
    )
    rate = rate_of(inside["links"][0])
    straight, closing = _rings(network["joins"], places, sides)
    marks = {
        "type": "scatter3d", "mode": "markers", "x": [x for x, _, _ in places], "y": [y for _, y, _ in places],
        "z": [z for _, _, z in places], "text": [f"{word} at {x + 1}, {y + 1}, {z + 1}{said}" for x, y, z in places],
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"size": 5 if cube else 6, "symbol": "square" if cube else "circle", "color": token("c1"), "line": {"width": 0}},
    }  # fmt: skip
    data = [_lines(straight, "c1-tint", 3), _lines(closing, "c2", 3), marks]
    shape = f" {TIMES} ".join(number(length) for length in network["lengths"])
    domains = f"{number(network['domains'])} such boxes. " if network["domains"] > 1 else ""
    if network["domains"] % 1:
        domains = f"The largest torus of the {number(inside['accelerators'])} accelerators is drawn. "
    switches = round(network["circuit_switches"] / network["domains"])
    between = links.get("optical")
    legend = [Mark("c1", "Cubes" if cube else "Accelerators", number(len(places)))]
    if closing:
        legend.append(Mark("c2", "Ends of links that close rings"))
    bundle = network["joins"][0]["links"]
    drawn = (
        f"Each mark is a cube of {each} accelerators, a rack; each line is {bundle} links of {rate} over {between['medium']}"
        f", through {number(switches)} circuit switches."
        if cube and between
        else f"Each mark is an accelerator, each line a link of {rate} over {inside['links'][0]['medium']}."
    )
    cubes = f" in {len(places)} cubes" if cube else ""
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=f"{number(network['domain_accelerators'])} accelerators{cubes} form a torus of {shape}: each reaches its neighbours directly.",
        caption=f"{domains}{drawn} Lines that leave the box are rings that close on the other side.",
        columns=COLUMNS,
        rows=rows_of(inside),
        hint="Drag it, or use the arrow keys, to turn it.",
        plot=plot(data, 440, scene=_scene(sides), top=0, bottom=0, left=0, right=0, dragmode="turntable"),
        legend=tuple(legend),
    )


RING_END = 0.45  # length of the drawn end of a link that closes a ring, in steps


def _rings(
    joins: Sequence[dict[str, Any]], places: Sequence[tuple[int, ...]], sides: Sequence[int]
) -> tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]:
    """Lines between neighbours, and the two ends of each link that joins the first of a row to the last."""
    straight, closing = [], []
    for join in joins:
        one, other = places[join["one"]], places[join["other"]]
        side = next(axis for axis in range(3) if one[axis] != other[axis])
        if abs(one[side] - other[side]) == 1:
            straight.append((one, other))
        if sides[side] == 2 or abs(one[side] - other[side]) > 1:
            for end in (one, other):
                out = list(map(float, end))
                out[side] += RING_END if end[side] else -RING_END
                closing.append((end, tuple(out)))
    return straight, closing


def _lines(ends: Sequence[tuple[Any, Any]], slot: str, width: float) -> dict[str, Any]:
    axes = {
        name: [place for one, other in ends for place in (one[axis], other[axis], None)]
        for axis, name in enumerate("xyz")
    }
    return {
        "type": "scatter3d",
        "mode": "lines",
        **axes,
        "line": {"color": token(slot), "width": width},
        "hoverinfo": "skip",
    }


ZOOM = 1.55


def _scene(sides: Sequence[int]) -> dict[str, Any]:
    """A box as long as its sides, seen from above one corner."""
    hidden = look(visible=False, showspikes=False)
    most = max(sides)
    axes = {
        f"{name}axis": {**hidden, "range": [-0.6, side - 0.4]}
        for name, side in zip("xyz", sides, strict=True)
    }
    return {
        **axes,
        "aspectmode": "manual",
        "aspectratio": {name: ZOOM * max(side / most, 0.12) for name, side in zip("xyz", sides, strict=True)},
        "camera": {"eye": {"x": 1.25, "y": -1.45, "z": 0.85}, "projection": {"type": "orthographic"}},
        "dragmode": "turntable",
    }
