"""A single-line diagram as shapes and words in plot coordinates."""

from __future__ import annotations

import itertools
from typing import Any

from app.charts.drawing import hover_points, text
from app.charts.facility.single_line_boxes import PATHS, Box, rows_of
from app.charts.figure import blank_axis, layout, token
from app.engine.facility.electrical.kinds import Chain

PITCH = 80  # pixels from row to row
HALF = 0.29  # of a box, over the pitch
GAP = 0.06  # beside a box, over the width of a path
SHORT = {"cooling_transformer": "Cooling", "pump_ups": "Pumps, CDUs", "generator": "Generators"}


def height_of(boxes: list[Box]) -> int:
    """Pixels that the drawing takes from the utility to the racks."""
    return round(PITCH * (rows_of(boxes) + 0.3))


def single_line_plot(boxes: list[Box], chain: Chain) -> dict[str, Any]:
    """The drawing, with names on hovering."""
    paths = PATHS[chain.redundancy]
    return {
        "data": [
            hover_points(
                [_middle(box) for box in boxes],
                [f"{_title(box, chain)}: {box.first}, {box.second}" for box in boxes],
            )
        ],
        "layout": layout(
            height_of(boxes),
            margin={"l": 0, "r": 0, "t": 0, "b": 0},
            xaxis=blank_axis([0, len(paths) + 1]),
            yaxis=blank_axis([-rows_of(boxes) + 0.55, 0.85]),
            shapes=[*_wires(boxes, len(paths)), *(_shape(box) for box in boxes)],
            annotations=[note for box in boxes for note in _words(box, chain)],
        ),
    }


def _corners(box: Box) -> tuple[float, float, float, float]:
    right = box.paths if box.kind == "racks" else box.path + 1
    return box.path + GAP, -box.row - HALF, right - GAP, -box.row + HALF


def _middle(box: Box) -> tuple[float, float]:
    x0, _, x1, _ = _corners(box)
    return (x0 + x1) / 2, -box.row


def _shape(box: Box) -> dict[str, Any]:
    x0, y0, x1, y1 = _corners(box)
    edge = {"lost": "bad", "taken": "accent"}.get(box.mark, "control")
    return {
        "type": "rect",
        "x0": x0,
        "y0": y0,
        "x1": x1,
        "y1": y1,
        "fillcolor": token("bad-soft" if box.mark == "lost" else "bg-sunken"),
        "line": {
            "color": token(edge),
            "width": 2 if box.mark else 1,
            "dash": "dash" if box.mark == "lost" else "solid",
        },
    }


def _words(box: Box, chain: Chain) -> list[dict[str, Any]]:
    x, y = _middle(box)
    notes = [
        text(x, y + 0.02, box.first, colour="text", yanchor="bottom"),
        text(x, y - 0.02, box.second, colour="bad" if box.mark == "lost" else "text-2", yanchor="top"),
    ]
    label = _title(box, chain) if box.path in (0, box.paths) else ""
    if not label and box.row == 0:
        label = PATHS[chain.redundancy][box.path]
    if label:
        left, above = _corners(box)[0], y + HALF + 0.02
        ground = {"bgcolor": token("bg"), "borderpad": 0, "yanchor": "bottom"}  # over the wires
        notes.append(text(left, above, label, colour="text-3", anchor="left", **ground))
    return notes


def _title(box: Box, chain: Chain) -> str:
    if box.kind in ("racks", "cooling"):
        return box.kind.capitalize()
    if box.row == 0 and box.paths > 1:
        return f"{chain.title(box.kind)}s, {PATHS[chain.redundancy][box.path]}"
    if box.path == box.paths:
        return SHORT[box.kind]
    title = chain.title(box.kind)
    return title if title == "UPS" else f"{title}s"


def _wires(boxes: list[Box], paths: int) -> list[dict[str, Any]]:
    """From block to block down each path, with the bus that generators and cooling hang on."""
    generator = next(box for box in boxes if box.kind == "generator")
    bus = -generator.row
    wires = [_wire(0.5, bus, generator.path + GAP, bus, width=3)]
    for path in range(paths):
        stops = [box for box in boxes if box.path == path and box.path < box.paths and box.kind != "racks"]
        for upper, lower in itertools.pairwise(stops):
            wires.append(_wire(path + 0.5, -upper.row - HALF, path + 0.5, -lower.row + HALF))
        racks = -boxes[-1].row + HALF
        wires.append(_wire(path + 0.5, -stops[-1].row - HALF, path + 0.5, racks))
    for upper, lower in _in_line(boxes, paths):
        wires.append(_wire(paths + 0.5, -upper.row - HALF, paths + 0.5, -lower.row + HALF))
    return wires


def _in_line(boxes: list[Box], paths: int) -> list[tuple[Box, Box]]:
    beside = [box for box in boxes if box.path == paths]
    return list(itertools.pairwise(beside))


def _wire(x0: float, y0: float, x1: float, y1: float, width: float = 1.2) -> dict[str, Any]:
    line = {"color": token("c1"), "width": width}
    return {"type": "line", "x0": x0, "y0": y0, "x1": x1, "y1": y1, "line": line, "layer": "below"}
