"""How busy the links of each tier are: the mean of all of them, and the busiest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.fabric.words import share_text, tier_name
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
from app.charts.format import THIN_SPACE

ROW_HEIGHT = 44


class Load(NamedTuple):
    """A tier; None where it is unknown."""

    tier: str
    mean: float | None
    peak: float | None


def tier_load_figure(
    loads: Sequence[Load], *, name: str, eyebrow: str, caption: str, takeaway: str
) -> Figure:
    """A bar for the mean of each tier and a mark for its busiest link."""
    known = [load for load in loads if load.mean is not None and load.peak is not None]
    if not known:
        return unknown_figure(name, eyebrow, caption, "How busy the links are is not known.")
    height = ROW_HEIGHT * len(loads) + 48
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=caption,
        height=height,
        columns=(Column(name="Tier", numeric=False), Column(name="Mean"), Column(name="Busiest link")),
        rows=tuple(
            Row(cells=(tier_name(load.tier), share_text(load.mean), share_text(load.peak))) for load in loads
        ),
        plot=_plot(loads, height),
        legend=(Mark(slot="c1", label="Mean of all links"), Mark(slot="c4", label="Busiest link")),
    )


def _plot(loads: Sequence[Load], height: int) -> dict[str, Any]:
    names = [tier_name(load.tier) for load in loads]
    largest = max(load.peak or 0.0 for load in loads)
    top = max(100 * largest, 1.0)
    ticks = round_ticks(top)
    words = [
        f"{tier_name(load.tier)}<br>mean {share_text(load.mean)}, busiest {share_text(load.peak)}"
        for load in loads
    ]
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": [None if load.mean is None else 100 * load.mean for load in loads],
                "y": names,
                "width": 0.5,
                "marker": {"color": token("c1")},
                "text": words,
                "textposition": "none",
                "hovertemplate": "%{text}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "markers",
                "x": [None if load.peak is None else 100 * load.peak for load in loads],
                "y": names,
                "marker": {"symbol": "diamond", "size": 10, "color": token("c4")},
                "cliponaxis": False,
                "text": words,
                "hovertemplate": "%{text}<extra></extra>",
            },
        ],
        "layout": layout(
            height,
            margin={"l": 8, "r": 24, "t": 8, "b": 8},
            xaxis=value_axis(ticks, [f"{tick:g}{THIN_SPACE}%" for tick in ticks], [0, top * 1.05]),
            yaxis=name_axis(names),
        ),
    }
