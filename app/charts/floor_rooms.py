"""Everything on a floor but its racks, in metres: halls, aisles, CDUs, power rooms and a scale bar.

A hall is a block of rows between cross aisles: the floor has no walls. CDUs and power rooms are counted by
the cooling plant and the electrical chain, and placed beside the racks they serve; their places and sizes are
schematic.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from app.charts import forms
from app.charts.figure import Mark
from app.charts.format import brief, show
from app.charts.forms.drawing import hover_points, share_out
from app.engine.fabric.floor.floor import Measured, Racks
from app.engine.fabric.graph.graph import Whole

HOT, COLD, CDU, POWER = "bad-soft", "good-soft", "c6", "c5"
UNIT_M, PITCH_M = 1.2, 1.6  # of the square that stands for a CDU
MARGIN_M = 1.2
PLAN_WIDTH = 700  # pixels of the plan, by which words take metres of it
LINE = 17  # pixels of a line of words
LEAST_WIDTH_M = 7.0  # of the plan: one rack does not fill it
STRIP = 0.28  # of the plan, power rooms to the left of a deep floor
SQUARE = 12  # pixels of a UPS, at most
MOST_NAMED = 3  # halls whose labels have room for counts
MOST_SQUARES = 2_000
SCALES_M = tuple(step * 10**power for power in range(4) for step in (1, 2, 5))
SCALE_SHARE = 0.2


class Box(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, other: Box) -> bool:
        """Return whether another box lies inside, to a millimetre."""
        near = 1e-3
        return (
            self.x0 - near <= other.x0 <= other.x1 <= self.x1 + near
            and self.y0 - near <= other.y0 <= other.y1 <= self.y1 + near
        )


class Hall(NamedTuple):
    """A block of rows, and which racks stand in it."""

    box: Box
    racks: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerBlock:
    """Units of one kind in the power rooms."""

    title: str
    units: int
    rating_w: float
    is_drawn: bool = False  # a square a unit: the UPS, or what takes its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """Plant next to the racks. `rooms` are those that the power blocks are split over."""

    cdus: int = 0
    cdu_heat_w: float = math.nan  # of one at full load
    blocks: tuple[PowerBlock, ...] = ()
    rooms: int = 1
    redundancy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooms:
    """The surroundings of the racks as parts of a chart."""

    below: list[dict[str, Any]]  # traces under the racks
    above: list[dict[str, Any]]
    shapes: list[dict[str, Any]]
    notes: list[dict[str, Any]]
    marks: tuple[Mark, ...]
    extent: Box
    halls: tuple[Hall, ...]
    cdus: tuple[Box, ...]
    power: tuple[Box, ...]


def halls_of(racks: Racks, width_m: float, depth_m: float) -> tuple[Hall, ...]:
    """Blocks of rows, distinguished by the cross aisles between them."""
    x_m = np.unique(np.round(racks.x_m, 4))
    starts = np.concatenate([[0], np.flatnonzero(np.diff(x_m) > 1.2 * width_m) + 1])
    hall = np.searchsorted(x_m[starts], np.round(racks.x_m, 4), side="right") - 1
    found = []
    for number in range(starts.size):
        mine = np.flatnonzero(hall == number)
        x, y = racks.x_m[mine], racks.y_m[mine]
        box = Box(
            float(x.min()) - width_m / 2, float(y.min()) - depth_m / 2,
            float(x.max()) + width_m / 2, float(y.max()) + depth_m / 2,
        )  # fmt: skip
        found.append(Hall(box, mine))
    return tuple(found)


def rooms_of(racks: Racks, plant: Plant, *, width_m: float, depth_m: float) -> Rooms:
    """Halls with their aisles, CDUs below them, power rooms to the left, and the scale."""
    halls = halls_of(racks, width_m, depth_m)
    field = Box(
        min(hall.box.x0 for hall in halls), min(hall.box.y0 for hall in halls),
        max(hall.box.x1 for hall in halls), max(hall.box.y1 for hall in halls),
    )  # fmt: skip
    metres = _metres(field, plant)
    line_m = LINE * metres
    floor = Box(field.x0 - MARGIN_M, field.y0 - MARGIN_M - line_m, field.x1 + MARGIN_M, field.y1 + MARGIN_M)
    cold, hot = _aisles(racks, halls, depth_m)
    cdus, gallery = _cdus(halls, plant.cdus, floor, line_m)
    outer = Box(
        floor.x0, floor.y0, max(floor.x1, floor.x0 + LEAST_WIDTH_M * (1 - STRIP)), max(floor.y1, gallery)
    )
    power = _power(plant, outer, metres)
    boxes = [outer, *(room for room, _ in power)]
    extent = Box(
        min(box.x0 for box in boxes) - 0.3, outer.y0 - 0.3,
        outer.x1 + 0.3, max(box.y1 for box in boxes) + 1.8 * line_m,
    )  # fmt: skip
    squares = [(square, title) for _, room in power for square, title, _ in room if square]
    notes = [
        *_hall_notes(halls, line_m, field),
        *(note for _, room in power for _, _, note in room if note),
    ]
    if plant.cdus:
        notes.append(_words(floor.x0 + 0.2, floor.y1 + line_m * 0.7, f"<b>CDUs</b> {plant.cdus:,}"))
    shapes = [
        forms.rect(*outer, "bg", "line-strong", layer="below"),
        *(forms.rect(*_around(hall.box, 0.3), "bg", "line", layer="below") for hall in halls),
        *(forms.rect(*room, "bg-sunken", "line-strong", layer="below") for room, _ in power),
        *_scale_bar(extent, line_m)[0],
    ]
    said = f", {show(plant.cdu_heat_w, 'W').text} each" if np.isfinite(plant.cdu_heat_w) else ""
    return Rooms(
        below=[areas(boxes, look) for boxes, look in ((cold, COLD), (hot, HOT)) if boxes],
        above=[
            *_named(cdus, [f"CDU {n + 1} of {plant.cdus:,}{said}" for n in range(len(cdus))], CDU),
            *_named([square for square, _ in squares], [title for _, title in squares], POWER),
        ],
        shapes=shapes,
        notes=[*notes, *_scale_bar(extent, line_m)[1]],
        marks=tuple(_marks(cold, hot, plant)),
        extent=extent,
        halls=halls,
        cdus=tuple(cdus),
        power=tuple(square for square, _ in squares),
    )  # fmt: skip


def areas(boxes: Sequence[Box], fill: str, edge: str = "") -> dict[str, Any]:
    """Boxes of one look as one trace."""
    x = [value for box in boxes for value in (box.x0, box.x1, box.x1, box.x0, box.x0, None)]
    y = [value for box in boxes for value in (box.y0, box.y0, box.y1, box.y1, box.y0, None)]
    x, y = ([None if value is None else round(value, 3) for value in side[:-1]] for side in (x, y))
    look = {"fill": "toself", "fillcolor": forms.token(fill), "hoveron": "points"}
    return forms.line(x, y, edge or fill, 1 if edge else 0) | look


def _named(boxes: Sequence[Box], names: Sequence[str], edge: str) -> list[dict[str, Any]]:
    """Outlined boxes that say their names."""
    return [areas(boxes, "bg", edge), hover_points(_middles(boxes), names, size=10)] if boxes else []


def _metres(field: Box, plant: Plant) -> float:
    """Metres to a pixel of the plan."""
    width = field.x1 - field.x0 + 2 * MARGIN_M
    return max(width / (1 - STRIP if plant.blocks else 1), LEAST_WIDTH_M) / PLAN_WIDTH


def _aisles(racks: Racks, halls: Sequence[Hall], depth_m: float) -> tuple[list[Box], list[Box]]:
    """Cold aisles between rows face to face, hot ones between rows back to back, in turn."""
    lines = np.unique(np.round(racks.y_m, 4)).tolist()
    cold: list[Box] = []
    hot: list[Box] = []
    for hall in halls:
        mine = set(np.round(racks.y_m[hall.racks], 4).tolist())
        for place, (upper, lower) in enumerate(pairwise(lines)):
            if upper in mine and lower in mine:
                aisle = Box(hall.box.x0, upper + depth_m / 2, hall.box.x1, lower - depth_m / 2)
                (hot if place % 2 else cold).append(aisle)
    return cold, hot


def _cdus(halls: Sequence[Hall], count: int, floor: Box, line_m: float) -> tuple[list[Box], float]:
    """CDUs in a gallery below the halls, shared out by the racks of each, and where the gallery ends."""
    if not count:
        return [], floor.y1
    racks = np.array([hall.racks.size for hall in halls])
    shares = np.floor(np.arange(1, count + 1) * racks.sum() / count - 1e-9)
    owner = np.searchsorted(np.cumsum(racks), shares, side="right")
    top = floor.y1 + 1.4 * line_m
    boxes: list[Box] = []
    for number, hall in enumerate(halls):
        mine = int(np.sum(owner == number))
        across = max(int((hall.box.x1 - hall.box.x0) // PITCH_M), 1)
        boxes += _grid(mine, hall.box.x0, top, across)
    end = max((box.y1 for box in boxes), default=top) + 0.4
    return boxes[:MOST_SQUARES], end


def _grid(count: int, x0: float, y0: float, across: int) -> list[Box]:
    places = (divmod(number, across) for number in range(count))
    return [
        Box(x0 + column * PITCH_M, y0 + line * PITCH_M, x0 + column * PITCH_M + UNIT_M, y0 + line * PITCH_M + UNIT_M)
        for line, column in places
    ]  # fmt: skip


Piece = tuple[Box | None, str, dict[str, Any] | None]
"""A square with its words, or a line of words."""


def _power(plant: Plant, floor: Box, metres: float) -> list[tuple[Box, list[Piece]]]:
    """Power rooms to the left of a floor that is deep enough for their words, else below it side by side."""
    blocks = [block for block in plant.blocks if block.units > 0]
    if not blocks:
        return []
    rooms, line_m = plant.rooms, LINE * metres
    least = (len(blocks) + 1.6) * line_m
    height = (floor.y1 - floor.y0) / rooms
    across = (floor.x1 - floor.x0) / rooms
    found = []
    for room in range(rooms):
        if height > least + 2 * line_m:
            width = STRIP * PLAN_WIDTH * metres
            box = Box(floor.x0 - width, floor.y0 + room * height, floor.x0, floor.y0 + (room + 1) * height)
            free = Box(box.x0 + line_m / 2, box.y0 + least, box.x1 - line_m / 2, box.y1 - line_m / 2)
        else:
            box = Box(floor.x0 + room * across, floor.y1, floor.x0 + (room + 1) * across, floor.y1 + least)
            free = Box((box.x0 + box.x1) / 2, box.y0 + line_m / 2, box.x1 - line_m / 2, box.y1 - line_m / 2)
        found.append((box, _room(plant, blocks, room, box, free, metres)))
    return found


def _room(
    plant: Plant, blocks: Sequence[PowerBlock], room: int, box: Box, free: Box, metres: float
) -> list[Piece]:
    """The name of a room, its blocks with their counts, and the UPS as squares."""
    line_m, left = LINE * metres, box.x0 + LINE * metres / 2
    name = "Power room" if plant.rooms == 1 else f"Power room {'ABCDEFGH'[room]}"
    scheme = f", {plant.redundancy}" if plant.redundancy else ""
    pieces: list[Piece] = [(None, "", _words(left, box.y0 + 0.8 * line_m, f"<b>{name}</b>{scheme}"))]
    for place, block in enumerate(blocks):
        count = share_out(block.units, plant.rooms)[room]
        y = box.y0 + (place + 1.9) * line_m
        pieces.append((None, "", _words(left, y, f"{block.title} {count:,}")))
        if block.is_drawn:
            rating = show(block.rating_w, "W").text
            pieces += [
                (square, f"{block.title} {number + 1} of {count:,}, {rating}", None)
                for number, square in enumerate(_fitted(count, free, SQUARE * metres))
            ]
    return pieces


def _fitted(count: int, free: Box, most: float) -> list[Box]:
    """Squares that fill a box line by line, as large as it and `most` allow."""
    width, height = free.x1 - free.x0, free.y1 - free.y0
    pitch = 1.35 * most
    while pitch > 0 and int(width / pitch) * int(height / pitch) < min(count, MOST_SQUARES):
        pitch *= 0.9
    across, side = max(int(width / pitch), 1), pitch / 1.35
    return [
        Box(free.x0 + column * pitch, free.y0 + line * pitch, free.x0 + column * pitch + side, free.y0 + line * pitch + side)
        for line, column in (divmod(number, across) for number in range(min(count, MOST_SQUARES)))
    ]  # fmt: skip


def _hall_notes(halls: Sequence[Hall], line_m: float, field: Box) -> list[dict[str, Any]]:
    several = len(halls) > 1
    notes = []
    for number, hall in enumerate(halls):
        name = f"<b>Hall {number + 1}</b>" if several else "<b>Hall</b>"
        counts = (
            ""
            if len(halls) > MOST_NAMED
            else f"  {hall.racks.size:,} {'rack' if hall.racks.size == 1 else 'racks'}"
        )
        notes.append(_words(hall.box.x0, field.y0 - 0.3 - 0.6 * line_m, f"{name}{counts}"))
    return notes


def _marks(cold: Sequence[Box], hot: Sequence[Box], plant: Plant) -> Iterable[Mark]:
    if cold:
        yield Mark(COLD, "Cold aisle")
    if hot:
        yield Mark(HOT, "Hot aisle")
    if plant.cdus:
        yield Mark(CDU, "CDUs", f"{plant.cdus:,}")
    units = sum(block.units for block in plant.blocks)
    if units:
        yield Mark(POWER, "Power blocks", f"{units:,}")


def _scale_bar(extent: Box, line_m: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The longest round length below a fifth of the plan, at its lower right."""
    most = SCALE_SHARE * (extent.x1 - extent.x0)
    length = max((step for step in SCALES_M if step <= most), default=SCALES_M[0])
    x1, y = extent.x1 - 0.4, extent.y1 - 1.1 * line_m
    ends = [(x1 - length, y, x1, y), *((x, y - 0.2 * line_m, x, y + 0.2 * line_m) for x in (x1 - length, x1))]
    bars = [forms.segment(x0, y0, to_x, to_y, "text-2", 1.2) for x0, y0, to_x, to_y in ends]
    words = forms.note(
        x1 - length / 2, y + 0.65 * line_m, f"{brief(length)} m", "text-2", anchor="center middle"
    )
    return bars, [words]


