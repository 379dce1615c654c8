"""Price or power of the compute fabric of one accelerator, over sizes, a line a topology, crossings ringed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import number, show
from app.charts.searching.log_scale import log_axis

HEIGHT = 380
DASHES = ("solid", "dash", "longdash", "dot", "longdashdot", "dashdot")
ROOM = 1.06


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What is drawn; `least` says of a topology that it has the least of it."""

    name: str
    title: str
    unit: str
    least: str


PRICE = Measure(name="price_by_size", title="Price of the compute fabric", unit="USD", least="costs least")
POWER = Measure(name="power_by_size", title="Power of the compute fabric", unit="W", least="draws least")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One topology; values in all, by size, None where it does not reach or nobody knows."""

    title: str
    here: bool
    values: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A crossing where nothing else has less."""

    accelerators: float
    value: float
    words: str


def by_size_figure(
    measure: Measure,
    accelerators: Sequence[float],
    curves: Sequence[Curve],
    rings: Sequence[Ring],
    *,
    here: float,
) -> Figure:
    """Lines of one accelerator's share; a line ends where its topology does."""
    eyebrow = f"{measure.title}, by size"
    drawn = [curve for curve in curves if any(value is not None for value in curve.values)]
    caption = (
        "Share of one accelerator, as if pods of every size were built of the switches of this design. Steps are "
        "switches that are bought whole. A ring marks where another topology comes to have the least; the vertical "
        "line is this pod."
    )
    if any(curve.low for curve in drawn):
        caption += " The band is the low and high of published prices, of this design."
    if not drawn:
        return unknown_figure(
            measure.name, eyebrow, caption, "An input that nobody published leaves it unknown."
        )
    largest = max(
        value / size
        for curve in drawn
        for values in (curve.values, curve.high if curve.here else ())
        for size, value in zip(accelerators, values, strict=False)
        if value is not None
    )
    ticks = round_ticks(largest * ROOM)
    slots = _slots(drawn)
    traces = [trace for curve in drawn if curve.here and curve.low for trace in _band(accelerators, curve)]
    traces += [
        _line(accelerators, curve, slot, DASHES[place % len(DASHES)], measure.unit)
        for place, (curve, slot) in enumerate(zip(drawn, slots, strict=True))
    ]
    if rings:
        traces.append(_rings(rings, measure.unit))
    return Figure(
        name=measure.name,
        eyebrow=eyebrow,
        takeaway=_takeaway(measure, accelerators, drawn, here),
        caption=caption,
        height=HEIGHT,
        columns=(Column(name="Accelerators"), *(Column(name=curve.title) for curve in drawn)),
        rows=tuple(
            Row(
                cells=(
                    number(size),
                    *(
                        "not joined"
                        if (value := curve.values[place]) is None
                        else show(value, measure.unit).text
                        for curve in drawn
                    ),
                )
            )
            for place, size in enumerate(accelerators)
        ),
        plot={
            "data": traces,
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 24, "t": 20, "b": 8},
                xaxis=log_axis(list(accelerators), "1", "Accelerators", showgrid=False),
                yaxis=value_axis(
                    ticks,
                    [show(tick, measure.unit).text for tick in ticks],
                    [0, largest * ROOM],
                    title={
                        "text": f"{measure.unit} an accelerator",
                        "standoff": 8,
                        "font": {"size": 12, "color": token("text-3")},
                    },
                ),
                shapes=[_here(here)] if min(accelerators) <= here <= max(accelerators) else [],
            ),
        },
        narrow={
            "xaxis.tickvals": (few := [100.0, 1e4, 1e6]),
            "xaxis.ticktext": [number(tick) for tick in few],
        },
        legend=tuple(Mark(slot=slot, label=curve.title) for slot, curve in zip(slots, drawn, strict=True)),
    )


def _slots(curves: Sequence[Curve]) -> list[str]:
    """The first colour is that of this design, whether or not it is drawn."""
    others = iter(f"c{place}" for place in range(2, 8))
    return ["c1" if curve.here else next(others) for curve in curves]


def _line(accelerators: Sequence[float], curve: Curve, slot: str, dash: str, unit: str) -> dict[str, Any]:
    share = [
        None if value is None else value / size
        for size, value in zip(accelerators, curve.values, strict=True)
    ]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(accelerators),
        "y": share,
        "connectgaps": False,
        "line": {
            "color": token(slot),
            "width": 2.5 if curve.here else 1.8,
            "dash": "solid" if curve.here else dash,
        },
        "customdata": [
            [number(size), show(value, unit).text, show(of_one, unit).text]
            for size, value, of_one in zip(accelerators, curve.values, share, strict=True)
        ],
        "hovertemplate": f"{curve.title}<br>%{{customdata[0]}} accelerators: %{{customdata[1]}}, "
        "%{customdata[2]} each<extra></extra>",
    }


def _band(accelerators: Sequence[float], curve: Curve) -> list[dict[str, Any]]:
    """From the low to the high of this design's prices."""
    ends = []
    for values, fill in ((curve.low, "none"), (curve.high, "tonexty")):
        share = [
            None if value is None else value / size for size, value in zip(accelerators, values, strict=True)
        ]
        ends.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": list(accelerators),
                "y": share,
                "line": {"width": 0, "color": token("c1-faint")},
                "fill": fill,
                "fillcolor": token("c1-faint"),
                "hoverinfo": "skip",
            }
        )
    return ends


def _rings(rings: Sequence[Ring], unit: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [ring.accelerators for ring in rings],
        "y": [ring.value / ring.accelerators for ring in rings],
        "marker": {
            "symbol": "circle-open",
            "size": 13,
            "color": token("text"),
            "line": {"width": 2, "color": token("text")},
        },
        "customdata": [[ring.words, show(ring.value, unit).text] for ring in rings],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]} in all<extra></extra>",
    }


def _here(accelerators: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": accelerators,
        "x1": accelerators,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": token("control"), "width": 1},
        "layer": "below",
    }


def _takeaway(measure: Measure, accelerators: Sequence[float], curves: Sequence[Curve], here: float) -> str:
    """Which topology has the least at the size of this pod, or at the largest size where that is not shown."""
    place = list(accelerators).index(here) if here in accelerators else len(accelerators) - 1
    size = accelerators[place]
    known = [(value / size, curve) for curve in curves if (value := curve.values[place]) is not None]
    at = f"At {number(size)} accelerators"
    if not known:
        return f"{at} none of these topologies joins the pod."
    least, best = min(known, key=lambda pair: pair[0])
    each = f"{show(least, measure.unit).text} each"
    own = next((value for value, curve in known if curve.here), None)
    if best.here or own is None or own == least:
        return f"{at} {best.title} {measure.least}, {each}."
    return (
        f"{at} {best.title} {measure.least}: {each}, against {show(own, measure.unit).text} of this design."
    )
