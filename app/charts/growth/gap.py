"""The gap between two devices: how many times as much of arithmetic, bus and network the later one has."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import TIMES
from app.charts.growth.indexed import times

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
        **table(
            bars,
            (Column.words("Quantity"), lambda bar: bar.name),
            (Column("Factor"), lambda bar: times(bar.factor)),
            (Column("Factor per year"), lambda bar: times(bar.per_year)),
            (Column("Claimed"), lambda bar: times(bar.claimed) if bar.claimed else ""),
            (Column.words("Counted as"), lambda bar: bar.basis),
            slot=lambda bar: bar.slot,
        ),
        legend=(
            Mark("c1", "Arithmetic"),
            Mark("c2", "Node bus"),
            Mark("c3", "Network"),
            Mark("c6", "Memory"),
        ),
        plot=_plot(bars),
        narrow=_narrow(bars),
    )


def _bars(gap: dict[str, Any]) -> list[Bar]:
    claimed = gap["claim"]["claimed"]
    found = [
        Bar(one["name"], one["factor"], one["factor_per_year"], "c1", claimed["compute"], "dense FLOP/s")
        for one in gap["compute"]
        if one["factor"] is not None
    ]
    found += [
        Bar(
            one["name"],
            one["factor"],
            one["factor_per_year"],
            SLOTS[one["key"]],
            claimed[CLAIMS[one["key"]]] if one["key"] in CLAIMS else None,
            one["basis"],
        )
        for one in gap["links"]
        if one["factor"] is not None
    ]
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


def _extent(bars: list[Bar]) -> list[float]:
    """Logarithms of the least and the largest factor, with one in sight and room for text."""
    values = [*(bar.factor for bar in bars), *(bar.claimed for bar in bars if bar.claimed)]
    low = min(0.0, math.log10(min(values)) - ROOM_OF_A_LABEL)
    return [low, math.log10(max(values)) + ROOM_OF_A_LABEL]


def _narrow(bars: list[Bar]) -> dict[str, Any]:
    """On a small screen a text takes more of the scale, and fewer ticks have room."""
    low, high = _extent(bars)
    high += NARROW_ROOM * (high - low)
    ticks = [tick for tick in TICKS[::2] if low <= math.log10(tick) <= high]
    return {
        "xaxis.range": [low, high],
        "xaxis.tickvals": ticks,
        "xaxis.ticktext": [f"{TIMES}{tick:,.0f}" for tick in ticks],
        "margin.r": 8,
    }


def _plot(bars: list[Bar]) -> dict[str, Any]:
    """A stem and a dot a factor, its claim across it, and its text right of both where they stand close by."""
    names, factors = [bar.name for bar in bars], [bar.factor for bar in bars]
    held = [bar for bar in bars if bar.claimed]
    claims = forms.dots(
        [bar.claimed for bar in held], [bar.name for bar in held], None, 20, symbol="line-ns", edge="bad", edge_width=2,
        name="Claimed", hover=f"Claimed for eight years<br>{TIMES}%{{x}}",
    )  # fmt: skip
    marks = forms.dots(
        factors, names, [bar.slot for bar in bars], 12,
        said=[[times(bar.factor), times(bar.per_year), bar.basis] for bar in bars],
        hover="%{y}<br>%{customdata[0]}, %{customdata[1]} per year<br>%{customdata[2]}",
    )  # fmt: skip
    beside = [
        bar.claimed if bar.claimed and bar.factor <= bar.claimed < CLOSE_BY * bar.factor else bar.factor
        for bar in bars
    ]
    words = forms.texts(
        beside, names, [f"   {times(bar.factor)}" for bar in bars], place="middle right", cliponaxis=False
    )
    stems = forms.segments([(1.0, bar.name, bar.factor, bar.name) for bar in bars], "line-strong", 3)
    extent = _extent(bars)
    ticks = [tick for tick in TICKS if extent[0] <= math.log10(tick) <= extent[1]]
    return forms.plot(
        [stems, claims, marks, words],
        HEIGHT,
        x=forms.values(ticks, lambda tick: f"{TIMES}{tick:,.0f}", extent, type="log", tickangle=0),
        y=forms.names(names),
        right=16,
    )