def _words(x: float, y: float, text: str) -> dict[str, Any]:
    return forms.note(x, y, text, "text-2", anchor="left middle")


def _around(box: Box, by: float) -> Box:
    return Box(box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by)


def _middles(boxes: Sequence[Box]) -> list[tuple[float, float]]:
    return [(round((box.x0 + box.x1) / 2, 3), round((box.y0 + box.y1) / 2, 3)) for box in boxes]


def rack_boxes(x_m: Measured, y_m: Measured, *, width_m: float, depth_m: float) -> list[Box]:
    """A box a rack, with a seam between neighbours."""
    seam = 0.04 * width_m
    return [
        Box(x - width_m / 2 + seam, y - depth_m / 2, x + width_m / 2 - seam, y + depth_m / 2)
        for x, y in zip(x_m.tolist(), y_m.tolist(), strict=True)
    ]


def run_boxes(racks: Racks, mask: Any, *, width_m: float, depth_m: float) -> list[Box]:
    """A box for every run of neighbours in a row, of the racks of a mask."""
    mine = np.flatnonzero(mask)
    if not mine.size:
        return []
    mine = mine[np.lexsort((racks.position[mine], racks.row[mine]))]
    broken = (np.diff(racks.row[mine]) != 0) | (np.diff(racks.position[mine]) != 1)
    firsts = np.concatenate([[0], np.flatnonzero(broken) + 1])
    lasts = np.concatenate([firsts[1:] - 1, [mine.size - 1]])
    return [
        Box(x0 - width_m / 2, y - depth_m / 2, x1 + width_m / 2, y + depth_m / 2)
        for x0, x1, y in zip(
            racks.x_m[mine[firsts]].tolist(), racks.x_m[mine[lasts]].tolist(), racks.y_m[mine[firsts]].tolist(),
            strict=True,
        )
    ]  # fmt: skip
