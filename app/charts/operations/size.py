"""MTBF and ETTR against the size of a pod, with the interval of the rate of failures and published fleets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import number, share_text, show

HEIGHT = 360
CAPTION = "The same job on more of the same SuperNodes, with more data-parallel copies of the model."
BAND = "The band holds 80 % of fleets."


class SizePlace(NamedTuple):
    """A size with a figure and its interval."""

    accelerators: float
    value: float
    low: float
    high: float
    is_looked_at: bool


class Fleet(NamedTuple):
    """A published time between interruptions."""

    system: str
    accelerators: float
    mtbf_s: float
    projected: bool


def mtbf_figure(places: Sequence[SizePlace], fleets: Sequence[Fleet]) -> Figure:
    """Time between interruptions on logarithmic axes; published fleets are points."""
    name, eyebrow = "mtbf_by_size", "Mean time between interruptions vs accelerators"
    known = [place for place in places if math.isfinite(place.value)]
    here = next((place for place in known if place.is_looked_at), None)
    if here is None:
        return unknown_figure(name, eyebrow, CAPTION, "The time between interruptions is unknown.")
    banded = [place for place in known if math.isfinite(place.low) and math.isfinite(place.high)]
    x = [place.accelerators for place in known]
    published = [
        (label, slot, [fleet for fleet in fleets if fleet.projected == projected])
        for label, slot, projected in (("Measured", "c2", False), ("Projected", "c3", True))
    ]
    data = [
        *([_band(banded)] if banded else []),
        forms.line(
            x, [place.value for place in known],
            said=[show(place.value, "s").text for place in known], hover="%{x:,.0f} accelerators<br>%{customdata}",
        ),
        *(
            forms.dots(
                [fleet.accelerators for fleet in some], [fleet.mtbf_s for fleet in some], slot, 9, name=label,
                symbol=forms.SYMBOLS[slot], said=[[fleet.system, show(fleet.mtbf_s, "s").text] for fleet in some],
                hover=f"%{{customdata[0]}}, {label.lower()}<br>%{{x:,.0f}} accelerators, %{{customdata[1]}}",
            )
            for label, slot, some in published
            if some
        ),
        forms.ring(here.accelerators, here.value, "c1", f"{number(here.accelerators)} accelerators<br>{show(here.value, 's').text}"),
    ]  # fmt: skip
    every = [*(fleet.mtbf_s for fleet in fleets), *(end for place in known for end in (place.value, place.low, place.high) if math.isfinite(end))]  # fmt: skip
    plot = forms.plot(
        data,
        HEIGHT,
        x=forms.log(
            [*x, *(fleet.accelerators for fleet in fleets)], "1", "Accelerators", base=True, grid=False
        ),
        y=forms.log(every, "s", "", most=6),
        top=16,
        right=20,
    )
    between = (
        f", between {show(here.low, 's').text} and {show(here.high, 's').text} in 80 % of fleets"
        if math.isfinite(here.low)
        else ""
    )
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"{number(here.accelerators)} accelerators are interrupted every {show(here.value, 's').text}{between}.",
        caption=f"{CAPTION} {BAND} Marks are published, all causes: squares were measured, diamonds follow from a rate.",
        **_table(known, "MTBF", lambda value: show(value, "s").text),
        legend=(
            Mark("c1", "This design at other sizes"),
            *(Mark(slot, f"Published, {label.lower()}") for label, slot, some in published if some),
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def ettr_figure(places: Sequence[SizePlace]) -> Figure:
    """Share of useful time against size."""
    name, eyebrow = "ettr_by_size", "Effective training time ratio vs accelerators"
    known = [place for place in places if math.isfinite(place.value)]
    here = next((place for place in known if place.is_looked_at), None)
    if here is None:
        return unknown_figure(name, eyebrow, CAPTION, "The share of useful time is unknown.")
    banded = [place for place in known if math.isfinite(place.low) and math.isfinite(place.high)]
    x, y = [place.accelerators for place in known], [100 * place.value for place in known]
    lowest = min(100 * end for place in known for end in (place.value, place.low) if math.isfinite(end))
    ticks = forms.even_ticks(max(0.0, lowest - 2), 100, 5)
    data = [
        *([_band(banded, 100)] if banded else []),
        forms.line(x, y, hover="%{x:,.0f} accelerators<br>%{y:.1f} % useful"),
        forms.ring(
            here.accelerators,
            100 * here.value,
            "c1",
            f"{number(here.accelerators)} accelerators<br>{share_text(here.value, 1)}",
        ),
    ]
    plot = forms.plot(
        data,
        HEIGHT,
        x=forms.log(x, "1", "Accelerators", base=True, grid=False),
        y=forms.values(ticks, number, [max(0.0, lowest - 2), 101], unit="%"),
        top=16,
        right=20,
    )
    between = f" ({share_text(here.low, 1)} to {share_text(here.high, 1)})" if math.isfinite(here.low) else ""
    largest = known[-1]
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"{share_text(here.value, 1)}{between} of the time is useful on {number(here.accelerators)} accelerators, "
        f"{share_text(largest.value, 1)} on {number(largest.accelerators)}.",
        caption=f"{CAPTION} Spares as recommended at each size. {BAND}",
        **_table(known, "ETTR", lambda value: share_text(value, 1)),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _band(places: Sequence[SizePlace], scale: float = 1) -> dict[str, Any]:
    x = [place.accelerators for place in places]
    return forms.band(
        x, [place.low * scale for place in places], [place.high * scale for place in places], "c1", 0.14
    )


def _table(places: Sequence[SizePlace], title: str, words: Any) -> dict[str, Any]:
    def cell(value: float) -> str:
        return words(value) if math.isfinite(value) else "unknown"

    return table(
        places,
        (Column("Accelerators"), lambda place: number(place.accelerators, 6)),
        (Column(title), lambda place: cell(place.value)),
        (Column("P10"), lambda place: cell(place.low)),
        (Column("P90"), lambda place: cell(place.high)),
        total=lambda place: place.is_looked_at,
    )
