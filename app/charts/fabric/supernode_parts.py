"""Price and rated power of a SuperNode, part by part, as a waterfall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import brief, number, one_prefix, percent, show
from app.charts.forms import Step, narrow_waterfall, waterfall

ROW_HEIGHT = 28
LEAST_SHARE = 0.004
NETWORK = ("scale_up_switches", "scale_up_links", "scale_up_far_links", "circuit_switches")
KINDS = {
    "network": ("Scale-up network", "c2"),
    "rest": ("Everything else", "c1"),
    "total": ("SuperNode", "text-2"),
}
TITLES = {
    "price": ("Price of one SuperNode by part", "USD"),
    "power": ("Rated power of one SuperNode by part", "W"),
}
CAPTIONS = {
    "price": "Parts at the prices of the catalog and its assumptions, with racks and assembly; not a quote.",
    "power": "What the parts draw at most; fans and losses of power supplies are those of the rated power.",
}
UNKNOWN = {"price": "The price of one part is unknown.", "power": "The power of one part is unknown."}


class PartShare(NamedTuple):
    """A part of the SuperNode and what it adds [USD or W]."""

    name: str
    title: str
    units: float
    amount: float


def supernode_parts_figure(measure: str, parts: Sequence[PartShare], total: float) -> Figure:
    """Horizontal waterfall from the first part to the whole; `measure` is price or power."""
    name, (eyebrow, unit) = f"supernode_{measure}", TITLES[measure]
    if math.isnan(total) or not parts:
        return unknown_figure(name, eyebrow, CAPTIONS[measure], UNKNOWN[measure])
    scale, scaled = one_prefix([total], unit)
    steps, at = [], 0.0
    for part in parts:
        if part.amount < LEAST_SHARE * total:
            continue
        steps.append(_step(part.title, at, at + part.amount, _kind(part), unit, scale))
        at += part.amount
    small = total - at
    if small > LEAST_SHARE * total / 10:
        steps.append(_step("Others", at, total, "rest", unit, scale))
    steps.append(_step("SuperNode", 0.0, total, "total", unit, scale, total=True))
    network = sum(part.amount for part in parts if part.name in NETWORK)
    return Figure(
        name=name,
        eyebrow=f"{eyebrow}, {scaled}",
        takeaway=_takeaway(measure, parts, network, total),
        caption=CAPTIONS[measure],
        columns=(
            Column.words("Part"),
            Column("Count"),
            Column(measure.capitalize(), scaled),
            Column("Share", "%"),
        ),
        rows=(
            *(
                Row(
                    (
                        part.title,
                        number(part.units),
                        brief(part.amount / scale),
                        brief(100 * part.amount / total),
                    )
                )
                for part in parts
            ),
            Row(("SuperNode", "1", brief(total / scale), "100"), total=True),
        ),
        legend=tuple(Mark(slot, label) for label, slot in list(KINDS.values())[: 2 if network else 0]),
        plot=waterfall(steps, scaled, 48 + ROW_HEIGHT * len(steps)),
        narrow=narrow_waterfall(steps, scaled),
    )


def _kind(part: PartShare) -> str:
    return "network" if part.name in NETWORK else "rest"


def _step(
    title: str, start: float, end: float, kind: str, unit: str, scale: float, *, total: bool = False
) -> Step:
    words = show(end - start, unit).text
    return Step(title, start / scale, end / scale, KINDS[kind][1], words, words, total)


def _takeaway(measure: str, parts: Sequence[PartShare], network: float, total: float) -> str:
    largest = max(parts, key=lambda part: part.amount)
    verb = "cost" if measure == "price" else "draw"
    text = f"{largest.title} {verb} {percent(round(largest.amount / total, 3)).text} of it"
    if network:
        return f"{text}; the scale-up network adds {percent(round(network / total, 3)).text}."
    return f"{text}."
