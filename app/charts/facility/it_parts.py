"""IT power by component as stacked bars: idle, at work, at the coincident peak and as rated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import NOT_PUBLISHED, THIN_SPACE, brief, one_prefix, rounded, show
from app.engine.facility.it.breakdown import ItTotals, PartLine

NAME = "it_parts"
EYEBROW = "IT power by component"
HEIGHT = 280
STATES = {"idle_w": "Idle", "mean_w": "At work", "peak_w": "Peak", "design_w": "Rated"}
CAPTION = (
    "Whole pod, spares idle. Node power is measured or rated and its split is not: what is not published of a node "
    "is in Other. Peak: all nodes of the job at once, over seconds."
)
UNKNOWN = "The power of its SuperNodes is unknown."


class Group(NamedTuple):
    label: str
    slot: str
    parts: tuple[str, ...]


GROUPS = (
    Group("Accelerators", "c1", ("accelerators",)),
    Group("CPUs and memory", "c6", ("processors", "memory")),
    Group("NICs, switches, optics", "c3", ("nics", "switches", "optics", "network_other")),
    Group("Fans and power supplies", "c4", ("fans", "supplies")),
    Group("Storage and management", "c5", ("storage",)),
    Group("Other in the SuperNodes", "c7", ("other",)),
)


def it_parts_figure(parts: Sequence[PartLine], totals: ItTotals) -> Figure:
    """A bar for each state; the table has every component."""
    if math.isnan(totals.mean_w):
        return unknown_figure(NAME, EYEBROW, CAPTION, UNKNOWN)
    scale, unit = one_prefix([totals.design_w], "W")
    return Figure(
        name=NAME,
        eyebrow=f"{EYEBROW}, {unit}",
        takeaway=_takeaway(parts, totals),
        caption=CAPTION,
        columns=(Column.words("Component"), *(Column(title, unit) for title in STATES.values())),
        rows=(
            *(
                Row((part.label, *(_cell(getattr(part, state) / scale) for state in STATES)))
                for part in parts
            ),
            Row(("Total", *(_cell(getattr(totals, state) / scale) for state in STATES)), total=True),
        ),
        plot=_plot(parts, totals, scale, unit),
        legend=tuple(Mark(group.slot, group.label) for group in GROUPS if _of(group, parts, "design_w") > 0),
    )


def _cell(value: float) -> str:
    return NOT_PUBLISHED if math.isnan(value) else brief(value, 4)


def _of(group: Group, parts: Sequence[PartLine], state: str) -> float:
    """Power of a group: what is unknown in it is in Other."""
    watts: list[float] = [getattr(part, state) for part in parts if part.key in group.parts]
    return sum(value for value in watts if not math.isnan(value))


def _takeaway(parts: Sequence[PartLine], totals: ItTotals) -> str:
    mean, rated = (show(rounded(watts), "W").text for watts in (totals.mean_w, totals.design_w))
    text = (
        f"At work it draws {mean} of {rated} rated, {100 * totals.mean_w / totals.design_w:.0f}{THIN_SPACE}%"
    )
    share = _of(GROUPS[0], parts, "mean_w") / totals.mean_w
    return f"{text}; accelerators take {100 * share:.0f}{THIN_SPACE}% of that." if share > 0 else f"{text}."


def _plot(parts: Sequence[PartLine], totals: ItTotals, scale: float, unit: str) -> dict[str, Any]:
    names = list(STATES.values())
    drawn = {state: getattr(totals, state) / scale for state in STATES}
    watts = {
        group: [_of(group, parts, state) for state in STATES]
        for group in GROUPS
        if _of(group, parts, "design_w") > 0
    }
    return forms.plot(
        [
            forms.bars(
                names, [value / scale for value in values], group.slot, width=0.62, edge="bg", edge_width=1, name=group.label,
                said=[show(rounded(value), "W").text for value in values], hover=f"{group.label}<br>%{{y}}: %{{customdata}}",
            )
            for group, values in watts.items()
        ],
        HEIGHT,
        x=forms.from_zero(max(drawn.values()), unit, room=1.02),
        y=forms.names(names),
        notes=[
            forms.note(drawn[state], title, f"<b>{show(getattr(totals, state), 'W').text}</b>", "text", anchor="left", shift=(6, 0))
            for state, title in STATES.items()
        ],
        right=72,
        barmode="stack",
    )  # fmt: skip
