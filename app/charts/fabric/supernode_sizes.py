"""Cost of the same work over sizes of the SuperNode, and the three ratios that make it up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, percent, show

HEIGHT = 320
TICKS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
COST = "supernode_size_cost"
CAUSES = "supernode_size_causes"
VISIBLE = 1.005
"""Ratio of costs from which a difference is mentioned."""
LINES = (("hardware", "Price per accelerator-hour"), ("speed", "Accelerator-hours of the work"), ("failures", "Failures and repairs"))  # fmt: skip


class SizePoint(NamedTuple):
    """One size; nan where it cannot be built or run, and `note` says why."""

    accelerators: int
    usd: float
    usd_low: float
    usd_high: float
    step_time_s: float
    speed_at_equal_accelerators: float
    speed_at_equal_capex: float
    medium: str
    capex_usd: float
    power_w: float
    racks: float
    ettr: float
    hardware: float
    speed: float
    failures: float
    note: str


class SystemPoint(NamedTuple):
    """A catalog system as it is sold."""

    name: str
    accelerators: int
    usd: float


def size_cost_figure(points: Sequence[SizePoint], *, unit: str, own: int, best: int | None, flat: Sequence[int], accelerators: int, as_designed: float = math.nan, systems: Sequence[SystemPoint] = ()) -> Figure:  # fmt: skip
    """Cost of the work by size; the least is ringed, and sizes that cost at most 5 % more are shaded."""
    eyebrow = f"Cost of a {unit} by the size of the SuperNode"
    caption = (
        f"{accelerators:,} accelerators in SuperNodes of each size, each bought with its parts and with the best layout. "
        "Shaded: at most 5 % more than the least. Axis of sizes: logarithmic."
    )
    known = [point for point in points if not math.isnan(point.usd)]
    beside = [one for one in systems if not math.isnan(one.usd)]
    bounded = [point for point in known if not math.isnan(point.usd_low + point.usd_high)]
    if bounded:
        caption += " Band: 80 % of comparable runs; it moves all sizes alike."
    if beside:
        caption += " Squares: catalog systems of the same generation, as they are sold."
    if best is None or len(known) < 2:
        return unknown_figure(COST, eyebrow, caption, "No two sizes can be compared.")
    top = max(
        *(point.usd for point in known), *(point.usd_high for point in bounded), *(one.usd for one in beside)
    )
    least = next(point for point in known if point.accelerators == best)
    here = [point for point in known if point.accelerators == own]
    said = [
        [show(point.usd, "USD").text, show(point.step_time_s, "s").text, show(point.capex_usd, "USD").text, show(point.power_w, "W").text]
        for point in known
    ]  # fmt: skip
    band = forms.band(
        [point.accelerators for point in bounded], [point.usd_low for point in bounded],
        [point.usd_high for point in bounded], "c1", 0.12,
    )  # fmt: skip
    data = [
        *([band] if len(bounded) > 1 else []),
        forms.line(
            [point.accelerators for point in known], [point.usd for point in known], "c1", size=7, said=said,
            hover="%{x} accelerators<br>%{customdata[0]}, step %{customdata[1]}<br>%{customdata[2]} and %{customdata[3]} per accelerator",
        ),
        forms.ring(least.accelerators, least.usd, "c2"),
        *(
            forms.dots([one.accelerators], [one.usd], "c3", 9, symbol="square", hover=f"{one.name}<br>{show(one.usd, 'USD').text}")
            for one in beside
        ),
        *(forms.dots([point.accelerators], [point.usd], "accent", 16, symbol="circle-open", edge_width=2) for point in here),
    ]  # fmt: skip
    look = forms.look(slot="control", width=1, dash="dot", words_slot="text-2", anchor="bottom", log=True)
    shapes = (
        [forms.rect(min(flat), 0, max(flat), top * 1.08, fill="c2", opacity=0.08)] if len(flat) > 1 else []
    )
    return Figure(
        name=COST,
        eyebrow=eyebrow,
        takeaway=_takeaway(unit, least, here, flat, as_designed),
        caption=caption,
        columns=(
            Column("Accelerators"), Column(f"Cost of a {unit}"), Column("Step"), Column("Capital cost per accelerator"),
            Column("Rated power per accelerator"), Column("Racks"), Column("ETTR"), Column("Speed"), Column("Speed at equal capital"),
            Column.words("Links between racks"), Column.words("Note"),
        ),
        rows=(*(_row(point, own) for point in points), *(_system_row(one) for one in systems)),
        plot=forms.plot(
            data, HEIGHT, x=_sizes(known), y=forms.from_zero(top, wanted=4, room=1.08, words=lambda tick: forms.tick_text(tick, "USD") if tick else "0"),
            shapes=shapes, limits=[forms.limit(f"This design, {own:,}", x=own, **look)] if here else [], top=24, right=24,
        ),
        narrow=_narrow(known),
    )  # fmt: skip


def size_causes_figure(points: Sequence[SizePoint], *, unit: str, best: int | None) -> Figure:
    """What each size costs over the least, as the product of hardware, speed and failures."""
    eyebrow = f"Cost of a {unit} over the least, by cause"
    caption = (
        "Cost of the work = price of an accelerator-hour x accelerator-hours of the work / ETTR. Each line is one of the "
        "three over its value at the size of least cost; their product is the whole."
    )
    known = [point for point in points if not math.isnan(point.hardware)]
    if best is None or len(known) < 2:
        return unknown_figure(CAUSES, eyebrow, caption, "No two sizes can be compared.")
    sizes = [point.accelerators for point in known]
    values = {name: [getattr(point, name) for point in known] for name, _ in LINES}
    highest = max(max(each) for each in values.values())
    lowest = min(min(each) for each in values.values())
    span = [lowest - 0.06 * (highest - lowest), highest + 0.06 * (highest - lowest)]
    return Figure(
        name=CAUSES,
        eyebrow=eyebrow,
        takeaway=_main_cause(known, best),
        caption=caption,
        columns=(Column("Accelerators"), *(Column(label) for _, label in LINES)),
        rows=tuple(
            Row((f"{point.accelerators:,}", *(f"{getattr(point, name):.3f}" for name, _ in LINES)))
            for point in known
        ),
        legend=tuple(Mark(forms.style(place)[0], label) for place, (_, label) in enumerate(LINES)),
        plot=forms.plot(
            [
                forms.line(sizes, values[name], *_look(place), size=6, symbol=forms.style(place)[2], name=label,
                           hover=f"{label}<br>%{{x}} accelerators: %{{y:.3f}}")
                for place, (name, label) in enumerate(LINES)
            ],
            HEIGHT, x=_sizes(known), y=forms.values(forms.even_ticks(span[0], span[1], most=5), lambda tick: f"{tick:.2f}", span), top=12, right=24,
        ),
        narrow=_narrow(known),
    )  # fmt: skip


def _look(place: int) -> tuple[str, float, str]:
    slot, dash, _ = forms.style(place)
    return slot, 2.2, dash


def _sizes(known: Sequence[SizePoint]) -> dict[str, Any]:
    low, high = known[0].accelerators, known[-1].accelerators
    shown = [tick for tick in TICKS if low <= tick <= high] or [low, high]
    edge = 0.04 * max(math.log10(high / low), 0.1)
    extent = [math.log10(low) - edge, math.log10(high) + edge]
    return forms.along(shown, number, extent, type="log", title="Accelerators per SuperNode")


def _narrow(known: Sequence[SizePoint]) -> dict[str, Any]:
    shown = [tick for tick in TICKS if known[0].accelerators <= tick <= known[-1].accelerators][::2]
    return {"xaxis.tickvals": shown, "xaxis.ticktext": [number(tick) for tick in shown], "margin.r": 12}


def _row(point: SizePoint, own: int) -> Row:
    figures = (
        (point.usd, "USD"), (point.step_time_s, "s"), (point.capex_usd, "USD"), (point.power_w, "W"), (point.racks, "1"),
    )  # fmt: skip
    return Row(
        (
            f"{point.accelerators:,}{', as designed' if point.accelerators == own else ''}",
            *("n/a" if math.isnan(value) else show(value, unit).text for value, unit in figures),
            "n/a" if math.isnan(point.ettr) else percent(point.ettr).text,
            *(
                "n/a" if math.isnan(value) else f"{value:.2f}"
                for value in (point.speed_at_equal_accelerators, point.speed_at_equal_capex)
            ),
            point.medium or "none",
            point.note,
        )
    )


def _system_row(one: SystemPoint) -> Row:
    cost = "n/a" if math.isnan(one.usd) else show(one.usd, "USD").text
    return Row((f"{one.accelerators:,}", cost, *["n/a"] * 8, one.name))


def _takeaway(
    unit: str, least: SizePoint, here: Sequence[SizePoint], flat: Sequence[int], as_designed: float
) -> str:
    text = f"A {unit} costs least at {least.accelerators:,} accelerators, {show(least.usd, 'USD').text}"
    if len(flat) > 1:
        text += f"; from {min(flat):,} to {max(flat):,} some sizes cost at most 5 % more"
    if here and here[0].usd > least.usd * VISIBLE:
        text += f"; {here[0].accelerators:,} cost {percent(round(here[0].usd / least.usd - 1, 3)).text} more"
    if here and abs(as_designed / here[0].usd - 1) > VISIBLE - 1:
        text += f". As it is laid out, this design costs {show(as_designed, 'USD').text}"
    return f"{text}."


def _main_cause(known: Sequence[SizePoint], best: int) -> str:
    """What makes the smallest and the largest size dearer."""
    found = []
    for point, words in ((known[0], "smaller"), (known[-1], "larger")):
        if point.accelerators == best:
            continue
        name, label = max(LINES, key=lambda line: getattr(point, line[0]))
        if getattr(point, name) > VISIBLE:
            found.append(
                f"{words} SuperNodes: {label[0].lower()}{label[1:]} ({getattr(point, name):.2f} times at {point.accelerators:,})"
            )
    return f"Extra cost of {'; in '.join(found)}." if found else "No size costs more for one cause alone."
