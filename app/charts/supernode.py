"""The inside of a single SuperNode: its accelerators and what joins them."""

from __future__ import annotations

import math
from typing import Any

from app.charts.figure import Column, Detail, Figure, Row, get_path
from app.charts.format import show
from app.charts.forms.drawing import band, box, choosable_points, drawing, hover_points, line, text

EYEBROW = "SuperNode topology"
HEIGHT = 320
LOW_HEIGHT = 210  # one line of accelerators
MOST_DRAWN = 512  # squares
CUBE = 64  # accelerators that a square of a large torus stands for
NARROW = 40.0  # of a hundred: what is less wide has no room for its name on a phone


def supernode_figure(evaluation: dict[str, Any]) -> Figure:
    """Accelerators on a switch plane, in a full mesh or in a torus."""
    inputs = evaluation.get("inputs", {})
    count = int(get_path(inputs, "supernode.accelerators") or 0)
    name = get_path(inputs, "supernode.name") or "SuperNode"
    kind = get_path(inputs, "supernode.scale_up_topology") or "switched"
    rate = get_path(evaluation, "fabric.scale_up_bandwidth_bytes_per_s")
    accelerator = get_path(inputs, "accelerator.name") or "Accelerator"
    facts = (
        ("Memory bandwidth", show(get_path(inputs, "accelerator.memory_bandwidth_bytes_per_s"), "B/s").text),
        ("Scale-up, one way", show(rate, "B/s").text),
    )
    each = 1 if count <= MOST_DRAWN else CUBE if kind == "torus" else -(-count // MOST_DRAWN)
    each = max(each, -(-count // MOST_DRAWN))
    titles = [
        (f"Accelerator {first + 1}", accelerator, 0)
        if each == 1
        else (f"Accelerators {first + 1:,} to {min(first + each, count):,}", accelerator, 0)
        for first in range(0, count, each)
    ]
    return Figure(
        name="topology",
        eyebrow=EYEBROW,
        takeaway=_takeaway(count, kind, rate),
        caption=f"{name}, a pod of one SuperNode: there is no scale-out fabric. {_basis(kind)}"
        + (f" Each square stands for {each} accelerators." if each > 1 else ""),
        hint="Select an accelerator to open it.",
        columns=(Column.words("Part"), Column("Value")),
        rows=(
            Row(("Accelerators", str(count))),
            Row(("Joined by", _words(kind))),
            Row(
                ("Scale-up bandwidth per accelerator, one way", show(rate, "B/s").text),
                path="fabric.scale_up_bandwidth_bytes_per_s",
            ),
        ),
        plot=_plot(len(titles), kind, titles) if count > 0 else None,
        details=(Detail(title="Accelerator 1", subtitle=accelerator, facts=facts),),
        minimum_width=320,
    )


def _words(kind: str) -> str:
    return {"switched": "switches", "mesh": "a full mesh", "torus": "a torus"}.get(kind, kind)


def _basis(kind: str) -> str:
    if kind == "torus":
        return "A schematic: the torus is drawn as a plane, without the links that close its rings."
    return ""


def _takeaway(count: int, kind: str, rate: float | None) -> str:
    at_rate = f" at {show(rate, 'B/s').text} one way" if rate else ""
    joined = {
        "switched": f"any of {count} accelerators reaches any other through switches",
        "mesh": f"each of {count} accelerators has a link to every other",
        "torus": f"each of {count} accelerators reaches its neighbours directly",
    }.get(kind, f"{count} accelerators joined by {kind}")
    return f"One SuperNode: {joined}{at_rate}."


def _plot(count: int, kind: str, titles: list[tuple[str, str, int]]) -> dict[str, Any]:
    shapes: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    data: list[dict[str, Any]] = []
    if kind == "mesh" and count <= 16:
        points = [
            (50 + 26 * math.sin(2 * math.pi * p / count), 50 + 42 * math.cos(2 * math.pi * p / count))
            for p in range(count)
        ]
        shapes += [line(*a, *b) for i, a in enumerate(points) for b in points[i + 1 :]]
    else:
        top = 95.0 if kind != "switched" else (40.0 if count <= 8 else 60.0)
        lines, points = _grid(count, top)
        if kind == "torus":
            shapes += _neighbours(points, lines)
        elif kind == "switched":
            x0, x1 = points[0][0] - 3, points[min(lines, count) - 1][0] + 3
            shapes += [box(x0, 80, x1, 96), band(x0, x1, points[0][1], x0, x1, 80)]
            beside = x1 - x0 < NARROW
            words.append(
                text(x1 + 2, 88, "Scale-up switches", anchor="left")
                if beside
                else text((x0 + x1) / 2, 88, "Scale-up switches")
            )
            data.append(hover_points([((x0 + x1) / 2, 88)], ["Scale-up switches, one plane drawn"]))
    size = 22 if count <= 16 else 16 if count <= 96 else 10
    data.append(choosable_points(points, titles, size=size))
    height = _height(count, kind)
    return drawing(height, [0, 100], [26 if height == LOW_HEIGHT else -2, 102], data, shapes, words)


def _height(count: int, kind: str) -> int:
    return LOW_HEIGHT if count <= 8 and kind == "switched" else HEIGHT


def _grid(count: int, top: float) -> tuple[int, list[tuple[float, float]]]:
    """Accelerators a line, and the points, from the top left."""
    across = count if count <= 8 else min(32, math.ceil(math.sqrt(count * 2.2)))
    while count > 8 and count % across and across > math.sqrt(count):
        across -= 1
    rows = math.ceil(count / across)
    pitch_x = min(12.0, 92 / across)
    pitch_y = min(18.0, (top - 5) / max(rows, 1))
    left = 50 - pitch_x * (across - 1) / 2
    return across, [(left + pitch_x * (p % across), top - pitch_y * (p // across)) for p in range(count)]


def _neighbours(points: list[tuple[float, float]], across: int) -> list[dict[str, Any]]:
    lines = []
    for position, point in enumerate(points):
        if (position + 1) % across and position + 1 < len(points):
            lines.append(line(*point, *points[position + 1]))
        if position + across < len(points):
            lines.append(line(*point, *points[position + across]))
    return lines
