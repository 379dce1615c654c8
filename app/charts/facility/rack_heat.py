"""A rack from the front with the heat of every height unit: to air on one scale, to liquid on another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.charts.drawing import hover_points, text
from app.charts.figure import Column, Figure, Mark, Row, layout, round_ticks, token, unknown_figure
from app.charts.format import THIN_SPACE, number, rounded, show
from app.charts.rack_front import LABELLED_UNITS, box, frame, label, middle, unit_axis
from app.engine.facility.racks.heat import ShelfHeat
from app.engine.facility.racks.kind import RackKind

HEIGHT = 460
RACK = [0.0, 0.36]  # of the width
LOOPS = {"air": ("To air", "c2", [0.42, 0.68], "/"), "liquid": ("To liquid", "c6", [0.74, 1.0], "")}
"""By loop: its words, its colour, where its bars stand, and how they are hatched."""
LONGEST_LABEL, LONGEST_NARROW_LABEL = 27, 11  # characters that a box has room for
EYEBROW = "Heat by height unit, rated"
COLUMNS = (
    Column(name="Device", numeric=False),
    Column(name="From"),
    Column(name="Height", unit="U"),
    Column(name="Heat to air", unit="W/U"),
    Column(name="Heat to liquid", unit="W/U"),
)


def rack_heat_figure(kind: RackKind) -> Figure:
    """One rack, with a table of its devices from the top down."""
    known = [shelf for shelf in kind.heat.shelves if not np.isnan(shelf.air_w_per_u + shelf.liquid_w_per_u)]
    if not known:
        return unknown_figure(
            "rack_heat", EYEBROW, "Rated power is not published.", "How hot its height units are is unknown."
        )
    return Figure(
        name="rack_heat",
        eyebrow=f"Rack {kind.example.name}, front: heat by height unit, rated",
        takeaway=_takeaway(kind, known),
        caption=_caption(kind, known),
        height=HEIGHT,
        columns=COLUMNS,
        rows=tuple(_row(shelf) for shelf in reversed(kind.heat.shelves)),
        plot=_plot(kind, known),
        legend=tuple(
            Mark(slot=slot, label=words, value=show(rounded(watts), "W").text)
            for (words, slot, _, _), watts in zip(
                LOOPS.values(), (kind.heat.air_heat_w, kind.heat.liquid_heat_w), strict=True
            )
        ),
        narrow={"annotations": _annotations(kind.heat.shelves, LONGEST_NARROW_LABEL)},
        minimum_width=320,
    )


def _row(shelf: ShelfHeat) -> Row:
    return Row(
        cells=(
            shelf.name if shelf.name == shelf.what else f"{shelf.name}, {shelf.what}",
            f"U{shelf.bottom_u}",
            str(shelf.units),
            _per_unit(shelf.air_w_per_u),
            _per_unit(shelf.liquid_w_per_u),
        )
    )


def _per_unit(watts: float) -> str:
    return "not published" if np.isnan(watts) else number(rounded(watts))


def _takeaway(kind: RackKind, known: Sequence[ShelfHeat]) -> str:
    hottest = max(known, key=lambda shelf: shelf.air_w_per_u + shelf.liquid_w_per_u)
    heat = kind.heat
    to_air, to_liquid = (show(rounded(watts), "W").text for watts in (heat.air_heat_w, heat.liquid_heat_w))
    parts = [f"{to_air} leave by air"] if heat.air_heat_w else []
    parts += [f"{to_liquid} by liquid"] if heat.liquid_heat_w else []
    leaving = " and ".join(parts) if parts else "No heat leaves"
    if len(parts) == 1 and not heat.air_heat_w:
        leaving = f"{to_liquid} leave by liquid"
    each = show(rounded(hottest.air_w_per_u + hottest.liquid_w_per_u), "W").text
    return f"{leaving}; the hottest units give {each} each."


def _caption(kind: RackKind, known: Sequence[ShelfHeat]) -> str:
    words = "Rack units are counted from the bottom; both loops share one scale. "
    words += "Bars of heat to air are hatched, those of heat to liquid are not."
    unknown = len(kind.heat.shelves) - len(known)
    if unknown:
        words += f" {unknown} devices whose power is not published have no bar."
    if kind.whole and kind.example.used_u > sum(shelf.units for shelf in kind.heat.shelves):
        words += " What its trays share is counted with them; the rest of the rack is not drawn."
    return words


def _plot(kind: RackKind, known: Sequence[ShelfHeat]) -> dict[str, Any]:
    shelves, height_u = kind.heat.shelves, kind.example.height_u
    most = max(max(shelf.air_w_per_u, shelf.liquid_w_per_u) for shelf in known)
    ticks = round_ticks(most, 2)
    labels = [_tick(tick, last=tick == ticks[-1]) for tick in ticks]
    axes = {
        f"xaxis{2 + place}": {
            "domain": domain, "range": [0, most * 1.08], "tickvals": ticks, "ticktext": labels,
            "tickfont": {"size": 12, "color": token("text-3")}, "gridcolor": token("grid"), "zeroline": False,
            "ticks": "", "fixedrange": True, "anchor": "y",
        }
        for place, (_, _, domain, _) in enumerate(LOOPS.values())
    }  # fmt: skip
    return {
        "data": [_names(shelves), *(_bars(known, loop, place) for place, loop in enumerate(LOOPS))],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 20, "t": 24, "b": 28},
            bargap=0,
            barmode="overlay",
            xaxis={"domain": RACK, "range": [-0.02, 1.02], "visible": False, "fixedrange": True},
            yaxis=unit_axis(height_u),
            shapes=[frame(height_u), *(box(shelf) for shelf in shelves)],
            annotations=_annotations(shelves, LONGEST_LABEL),
            **axes,
        ),
    }


def _tick(watts: float, *, last: bool) -> str:
    return f"{number(watts)}{THIN_SPACE}W/U" if last else number(watts)


def _bars(shelves: Sequence[ShelfHeat], loop: str, place: int) -> dict[str, Any]:
    words, slot, _, hatch = LOOPS[loop]
    values = [shelf.air_w_per_u if loop == "air" else shelf.liquid_w_per_u for shelf in shelves]
    return {
        "type": "bar",
        "orientation": "h",
        "name": words,
        "x": values,
        "y": [middle(shelf) for shelf in shelves],
        "width": [shelf.units - 0.16 for shelf in shelves],
        "xaxis": f"x{2 + place}",
        "yaxis": "y",
        "marker": {
            "color": token(slot),
            "line": {"color": token("bg"), "width": 0},
            "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": token("bg"), "size": 6, "solidity": 0.3},
        },
        "text": [f"{shelf.name}<br>{words} {_per_unit(value)}{THIN_SPACE}W/U" for shelf, value in zip(shelves, values, strict=True)],
        "textposition": "none",
        "hovertemplate": "%{text}<extra></extra>",
    }  # fmt: skip


def _names(shelves: Sequence[ShelfHeat]) -> dict[str, Any]:
    """Invisible points that name each device."""
    names = [f"{shelf.name}<br>{shelf.what}<br>U{shelf.bottom_u}, {shelf.units} U" for shelf in shelves]
    return hover_points([(0.5, middle(shelf)) for shelf in shelves], names, size=14)


def _annotations(shelves: Sequence[ShelfHeat], longest: int) -> list[dict[str, Any]]:
    names = [
        label(shelf, shelf.what, x=0.05, longest=longest)
        for shelf in shelves
        if shelf.units >= LABELLED_UNITS
    ]
    return [*names, *(_head(words, domain) for words, _, domain, _ in LOOPS.values())]


def _head(words: str, domain: list[float]) -> dict[str, Any]:
    return text(domain[0], 1, words, anchor="left", yanchor="bottom") | {
        "xref": "paper",
        "yref": "paper",
        "yshift": 4,
    }
