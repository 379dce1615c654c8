"""IT power by component as stacked bars: idle, at work, at the coincident peak and as rated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    name_axis,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import NOT_PUBLISHED, THIN_SPACE, number, one_prefix, show
from app.engine.facility.it.lines import ItTotals, PartLine

NAME = "it_parts"
EYEBROW = "IT power by component"
HEIGHT = 280
STATES = {"idle_w": "Idle", "mean_w": "At work", "peak_w": "Peak", "design_w": "Rated"}
CAPTION = (
    "Whole pod, spares idle. Node power is measured or rated and its split is not: what nobody published of a node "
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
        height=HEIGHT,
        columns=(
            Column(name="Component", numeric=False),
            *(Column(name=title, unit=unit) for title in STATES.values()),
        ),
        rows=(
            *(
                Row(cells=(part.label, *(_cell(getattr(part, state) / scale) for state in STATES)))
                for part in parts
            ),
            Row(
                cells=("Together", *(_cell(getattr(totals, state) / scale) for state in STATES)),
                total=True,
            ),
        ),
        plot=_plot(parts, totals, scale, unit),
        legend=tuple(
            Mark(slot=group.slot, label=group.label) for group in GROUPS if _of(group, parts, "design_w") > 0
        ),
    )


def _cell(value: float) -> str:
    return NOT_PUBLISHED if math.isnan(value) else number(float(f"{value:.4g}"))


def _of(group: Group, parts: Sequence[PartLine], state: str) -> float:
    """Power of a group: what is unknown in it is in Other."""
    watts: list[float] = [getattr(part, state) for part in parts if part.key in group.parts]
    return sum(value for value in watts if not math.isnan(value))


def _takeaway(parts: Sequence[PartLine], totals: ItTotals) -> str:
    mean, rated = (show(float(f"{watts:.3g}"), "W").text for watts in (totals.mean_w, totals.design_w))
    text = (
        f"At work it draws {mean} of {rated} rated, {100 * totals.mean_w / totals.design_w:.0f}{THIN_SPACE}%"
    )
    share = _of(GROUPS[0], parts, "mean_w") / totals.mean_w
    return f"{text}; accelerators take {100 * share:.0f}{THIN_SPACE}% of that." if share > 0 else f"{text}."


def _plot(parts: Sequence[PartLine], totals: ItTotals, scale: float, unit: str) -> dict[str, Any]:
    names = list(STATES.values())
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "name": group.label,
            "y": names,
            "x": [_of(group, parts, state) / scale for state in STATES],
            "marker": {"color": token(group.slot), "line": {"width": 1, "color": token("bg")}},
            "customdata": [show(float(f"{_of(group, parts, state):.3g}"), "W").text for state in STATES],
            "hovertemplate": f"{group.label}<br>%{{y}}: %{{customdata}}<extra></extra>",
            "width": 0.62,
        }
        for group in GROUPS
        if _of(group, parts, "design_w") > 0
    ]
    largest = max(getattr(totals, state) for state in STATES) / scale
    ticks = round_ticks(largest)
    labels = [number(tick) for tick in ticks[:-1]] + [f"{number(ticks[-1])}{THIN_SPACE}{unit}"]
    return {
        "data": bars,
        "layout": layout(
            HEIGHT,
            barmode="stack",
            margin={"l": 8, "r": 72, "t": 8, "b": 8},
            xaxis=value_axis(ticks, labels, [0, largest * 1.02]),
            yaxis=name_axis(names),
            annotations=[
                {
                    "x": getattr(totals, state) / scale,
                    "y": title,
                    "text": f"<b>{show(getattr(totals, state), 'W').text}</b>",
                    "showarrow": False,
                    "xanchor": "left",
                    "xshift": 6,
                    "font": {"size": 12, "color": token("text")},
                }
                for state, title in STATES.items()
            ],
        ),
    }
