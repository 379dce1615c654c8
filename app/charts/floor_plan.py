"""The floor from above: halls with their aisles, racks coloured by kind, power, heat or weight, and the plant
beside.

Where there are too many racks to draw, a row is one mark; a mark opens beside the plan into what is inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Detail, Figure, Mark, Row
from app.charts.floor_rooms import PLAN_WIDTH, Plant, Rooms, areas, rack_boxes, rooms_of, run_boxes
from app.charts.format import THIN_SPACE, brief, number, rounded, show
from app.charts.forms.drawing import drawing
from app.charts.rack_elevation import SLOTS, rack_facts, rack_plot
from app.engine.fabric.floor.elevation import FullRack
from app.engine.fabric.floor.floor import RACK_KINDS, Floor, Measured
from app.engine.fabric.graph.graph import Whole

MOST_RACKS = 1_500  # above it a row is one mark
MINIMUM_WIDTH = 600  # a plan scrolls sideways on a small screen: its words would touch
ROW_HEIGHT = 110
KIND = "kind"

MEASURES: dict[str, tuple[str, str, str]] = {
    "power": ("Rated power", "power_w", "W"),
    "air_heat": ("Heat to air", "air_heat_w", "W"),
    "liquid_heat": ("Heat to liquid", "liquid_heat_w", "W"),
    "air_heat_per_u": ("Heat to air by height unit", "air_heat_w_per_u", "W/U"),
    "liquid_heat_per_u": ("Heat to liquid by height unit", "liquid_heat_w_per_u", "W/U"),
    "weight": ("Weight", "weight_kg", "kg"),
}
"""By name: what is shown, its column of the racks, and its unit."""

COLOURINGS = {KIND: "Kind of rack", **{name: title for name, (title, _, _) in MEASURES.items()}}
KIND_WORDS = {"compute": "SuperNodes", "network": "Switches", "service": "Servers"}
FILLS = {"compute": "c1-tint", "network": "c3", "service": "c2"}
HEIGHTS = (200, 720)
STEPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFloor:
    """A floor with the names of its racks, and which of them hold the same: one example is shown of each."""

    floor: Floor
    names: Sequence[str]
    make_up: Whole  # (racks,) index into examples
    examples: Sequence[FullRack]
    rack_width_m: float
    rack_depth_m: float
    plant: Plant = field(default_factory=Plant)


def floor_plan_figure(drawn: DrawnFloor, measure: str = KIND) -> Figure:
    """The plan, with the same numbers by kind of rack as a table."""
    title, column, unit = MEASURES["power" if measure == KIND else measure]
    values: Measured = getattr(drawn.floor.racks, column)
    by_row = drawn.floor.racks.count > MOST_RACKS
    known = bool(np.isfinite(values).any()) or (measure == KIND and drawn.floor.racks.count > 0)
    rooms = (
        rooms_of(drawn.floor.racks, drawn.plant, width_m=drawn.rack_width_m, depth_m=drawn.rack_depth_m)
        if known
        else None
    )
    plan = (_rows_plan if by_row else _racks_plan)(drawn, rooms, values, unit, measure) if rooms else None
    coloured = (
        COLOURINGS[measure].lower()
        if measure == KIND
        else f"{title.lower()} {'of a rack, mean of a row' if by_row else 'by rack'}"
    )
    return Figure(
        name="floor_plan",
        eyebrow=f"Floor plan, {coloured}",
        takeaway=_takeaway(drawn.floor),
        caption=f"{number(drawn.floor.length_m)} by {number(drawn.floor.width_m)} m with the aisles around. "
        "A hall is a block of rows between cross aisles. CDUs and power blocks are counted by the cooling plant and the "
        f"electrical chain; their places are schematic. {_unknown(values, title)}".strip(),
        hint=f"Select a {'row' if by_row else 'rack'} to open it; drag to zoom, double-click to see all again.",
        height=plan["layout"]["height"] if plan else HEIGHTS[0],
        columns=(
            Column.words("Racks of"), Column("Count"), Column(f"{title}, mean"), Column(f"{title}, largest"),
        ),
        rows=(*_kind_rows(drawn.floor, values, unit), *_plant_rows(drawn.plant)),
        plot=plan,
        legend=(*_kind_legend(drawn.floor, measure, by_row=by_row), *(rooms.marks if rooms else ())),
        details=() if plan is None else _row_details(drawn, values, unit) if by_row else _rack_details(drawn),
        minimum_width=MINIMUM_WIDTH,
    )  # fmt: skip


def _takeaway(floor: Floor) -> str:
    racks, rows = floor.racks.count, int(np.unique(floor.racks.row).size)
    power = floor.racks.power_w
    drawn = f" of {show(float(np.nanmax(power)), 'W').text} at most" if np.isfinite(power).any() else ""
    area = floor.length_m * floor.width_m
    rows_of = "one row" if rows == 1 else f"{rows:,} rows"
    racks_of = "One rack" if racks == 1 else f"{racks:,} racks"
    return f"{racks_of}{drawn} in {rows_of} on {brief(area)}{THIN_SPACE}m²."


def _unknown(values: Measured, title: str) -> str:
    unknown = int(np.isnan(values).sum())
    return f"{title} of {unknown:,} racks is not published: they are left blank." if unknown else ""


def _kind_rows(floor: Floor, values: Measured, unit: str) -> list[Row]:
    rows = []
    for index, kind in enumerate(RACK_KINDS):
        mine = values[floor.racks.kind == index]
        if mine.size:
            mean, largest = (_over_known(function, mine) for function in (np.mean, np.max))
            rows.append(
                Row(
                    (KIND_WORDS[kind], f"{mine.size:,}", show(mean, unit).text, show(largest, unit).text),
                    slot=SLOTS[kind],
                )
            )
    return rows


def _plant_rows(plant: Plant) -> list[Row]:
    """Plant is no rack: its rating is given where a rack has its power."""
    rows = [Row(("CDUs", f"{plant.cdus:,}", "n/a", "n/a"), slot="c6")] if plant.cdus else []
    for block in plant.blocks:
        rating = show(block.rating_w, "W").text
        rows.append(Row((block.title, f"{block.units:,}", f"{rating} each", "n/a"), slot="c5"))
    return rows


def _kind_legend(floor: Floor, measure: str, *, by_row: bool) -> tuple[Mark, ...]:
    """Kinds of rack with their counts; with a scale of colours, the marks of those that are not
    SuperNodes."""
    counts = np.bincount(floor.racks.kind, minlength=len(RACK_KINDS)).tolist()
    if measure != KIND and by_row:
        return ()
    looks = FILLS if measure == KIND else SLOTS
    return tuple(
        Mark(looks[kind], KIND_WORDS[kind], f"{count:,} {'rack' if count == 1 else 'racks'}")
        for kind, count in zip(RACK_KINDS, counts, strict=True)
        if count
    )


def _over_known(function: Callable[[Measured], Any], values: Measured) -> float | None:
    known = values[~np.isnan(values)]
    return float(function(known)) if known.size else None


def _rack_details(drawn: DrawnFloor) -> tuple[Detail, ...]:
    """An elevation of each make-up, without names of its own: many racks hold the same."""
    return tuple(
        Detail(
            title="",
            subtitle="",
            note="Rack units are counted from the bottom; watts are rated.",
            plot=rack_plot(rack, named=False),
            facts=rack_facts(rack),
        )
        for rack in drawn.examples
    )


def _racks_plan(drawn: DrawnFloor, rooms: Rooms, values: Measured, unit: str, measure: str) -> dict[str, Any]:
    racks = drawn.floor.racks
    size = {"width_m": drawn.rack_width_m, "depth_m": drawn.rack_depth_m}
    if measure == KIND:
        data = [
            areas(
                rack_boxes(racks.x_m[racks.kind == index], racks.y_m[racks.kind == index], **size),
                FILLS[kind],
            )
            for index, kind in enumerate(RACK_KINDS)
            if np.any(racks.kind == index)
        ]
    else:
        kinds = [
            _kind_marks(racks.x_m, racks.y_m, racks.kind == index, kind)
            for index, kind in enumerate(RACK_KINDS)
        ]
        data = [
            cells(racks.x_m, racks.y_m, values, unit, width_m=drawn.rack_width_m, depth_m=drawn.rack_depth_m),
            *(kind for kind in kinds if kind),
        ]
    titles = [
        [f"Rack {name}", _subtitle(drawn.examples[make_up], value, unit, weight), int(make_up)]
        for name, make_up, value, weight in zip(
            drawn.names, drawn.make_up, values.tolist(), racks.weight_kg.tolist(), strict=True
        )
    ]
    across = rooms.extent.x1 - rooms.extent.x0
    mark = max(4, min(22, round(PLAN_WIDTH * drawn.rack_width_m / across) - 1))
    return plan_of([*data, choices(racks.x_m, racks.y_m, titles, mark)], rooms)


def _rows_plan(drawn: DrawnFloor, rooms: Rooms, values: Measured, unit: str, measure: str) -> dict[str, Any]:
    racks = drawn.floor.racks
    rows, first, row, sizes = np.unique(racks.row, return_index=True, return_inverse=True, return_counts=True)
    means = _row_means(row, values, rows.size)
    left = racks.x_m[first] - drawn.rack_width_m / 2
    longest = int(sizes.max()) * drawn.rack_width_m
    x_m, y_m = left + longest / 2, racks.y_m[first]
    _, make_up = _alike_rows(drawn, row, rows.size)
    size = {"width_m": drawn.rack_width_m, "depth_m": drawn.rack_depth_m}
    if measure == KIND:
        runs = {kind: run_boxes(racks, racks.kind == index, **size) for index, kind in enumerate(RACK_KINDS)}
        data = [areas(boxes, FILLS[kind]) for kind, boxes in runs.items() if boxes]
    else:
        data = [cells(x_m, y_m, means, unit, width_m=longest, depth_m=drawn.rack_depth_m)]
    titles = [
        [f"Row {int(name) + 1}", f"{int(count)} racks, mean {show(mean, unit).text}", int(same)]
        for name, count, mean, same in zip(rows, sizes, means.tolist(), make_up, strict=True)
    ]
    return plan_of([*data, choices(x_m, y_m, titles, 12)], rooms)


def _row_means(row: Whole, values: Measured, rows: int) -> Measured:
    """The mean over the racks of a row of which it is known."""
    known = ~np.isnan(values)
    counts = np.bincount(row[known], minlength=rows)
    sums = np.bincount(row[known], weights=values[known], minlength=rows)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _alike_rows(drawn: DrawnFloor, row: Whole, rows: int) -> tuple[list[Whole], Whole]:
    """The racks of one row of each make-up, and (rows,) which of them each row is."""
    positions = drawn.floor.racks.position
    table = np.full((rows, int(positions.max()) + 1), -1)
    table[row, positions] = drawn.make_up
    _, example, make_up = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return [np.flatnonzero(row == one) for one in example], make_up.ravel()


def _row_details(drawn: DrawnFloor, values: Measured, unit: str) -> tuple[Detail, ...]:
    """A row with its racks; each opens into its elevation."""
    racks = drawn.floor.racks
    rows, row = np.unique(racks.row, return_inverse=True)
    details = []
    for mine in _alike_rows(drawn, row, rows.size)[0]:
        used, place = np.unique(drawn.make_up[mine], return_inverse=True)
        x_m, y_m = racks.x_m[mine] - racks.x_m[mine].min(), np.zeros(mine.size)
        titles = [
            [
                f"Rack {int(racks.position[rack]) + 1} of the row",
                _subtitle(drawn.examples[same], value, unit, float(racks.weight_kg[rack])),
                int(at),
            ]
            for rack, same, value, at in zip(
                mine, drawn.make_up[mine], values[mine].tolist(), place.ravel(), strict=True
            )
        ]
        heat = cells(
            x_m, y_m, values[mine], unit, width_m=drawn.rack_width_m, depth_m=drawn.rack_depth_m, scale=False
        )
        plot = drawing(
            ROW_HEIGHT,
            [-drawn.rack_width_m, float(x_m.max()) + drawn.rack_width_m],
            [-drawn.rack_depth_m, drawn.rack_depth_m],
            [heat, choices(x_m, y_m, titles, 10, chosen=None)],
            top=4,
            bottom=4,
        )
        inside = tuple(
            Detail(
                title="",
                subtitle="",
                note="Rack units are counted from the bottom; watts are rated.",
                plot=rack_plot(drawn.examples[same], named=False),
                facts=rack_facts(drawn.examples[same]),
            )
            for same in used
        )
        facts = (("Racks", f"{mine.size}"), ("Rated power", show(float(racks.power_w[mine].sum()), "W").text))
        details.append(Detail(title="", subtitle="", plot=plot, facts=facts, details=inside))
    return tuple(details)


def _subtitle(rack: FullRack, value: float, unit: str, weight_kg: float) -> str:
    weight = "" if unit == "kg" or math.isnan(weight_kg) else f", {show(weight_kg, 'kg').text}"
    return f"{KIND_WORDS[rack.kind]}, {show(value, unit).text}{weight}"


def _kind_marks(x_m: Measured, y_m: Measured, mine: Any, kind: str) -> dict[str, Any] | None:
    """What tells racks of switches and of servers from those of SuperNodes, beside their colour."""
    if kind == "compute" or not mine.any():
        return None
    places = short(x_m[mine]), short(y_m[mine])
    return forms.dots(*places, SLOTS[kind], 6, symbol="diamond", edge="bg", edge_width=1)


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
        z[at_y][at_x] = None if np.isnan(value) else rounded(value, 4)
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
        short(x_m), short(y_m), "accent", size, symbol="square", opacity=0, edge="accent", edge_width=2, meta="choosable",
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


def plan_of(data: list[dict[str, Any]], rooms: Rooms) -> dict[str, Any]:
    """The racks in their rooms, as long as wide on the page as on the floor; dragging zooms."""
    box = rooms.extent
    height = round(PLAN_WIDTH * (box.y1 - box.y0) / (box.x1 - box.x0))
    free = forms.look(fixedrange=False, constrain="domain")
    return drawing(
        min(max(height, HEIGHTS[0]), HEIGHTS[1]),
        [box.x0, box.x1],
        [box.y1, box.y0],
        [*rooms.below, *data[:-1], *rooms.above, data[-1]],
        rooms.shapes,
        rooms.notes,
        x=forms.blank([box.x0, box.x1], **free),
        y=forms.blank([box.y1, box.y0], scaleanchor="x", scaleratio=1, **free),
        dragmode="zoom",
        top=2, right=2, bottom=2, left=2,
    )  # fmt: skip
