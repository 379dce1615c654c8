"""A rack from the front with the heat of every height unit: to air on one scale, to liquid on another."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isinf, isnan
from typing import Any

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, Shown, brief, percent, rounded, show
from app.charts.forms.drawing import hover_points
from app.charts.rack_front import LABELLED_UNITS, box, frame, label, middle, unit_axis
from app.engine.facility.racks.checks import Check
from app.engine.facility.racks.kind import RackKind, ShelfHeat

HEIGHT = 460
RACK = [0.0, 0.36]  # of the width
LOOPS = {"air": ("To air", "c2", [0.42, 0.68], "/"), "liquid": ("To liquid", "c6", [0.74, 1.0], "")}
"""By loop: its words, its colour, where its bars stand, and how they are hatched."""
LONGEST_LABEL, LONGEST_NARROW_LABEL = 27, 11  # characters that a box has room for
EYEBROW = "Heat by height unit, rated"
COLUMNS = (
    Column.words("Device"), Column("From"), Column("Height", "U"), Column("Heat to air", "W/U"),
    Column("Heat to liquid", "W/U"),
)  # fmt: skip


def rack_heat_figure(kind: RackKind) -> Figure:
    """One rack, with a table of its devices from the top down."""
    known = [shelf for shelf in kind.heat.shelves if not np.isnan(shelf.air_w_per_u + shelf.liquid_w_per_u)]
    if not known:
        return unknown_figure(
            "rack_heat", EYEBROW, "Rated power is not published.", "The heat of its height units is unknown."
        )
    return Figure(
        name="rack_heat",
        eyebrow=f"Rack {kind.example.name}, front: heat by height unit, rated",
        takeaway=_takeaway(kind, known),
        caption=_caption(kind, known),
        columns=COLUMNS,
        rows=tuple(_row(shelf) for shelf in reversed(kind.heat.shelves)),
        plot=_plot(kind, known),
        legend=tuple(
            Mark(slot, words, show(rounded(watts), "W").text)
            for (words, slot, _, _), watts in zip(
                LOOPS.values(), (kind.heat.air_heat_w, kind.heat.liquid_heat_w), strict=True
            )
        ),
        narrow={"annotations": _annotations(kind.heat.shelves, LONGEST_NARROW_LABEL)},
        minimum_width=320,
    )


def _row(shelf: ShelfHeat) -> Row:
    return Row(
        (
            shelf.name if shelf.name == shelf.what else f"{shelf.name}, {shelf.what}",
            f"U{shelf.bottom_u}",
            str(shelf.units),
            _per_unit(shelf.air_w_per_u),
            _per_unit(shelf.liquid_w_per_u),
        )
    )


def _per_unit(watts: float) -> str:
    return "not published" if np.isnan(watts) else brief(watts)


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
    axes: dict[str, Any] = {
        f"xaxis{2 + place}": forms.from_zero(
            most, "W/U", wanted=2, room=1.08, domain=domain, anchor="y", automargin=False
        )
        for place, (_, _, domain, _) in enumerate(LOOPS.values())
    }
    return forms.plot(
        [_names(shelves), *(_bars(known, loop, place) for place, loop in enumerate(LOOPS))],
        HEIGHT,
        x=forms.blank([-0.02, 1.02], domain=RACK),
        y=unit_axis(height_u),
        shapes=[frame(height_u), *(box(shelf) for shelf in shelves)],
        notes=_annotations(shelves, LONGEST_LABEL),
        top=24,
        right=20,
        bottom=28,
        bargap=0,
        barmode="overlay",
        **axes,
    )


def _bars(shelves: Sequence[ShelfHeat], loop: str, place: int) -> dict[str, Any]:
    words, slot, _, hatch = LOOPS[loop]
    values = [shelf.air_w_per_u if loop == "air" else shelf.liquid_w_per_u for shelf in shelves]
    pattern = {
        "shape": hatch,
        "fillmode": "overlay",
        "fgcolor": forms.token("bg"),
        "size": 6,
        "solidity": 0.3,
    }
    said = [
        f"{shelf.name}<br>{words} {_per_unit(value)}{THIN_SPACE}W/U"
        for shelf, value in zip(shelves, values, strict=True)
    ]
    return forms.bars(
        [middle(shelf) for shelf in shelves], values, slot, width=[shelf.units - 0.16 for shelf in shelves], name=words,
        edge="bg", edge_width=0, pattern=pattern, xaxis=f"x{2 + place}", yaxis="y", text=said, textposition="none",
        hover="%{text}",
    )  # fmt: skip


def _names(shelves: Sequence[ShelfHeat]) -> dict[str, Any]:
    """Invisible points that name each device."""
    names = [f"{shelf.name}<br>{shelf.what}<br>U{shelf.bottom_u}, {shelf.units} U" for shelf in shelves]
    return hover_points([(0.5, middle(shelf)) for shelf in shelves], names, size=14)


def _annotations(shelves: Sequence[ShelfHeat], longest: int) -> list[dict[str, Any]]:
    tall = [shelf for shelf in shelves if shelf.units >= LABELLED_UNITS]
    heads = [
        forms.note(domain[0], 1, words, anchor="left bottom", shift=(0, 4), xref="paper", yref="paper")
        for words, _, domain, _ in LOOPS.values()
    ]
    return [*(label(shelf, shelf.what, x=0.05, longest=longest) for shelf in tall), *heads]


TITLES = {
    "density": "Power by class of cooling",
    "air_heat": "Heat to air",
    "coolant_flow": "Coolant through the hose",
    "feeds": "Feeds of one side",
    "current_kind": "Alternating current",
    "power": "Planned power per rack",
    "liquid_heat": "Planned heat to liquid per rack",
    "weight": "Planned weight per rack",
    "floor_load": "Floor, aisles counted in",
    "panel_load": "Panel of a raised floor",
    "height": "Height",
}
STATES = {"fits": "Fits", "unusual": "Unusual", "over": "Does not fit", "unknown": "Not checked"}
WRITTEN = {"N/m2": ("kN/m²", 1e3), "N": ("kN", 1e3), "kg/m2": ("kg/m²", 1.0), "m3/s": ("m³/s", 1.0)}
"""By unit, how it is written and by what the value is divided: no prefix comes before these by itself."""
DIGITS = {"kg": 4}  # weights lie close to their limits
UNBOUND = Shown("none")


def measured(value: float, unit: str) -> Shown:
    """A value of a check, or a bound of it, to three digits."""
    if isinf(value):
        return UNBOUND
    if isnan(value):
        return show(value, unit)
    written, divisor = WRITTEN.get(unit, (unit, 1.0))
    return show(float(f"{value / divisor:.{DIGITS.get(unit, 3)}g}"), written)


def more_servers(check: Check) -> str:
    """Servers that still fit below the limit of a check."""
    if isnan(check.more):
        return "n/a"
    return f"{check.more:,.0f}" if isfinite(check.more) else "any"


def headline(kind: RackKind) -> str:
    """First limit of a rack and its margin."""
    first = kind.first
    if first is None:
        return f"{kind.name}: nothing of it is known that could be checked."
    title = TITLES[first.key].lower()
    bound = first.limit if isfinite(first.limit) else first.usual
    asked = f"{measured(first.value, first.unit).text} of {measured(bound, first.unit).text}"
    share = percent(first.utilisation).text
    if kind.over:
        past = max(kind.over, key=lambda check: check.utilisation)
        limits = "a limit" if len(kind.over) == 1 else f"{len(kind.over)} limits"
        asked = f"{measured(past.value, past.unit).text} of {measured(past.limit, past.unit).text}"
        return f"{kind.name} is past {limits}: {TITLES[past.key].lower()} at {asked}, {percent(past.utilisation).text}."
    return f"{kind.name}: the first limit is {title}, {asked}, {share}. {_left(kind, first)}"


def _left(kind: RackKind, first: Check) -> str:
    if isnan(first.more):
        room = 1 / first.utilisation - 1 if first.utilisation else float("inf")
        return f"It could grow by {100 * room:.1f}{THIN_SPACE}%." if isfinite(room) else "It needs none."
    if first.more == 0:
        return "No further server fits."
    return f"{first.more:,.0f} more {'server fits' if first.more == 1 else 'servers fit'}."


def feeds_text(kind: RackKind) -> str:
    """Feeds of a rack in one phrase."""
    feeds = kind.feeds
    if isnan(feeds.feeds_per_side):
        return "not published"
    sides = "on each of two sides" if feeds.sides == 2 else "on one side"
    return f"{feeds.feeds_per_side:,.0f} of {feeds.breaker_a:g}{THIN_SPACE}A at {feeds.voltage_v:g}{THIN_SPACE}V {sides}"
