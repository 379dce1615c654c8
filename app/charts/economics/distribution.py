"""How the samples of one figure are spread, with its percentiles and the value as the scenario stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from app.charts.economics.uncertain_axis import Measure, measure_of, measured_axis
from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    even_ticks,
    layout,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, number

NAME = "distribution"
HEIGHT = 300
CAPTION = (
    "Share of the samples in each bar; full ones lie between P10 and P90, which hold eight samples of ten. "
    "The dashed line is the figure as the scenario stands, the value that the studio shows."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What the samples of a figure come to; `edges` has one entry more than `counts`."""

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
        height=HEIGHT,
        columns=(Column(name="From"), Column(name="To", unit=measure.unit), Column(name="Share", unit="%")),
        rows=tuple(
            Row(
                cells=(
                    measure.words(low, unit=False),
                    measure.words(high, unit=False),
                    f"{100 * count / total:.2f}",
                )
            )
            for (low, high), count in zip(pairwise(spread.edges), spread.counts, strict=True)
        ),
        legend=(Mark(slot="c1", label="Between P10 and P90"), Mark(slot="c1-tint", label="Beyond")),
        plot=_plot(spread, measure, total),
        narrow={"xaxis.nticks": 3},
    )


def _takeaway(spread: Spread, measure: Measure) -> str:
    if spread.p10 == spread.p90:
        return f"Nothing that varies moves it: {measure.words(spread.p50)}."
    said = f"Eight samples of ten lie between {measure.words(spread.p10)} and {measure.words(spread.p90)}"
    if spread.point is not None:
        side = "below" if spread.point < spread.p10 else "above" if spread.point > spread.p90 else ""
        said += f"; as it stands it is {measure.words(spread.point)}" + (f", {side} them" if side else "")
    return f"{said}."


def _plot(spread: Spread, measure: Measure, total: int) -> dict[str, Any]:
    bars = list(pairwise(spread.edges))
    shares = [100 * count / total for count in spread.counts]
    middles = [(low + high) / 2 for low, high in bars]
    colours = [token("c1" if spread.p10 <= middle <= spread.p90 else "c1-tint") for middle in middles]
    peak = max(shares)
    ticks = even_ticks(0, peak, 4)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{THIN_SPACE}%"
    shown = [*spread.edges, *([spread.point] if spread.point is not None else [])]
    shown += [spread.limit] if _is_near(spread) and spread.limit is not None else []
    return {
        "data": [
            {
                "type": "bar",
                "x": [middle / measure.divisor for middle in middles],
                "y": shares,
                "width": [(high - low) / measure.divisor for low, high in bars],
                "marker": {"color": colours, "line": {"width": 0.5, "color": token("bg")}},
                "customdata": [[measure.words(low, unit=False), measure.words(high)] for low, high in bars],
                "hovertemplate": "%{customdata[0]} to %{customdata[1]}<br>%{y:.1f} % of the samples<extra></extra>",
            }
        ],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 44, "b": 8},
            bargap=0,
            xaxis=measured_axis(shown, measure, showgrid=False, showline=True, linecolor=token("axis")),
            yaxis=value_axis(ticks, labels, [0, peak * 1.05]),
            **_lines(spread, measure),
        ),
    }


def _is_near(spread: Spread) -> bool:
    """Whether the limit can be drawn without squeezing the bars into a corner."""
    low, high = spread.edges[0], spread.edges[-1]
    return spread.limit is not None and low - (high - low) <= spread.limit <= high + (high - low)


def _lines(spread: Spread, measure: Measure) -> dict[str, Any]:
    marked = [(spread.p10, "P10", "dot", 4), (spread.p50, "P50", "solid", 4), (spread.p90, "P90", "dot", 4)]
    if spread.p10 == spread.p90:
        marked = []
    if spread.point is not None:
        marked.append((spread.point, "as it stands", "dash", 22))
    if _is_near(spread) and spread.limit is not None:
        marked.append((spread.limit, spread.limit_words, "longdash", 22))
    return {
        "shapes": [
            {"type": "line", "x0": value / measure.divisor, "x1": value / measure.divisor, "yref": "paper",
             "y0": 0, "y1": 1, "line": {"color": token("bad" if words == spread.limit_words else "text"),
                                        "width": 1.5, "dash": dash}}
            for value, words, dash, _ in marked
        ],
        "annotations": [
            {"x": value / measure.divisor, "yref": "paper", "y": 1, "yshift": up, "yanchor": "bottom", "text": words,
             "showarrow": False, "font": {"size": 12, "color": token("text-2")}}
            for value, words, _, up in marked
        ],
    }  # fmt: skip
