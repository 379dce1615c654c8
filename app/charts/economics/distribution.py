"""How the samples of one figure are spread, with its percentiles and the value as the scenario stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from app.charts import forms
from app.charts.economics.tornado import measure_of, measured_axis
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import Measure, number

NAME = "distribution"
HEIGHT = 300
CAPTION = (
    "Share of the samples in each bar; full ones lie between P10 and P90, which hold 80 % of the samples, "
    "the outermost those further out as well. "
    "The dashed line is the figure as the scenario stands, the value that the studio shows."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Statistics of the samples of a figure; `edges` has one entry more than `counts`."""

    label: str
    unit: str
    point: float | None
    p10: float
    p50: float
    p90: float
    edges: Sequence[float]
    counts: Sequence[int]
    limit: float | None = None
    limit_words: str = ""


def distribution_figure(label: str, spread: Spread | None) -> Figure:
    """A histogram; `spread` None where no sample of the figure is known."""
    if spread is None or not spread.counts:
        return unknown_figure(NAME, label, CAPTION, "No sample of this figure is known.")
    measure = measure_of([*spread.edges, *([spread.point] if spread.point is not None else [])], spread.unit)
    total = sum(spread.counts)
    return Figure(
        name=NAME,
        eyebrow=label,
        takeaway=_takeaway(spread, measure),
        caption=CAPTION,
        columns=(Column("From"), Column("To", measure.unit), Column("Share", "%")),
        rows=tuple(
            Row((measure.words(low), measure.words(high), f"{100 * count / total:.2f}"))
            for (low, high), count in zip(pairwise(spread.edges), spread.counts, strict=True)
        ),
        legend=(Mark("c1", "Between P10 and P90"), Mark("c1-tint", "Beyond")),
        plot=_plot(spread, measure, total),
        narrow={"xaxis.nticks": 3},
    )


def _takeaway(spread: Spread, measure: Measure) -> str:
    if spread.p10 == spread.p90:
        return f"No varied input changes it: {measure.text(spread.p50)}."
    said = f"80 % of the samples lie between {measure.text(spread.p10)} and {measure.text(spread.p90)}"
    if spread.point is not None:
        side = "below" if spread.point < spread.p10 else "above" if spread.point > spread.p90 else ""
        said += f"; the current design has {measure.text(spread.point)}" + (f", {side} them" if side else "")
    return f"{said}."


def _plot(spread: Spread, measure: Measure, total: int) -> dict[str, Any]:
    ranges = list(pairwise(spread.edges))
    shares = [100 * count / total for count in spread.counts]
    middles = [(low + high) / 2 for low, high in ranges]
    peak = max(shares)
    marked = _marked(spread)
    shown = [
        *spread.edges,
        *(value for value, *_ in marked if value not in (spread.p10, spread.p50, spread.p90)),
    ]
    bars = forms.columns(
        measure.of(middles), shares, ["c1" if spread.p10 <= middle <= spread.p90 else "c1-tint" for middle in middles],
        width=measure.of(high - low for low, high in ranges), edge="bg", edge_width=0.5,
        said=[[measure.words(low), measure.text(high)] for low, high in ranges],
        hover="%{customdata[0]} to %{customdata[1]}<br>%{y:.1f} % of the samples",
    )  # fmt: skip
    return forms.plot(
        [bars],
        HEIGHT,
        x=measured_axis(shown, measure, grid=False, base=True),
        y=forms.values(forms.even_ticks(0, peak, 4), number, [0, peak * 1.05], unit="%"),
        shapes=[
            forms.rule("bad" if words == spread.limit_words else "text", x=value / measure.divisor, dash=dash)
            for value, words, dash, _ in marked
        ],
        notes=[
            forms.note(value / measure.divisor, 1, words, anchor="bottom", shift=(0, up), yref="paper")
            for value, words, _, up in marked
        ],
        top=44,
        right=16,
        bargap=0,
    )


def _marked(spread: Spread) -> list[tuple[float, str, str, int]]:
    """Values with their words, their dash and how far above the bars the words stand."""
    marked = [(spread.p10, "P10", "dot", 4), (spread.p50, "P50", "solid", 4), (spread.p90, "P90", "dot", 4)]
    if spread.p10 == spread.p90:
        marked = []
    if spread.point is not None:
        marked.append((spread.point, "current", "dash", 22))
    low, high = spread.edges[0], spread.edges[-1]
    if spread.limit is not None and low - (high - low) <= spread.limit <= high + (
        high - low
    ):  # else bars are squeezed
        marked.append((spread.limit, spread.limit_words, "longdash", 22))
    return marked
