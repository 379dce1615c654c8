"""Placement on the pod: each SuperNode by the class that it works for, and what is free in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import number, show

COLUMNS = 32
MOST_ROWS_OF_TABLE = 200
SLOTS = ("c1", "c2", "c3", "c4", "c5", "c6")
FREE, AWAY = "line", "bad-soft"
HEIGHT = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A pod at a moment, by SuperNode: accelerators in use, the class that has most (-1 is none), and
    away."""

    pod: str
    size: int
    at_s: float
    waiting: int
    used: Sequence[int]
    lane: Sequence[int]
    away: Sequence[int]
    classes: Sequence[str]


def placement_figure(placed: Placed) -> Figure | None:
    """SuperNodes in rows, coloured by class; a mark where a SuperNode is partly free."""
    if not placed.used:
        return None
    size, count = placed.size, len(placed.used)
    shown = sorted({lane for lane in placed.lane if lane >= 0})
    slot_of = {lane: min(place, len(SLOTS) - 1) for place, lane in enumerate(shown)}
    states = [_state(placed, one, slot_of) for one in range(count)]
    free = [size - used - away for used, away in zip(placed.used, placed.away, strict=True)]
    parts = [one for one in range(count) if 0 < free[one] < size]
    whole = sum(one == size for one in free)
    wide = min(COLUMNS, count)
    cells: list[list[Any]] = [states[start : start + wide] for start in range(0, count, wide)]
    said: list[list[Any]] = [
        [_words(placed, one, free[one]) for one in range(start, min(start + wide, count))]
        for start in range(0, count, wide)
    ]
    cells[-1] += [None] * (wide - len(cells[-1]))
    said[-1] += [""] * (wide - len(said[-1]))
    rows = [f"{start:,}" for start in range(0, count, wide)]
    slots = (FREE, *SLOTS, AWAY)
    top = len(slots) - 1
    scale = [
        [edge / len(slots), forms.token(slot)]
        for place, slot in enumerate(slots)
        for edge in (place, place + 1)
    ]
    fragments = sum(free[one] for one in parts)
    names = {slot_of[lane]: placed.classes[lane] for lane in reversed(shown) if lane < len(placed.classes)}
    if len(shown) > len(SLOTS):
        names[len(SLOTS) - 1] = "Other classes"
    return Figure(
        name="fleet_placement",
        eyebrow=f"Placement on {placed.pod}, a cell for each SuperNode",
        takeaway=(
            f"{number(whole)} of {number(count)} SuperNodes are free, and {number(fragments)} accelerators are free in "
            f"{number(len(parts))} others, which jobs hold in part."
        ),
        caption=(
            f"{show(placed.at_s, 's').text} after the start, {number(placed.waiting)} jobs waiting; rows of {wide}. Coloured by the class "
            "with the most accelerators of the SuperNode; a dot marks one that is partly free."
        ),
        columns=(Column("SuperNode"), Column.words("Class"), Column("In use"), Column("Free"), Column("In repair")),
        rows=tuple(
            Row((str(one), _class(placed, one), str(placed.used[one]), str(free[one]), str(placed.away[one])))
            for one in range(min(count, MOST_ROWS_OF_TABLE))
        ),
        legend=(
            *(Mark(SLOTS[place], name) for place, name in sorted(names.items())),
            Mark(FREE, "Free"),
            *([Mark(AWAY, "In repair or maintenance")] if any(state == top for state in states) else []),
        ),
        plot=forms.plot(
            [
                forms.heat_map(
                    list(range(wide)), rows, cells, [-0.5, top + 0.5], scale=None, colorscale=scale, showscale=False,
                    customdata=said, hover="%{customdata}",
                ),
                forms.dots(
                    [one % wide for one in parts], [rows[one // wide] for one in parts], "text", 4,
                    said=[_words(placed, one, free[one]) for one in parts], hover="%{customdata}",
                ),
            ],
            max(140, min(HEIGHT * len(rows) + 50, 900)),
            x=forms.look(visible=False),
            y=forms.look(autorange="reversed", showgrid=False, type="category", ticks="", nticks=8, automargin=True),
            right=20,
        ),
    )  # fmt: skip


def _state(placed: Placed, one: int, slot_of: dict[int, int]) -> int:
    """0 is free, then the colours of classes, and last what is away altogether."""
    if placed.lane[one] >= 0:
        return 1 + slot_of[placed.lane[one]]
    return 1 + len(SLOTS) if placed.away[one] else 0


def _class(placed: Placed, one: int) -> str:
    lane = placed.lane[one]
    return placed.classes[lane] if 0 <= lane < len(placed.classes) else "none"


def _words(placed: Placed, one: int, free: int) -> str:
    away = f", {placed.away[one]} in repair" if placed.away[one] else ""
    return f"SuperNode {one:,}: {_class(placed, one)}<br>{placed.used[one]} in use, {free} free{away}"
