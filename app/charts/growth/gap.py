"""The gap between two devices: how many times as much of arithmetic, bus and network the later one has."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Mark, Row, layout, name_axis, token, unknown_figure, value_axis
from app.charts.format import TIMES
from app.charts.growth.words import times

NAME = "growth_gap"
EYEBROW = "Arithmetic, node bus and network"
HEIGHT = 340
SLOTS = {"memory": "c6", "bus": "c2", "port": "c3", "network": "c3", "transistors": "c7"}
CLAIMS = {"bus": "bus", "port": "network", "network": "network"}
"""The claimed factor that a link is held against."""
TICKS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
CLOSE_BY = 1.35  # times a factor, where its text would lie over what is claimed
NARROW_ROOM = 0.25  # of the scale
ROOM_OF_A_LABEL = 0.28  # of the logarithm, beyond the outermost mark


class Bar(NamedTuple):
    """A factor with its name, its colour and what was claimed of it."""

    name: str
    factor: float
    per_year: float
    slot: str
    claimed: float | None
    basis: str


def gap_figure(gap: dict[str, Any]) -> Figure:
    """A stem a factor on one logarithmic scale; a line across it where the article puts it."""
    first, last = gap["from"], gap["to"]
    caption = (
        f"{first['name']} ({first['year']}) to {last['name']} ({last['year']}). FLOP/s are dense; links one way. A device "
        "without a precision does its work in the next wider one. The upright marks are what the article claims for eight "
        "years."
    )
    bars = _bars(gap)
    if not bars:
        return unknown_figure(NAME, EYEBROW, caption, "Neither device publishes these figures.")
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(gap, bars),
        caption=caption,
        height=HEIGHT,
        columns=(
            Column(name="Quantity", numeric=False), Column(name="Factor"), Column(name="Factor a year"),
            Column(name="Claimed"), Column(name="Counted as", numeric=False),
        ),
        rows=tuple(
            Row(
                cells=(
                    bar.name, times(bar.factor), times(bar.per_year),
                    times(bar.claimed) if bar.claimed else "", bar.basis,
                ),
                slot=bar.slot,
            )
            for bar in bars
        ),
        legend=(Mark(slot="c1", label="Arithmetic"), Mark(slot="c2", label="Node bus"),
                Mark(slot="c3", label="Network"), Mark(slot="c6", label="Memory")),
        plot={"data": [_stems(bars), _claims(bars), _marks(bars), _values(bars)], "layout": _layout(bars)},
        narrow=_narrow(bars),
    )  # fmt: skip


def _bars(gap: dict[str, Any]) -> list[Bar]:
    claimed = gap["claim"]["claimed"]
    found = [
        Bar(one["name"], one["factor"], one["factor_per_year"], "c1", claimed["compute"], "dense FLOP/s")
        for one in gap["compute"]
        if one["factor"] is not None
    ]
    found += [
        Bar(one["name"], one["factor"], one["factor_per_year"], SLOTS[one["key"]],
            claimed[CLAIMS[one["key"]]] if one["key"] in CLAIMS else None, one["basis"])
        for one in gap["links"]
        if one["factor"] is not None
    ]  # fmt: skip
    return found


def _takeaway(gap: dict[str, Any], bars: list[Bar]) -> str:
    arithmetic = [bar.factor for bar in bars if bar.slot == "c1"]
    links = {one["key"]: one["factor"] for one in gap["links"] if one["factor"] is not None}
    said = []
    if arithmetic:
        low, high = min(arithmetic), max(arithmetic)
        said.append(
            f"arithmetic grew {times(low)}" + (f" to {times(high)} by precision" if high > low else "")
        )
    if "bus" in links:
        said.append(f"the node bus {times(links['bus'])}")
    network = sorted({links[name] for name in ("port", "network") if name in links})
    if network:
        said.append("RDMA " + " to ".join(times(one) for one in network))
    if not said:
        said = [f"{bars[0].name[0].lower()}{bars[0].name[1:]} grew {times(bars[0].factor)}"]
    return f"In {gap['years']} years {', '.join(said)}."


def _stems(bars: list[Bar]) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[str | None] = []
    for bar in bars:
        x += [1.0, bar.factor, None]
        y += [bar.name, bar.name, None]
    return {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": {"color": token("line-strong"), "width": 3},
            "hoverinfo": "skip"}  # fmt: skip


def _marks(bars: list[Bar]) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers",
        "x": [bar.factor for bar in bars], "y": [bar.name for bar in bars],
        "marker": {"size": 12, "color": [token(bar.slot) for bar in bars]},
        "customdata": [[times(bar.factor), times(bar.per_year), bar.basis] for bar in bars],
        "hovertemplate": "%{y}<br>%{customdata[0]}, %{customdata[1]} a year<br>%{customdata[2]}<extra></extra>",
    }  # fmt: skip


def _values(bars: list[Bar]) -> dict[str, Any]:
    """Factors as text, right of their mark and of what is claimed where that stands close by."""
    return {
        "type": "scatter", "mode": "text",
        "x": [bar.claimed if bar.claimed and bar.factor <= bar.claimed < CLOSE_BY * bar.factor else bar.factor
              for bar in bars],
        "y": [bar.name for bar in bars],
        "text": [f"   {times(bar.factor)}" for bar in bars], "textposition": "middle right",
        "textfont": {"size": 12, "color": token("text")}, "cliponaxis": False, "hoverinfo": "skip",
    }  # fmt: skip


def _claims(bars: list[Bar]) -> dict[str, Any]:
    held = [bar for bar in bars if bar.claimed]
    return {
        "type": "scatter", "mode": "markers", "name": "Claimed",
        "x": [bar.claimed for bar in held], "y": [bar.name for bar in held],
        "marker": {"symbol": "line-ns", "size": 20, "line": {"color": token("bad"), "width": 2}},
        "hovertemplate": f"Claimed for eight years<br>{TIMES}%{{x}}<extra></extra>",
    }  # fmt: skip


def _extent(bars: list[Bar]) -> list[float]:
    """Logarithms of the least and the largest factor, with one in sight and room for text."""
    values = [*(bar.factor for bar in bars), *(bar.claimed for bar in bars if bar.claimed)]
    low = min(0.0, math.log10(min(values)) - ROOM_OF_A_LABEL)
    return [low, math.log10(max(values)) + ROOM_OF_A_LABEL]


def _layout(bars: list[Bar]) -> dict[str, Any]:
    extent = _extent(bars)
    ticks = [tick for tick in TICKS if extent[0] <= math.log10(tick) <= extent[1]]
    return layout(
        HEIGHT,
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
        xaxis=value_axis(ticks, [f"{TIMES}{tick:,.0f}" for tick in ticks], extent, type="log", tickangle=0),
        yaxis=name_axis([bar.name for bar in bars]),
    )


def _narrow(bars: list[Bar]) -> dict[str, Any]:
    """On a small screen a text takes more of the scale, and fewer ticks have room."""
    low, high = _extent(bars)
    high += NARROW_ROOM * (high - low)
    ticks = [tick for tick in TICKS[::2] if low <= math.log10(tick) <= high]
    return {"xaxis.range": [low, high], "xaxis.tickvals": ticks,
            "xaxis.ticktext": [f"{TIMES}{tick:,.0f}" for tick in ticks], "margin.r": 8}  # fmt: skip
