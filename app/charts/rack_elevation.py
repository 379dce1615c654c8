"""A rack from the front: rack units, what stands in them, and watts."""

from __future__ import annotations

from math import isnan
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row
from app.charts.format import show
from app.charts.forms.drawing import hover_points
from app.charts.rack_front import LABELLED_UNITS, box, frame, label, middle, unit_axis
from app.engine.fabric.floor.elevation import FullRack, Shelf

HEIGHT = 440
SLOTS = {"compute": "c1", "network": "c3", "service": "c2", "every": "c7"}
LONGEST_LABEL = 28  # characters that a box has room for beside the plan; all of it stands in its tip
COLUMNS = (
    Column.words("Device"), Column.words("Type"), Column("From"), Column("Height", "U"),
    Column("Rated power"),
)  # fmt: skip


def rack_facts(rack: FullRack) -> tuple[tuple[str, str], ...]:
    """Key figures of the rack."""
    return (
        ("Rated power", show(rack.power_w, "W").text),
        ("Heat to air", show(rack.air_heat_w, "W").text),
        ("Heat to liquid", show(rack.liquid_heat_w, "W").text),
        ("Weight", show(rack.weight_kg, "kg").text),
        ("Height used", f"{rack.used_u} of {rack.height_u} U"),
    )


def rack_elevation_figure(rack: FullRack) -> Figure:
    """One rack, with a table of its devices from the top down."""
    rows = tuple(
        Row(
            (
                shelf.name, shelf.what, f"U{shelf.bottom_u}" if shelf.units else "beside", str(shelf.units),
                show(shelf.power_w, "W").text,
            ),
            slot=SLOTS[shelf.rack_kind],
        )
        for shelf in reversed(rack.shelves)
    )  # fmt: skip
    return Figure(
        name="rack_elevation",
        eyebrow=f"Rack {rack.name}, front",
        takeaway=_takeaway(rack),
        caption=_caption(rack),
        columns=COLUMNS,
        rows=rows,
        plot=rack_plot(rack) if rack.shelves else None,
        legend_columns=COLUMNS,
        legend_rows=rows,
    )


def rack_plot(rack: FullRack, *, named: bool = True) -> dict[str, Any]:
    """The drawing: one box a device, units counted from the bottom."""
    drawn = [shelf for shelf in rack.shelves if shelf.units]
    names = [
        label(shelf, shelf.name if named else shelf.what, x=0.04, longest=LONGEST_LABEL)
        for shelf in drawn
        if shelf.units >= LABELLED_UNITS
    ]
    said = [f"{one.name}<br>{one.what}<br>U{one.bottom_u}, {show(one.power_w, 'W').text}" for one in drawn]
    points = hover_points([(0.5, middle(shelf)) for shelf in drawn], said, size=14)
    return forms.plot(
        [points],
        HEIGHT,
        x=forms.blank([-0.02, 1.02]),
        y=unit_axis(rack.height_u),
        shapes=[frame(rack.height_u), *(_box(shelf) for shelf in drawn)],
        notes=names,
        top=4,
        bottom=4,
    )


def _takeaway(rack: FullRack) -> str:
    kinds: dict[str, int] = {}
    for shelf in rack.shelves:
        if shelf.units:
            kinds[shelf.what] = kinds.get(shelf.what, 0) + 1
    held = " and ".join(f"{count} {what}" for what, count in kinds.items()) or "nothing"
    power = "" if isnan(rack.power_w) else f", {show(rack.power_w, 'W').text}"
    return f"{rack.name} holds {held}{power}."


def _caption(rack: FullRack) -> str:
    beside = sum(not shelf.units for shelf in rack.shelves)
    words = "Rack units are counted from the bottom; watts are rated."
    if beside:
        words += f" {beside} power strips are next to the units."
    if rack.used_u > sum(shelf.units for shelf in rack.shelves):
        words += " The rest of the rack is part of its SuperNode, and not drawn."
    return words


def _box(shelf: Shelf) -> dict[str, Any]:
    slot = SLOTS[shelf.rack_kind]
    return box(shelf, fill="c1-faint" if slot == "c1" else "bg", line=slot)
