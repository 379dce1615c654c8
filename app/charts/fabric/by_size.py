"""Price or power of the compute fabric of one accelerator, over sizes, a line a topology, crossings ringed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, show

HEIGHT = 380
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
    """One topology; values in all, by size, None where it does not reach or no one knows."""

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
        return unknown_figure(measure.name, eyebrow, caption, "An unpublished input leaves it unknown.")
    drawn_values = [
        values
        for curve in drawn
        for values in (curve.values, curve.high)
        if values and (curve.here or values is curve.values)
    ]
    largest = max(
        share for values in drawn_values for share in _share(accelerators, values) if share is not None
    )
    slots = _slots(drawn)
    traces = [trace for curve in drawn if curve.here and curve.low for trace in _band(accelerators, curve)]
    traces += [
        _line(accelerators, curve, slot, forms.style(place % 6)[1], measure.unit)
        for place, (curve, slot) in enumerate(zip(drawn, slots, strict=True))
    ]
    if rings:
        traces.append(_rings(rings, measure.unit))
    within = min(accelerators) <= here <= max(accelerators)
    few = [100.0, 1e4, 1e6]
    return Figure(
        name=measure.name,
        eyebrow=eyebrow,
        takeaway=_takeaway(measure, accelerators, drawn, here),
        caption=caption,
        columns=(Column("Accelerators"), *(Column(curve.title) for curve in drawn)),
        rows=tuple(
            Row((number(size), *(_cell(curve.values[place], measure.unit) for curve in drawn)))
            for place, size in enumerate(accelerators)
        ),
        plot=forms.plot(
            traces,
            HEIGHT,
            x=forms.log(accelerators, "1", "Accelerators", grid=False),
            y=forms.from_zero(
                largest * ROOM,
                words=lambda tick: show(tick, measure.unit).text,
                title=f"{measure.unit} per accelerator",
            ),
            shapes=[forms.rule("control", x=here, width=1, layer="below")] if within else [],
            top=20,
            right=24,
        ),
        narrow={"xaxis.tickvals": few, "xaxis.ticktext": [number(tick) for tick in few]},
        legend=tuple(Mark(slot, curve.title) for slot, curve in zip(slots, drawn, strict=True)),
    )


def _slots(curves: Sequence[Curve]) -> list[str]:
    """The first colour is that of this design, whether or not it is drawn."""
    others = iter(f"c{place}" for place in range(2, 8))
    return ["c1" if curve.here else next(others) for curve in curves]


def _line(accelerators: Sequence[float], curve: Curve, slot: str, dash: str, unit: str) -> dict[str, Any]:
    share = _share(accelerators, curve.values)
    look = (2.5, "solid") if curve.here else (1.8, dash)
    return forms.line(
        accelerators, share, slot, *look, connectgaps=False,
        said=[
            [number(size), show(value, unit).text, show(of_one, unit).text]
            for size, value, of_one in zip(accelerators, curve.values, share, strict=True)
        ],
        hover=f"{curve.title}<br>%{{customdata[0]}} accelerators: %{{customdata[1]}}, %{{customdata[2]}} each",
    )  # fmt: skip


def _band(accelerators: Sequence[float], curve: Curve) -> list[dict[str, Any]]:
    """From the low to the high of this design's prices."""
    ends = ((curve.low, "none"), (curve.high, "tonexty"))
    area = forms.look(fillcolor=forms.token("c1-faint"))
    return [
        forms.line(accelerators, _share(accelerators, values), "c1-faint", 0, fill=fill, **area)
        for values, fill in ends
    ]


def _rings(rings: Sequence[Ring], unit: str) -> dict[str, Any]:
    sizes, shares = [ring.accelerators for ring in rings], [ring.value / ring.accelerators for ring in rings]
    return forms.dots(
        sizes, shares, "text", 13, symbol="circle-open", edge="text", edge_width=2,
        said=[[ring.words, show(ring.value, unit).text] for ring in rings], hover="%{customdata[0]}<br>%{customdata[1]} in all",
    )  # fmt: skip


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


def _share(accelerators: Sequence[float], values: Sequence[float | None]) -> list[float | None]:
    """What one accelerator has of it."""
    return [None if value is None else value / size for size, value in zip(accelerators, values, strict=True)]


def _cell(value: float | None, unit: str) -> str:
    return "not joined" if value is None else show(value, unit).text
