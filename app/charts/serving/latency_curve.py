"""A latency against load: its mean, what the promised share of requests stays within, and the promise."""

from __future__ import annotations

import math
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
from app.charts.format import THIN_SPACE, WIDE_SPACE, counted, number, one_prefix, rounded, show
from app.charts.searching.log_scale import log_axis
from app.charts.serving.named_loads import STEP, NamedLoad, upright_lines

HEIGHT = 340
PROMISE_LABEL = 0.06
"""Of the height, that the label of the promise takes above its line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyCurve:
    """`loads` rise; times beside them. `title` is that of the time, `share` the promised share of requests."""

    name: str
    title: str
    load_title: str
    loads: Sequence[float]
    mean_s: Sequence[float]
    within_s: Sequence[float]
    share: float
    promised_s: float | None
    named: Sequence[NamedLoad]
    takeaway: str
    log: bool
    whole: bool = True  # loads are things that are counted, not a rate


def latency_curve_figure(curve: LatencyCurve) -> Figure:
    """Two lines over the load; the promise is dashed across them."""
    share = f"{100 * curve.share:.4g}{THIN_SPACE}%"
    eyebrow = f"{curve.title} against load"
    caption = f"Means over requests, and the time that {share} of them stay within."
    known = [
        row
        for row in zip(curve.loads, curve.mean_s, curve.within_s, strict=True)
        if all(value == value and 0 < value < float("inf") for value in row)
    ]
    if not known:
        return unknown_figure(curve.name, eyebrow, caption, f"{curve.title} is unknown: an input is.")
    return Figure(
        name=curve.name,
        eyebrow=eyebrow,
        takeaway=curve.takeaway,
        caption=caption,
        height=HEIGHT,
        columns=(Column(name=curve.load_title), Column(name="Mean"), Column(name=f"{share} within")),
        rows=tuple(
            Row(
                cells=(
                    counted(load) if curve.whole else number(rounded(load, 4)),
                    show(mean, "s").text,
                    show(most, "s").text,
                )
            )
            for load, mean, most in known
        ),
        legend=(
            Mark(slot="c1", label="Mean"),
            Mark(slot="c2", label=f"{share} within"),
        ),
        plot=_plot(curve, known, f"p{100 * curve.share:.4g}"),
        narrow={"xaxis.nticks": 3},
    )


def _plot(curve: LatencyCurve, known: list[tuple[float, float, float]], share: str) -> dict[str, Any]:
    scale, unit = (1.0, "s") if curve.log else one_prefix([row[2] for row in known], "s")
    loads = [row[0] for row in known]
    times = [value / scale for row in known for value in row[1:]]
    promised = None if curve.promised_s is None else curve.promised_s / scale
    xaxis = log_axis(loads, "1", curve.load_title)
    lines = upright_lines(curve.named, xaxis["range"], log=True)
    if promised is not None:
        lines["shapes"].append(
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": promised, "y1": promised,
             "line": {"color": token("bad"), "width": 2, "dash": "dash"}}
        )  # fmt: skip
        lines["annotations"].append(
            {"xref": "paper", "x": 0.01, "y": math.log10(promised) if curve.log else promised, "xanchor": "left",
             "yanchor": "bottom", "showarrow": False, "text": f"Promised{WIDE_SPACE}{show(curve.promised_s, 's').text}",
             "font": {"size": 12, "color": token("bad")}}
        )  # fmt: skip
    return {
        "data": [
            _line("Mean", loads, [row[1] / scale for row in known], "c1", "solid", unit),
            _line(share, loads, [row[2] / scale for row in known], "c2", "dash", unit),
        ],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 12, "b": 8},
            xaxis=xaxis,
            yaxis=_below_labels(
                _times([*times, *([promised] if promised else [])], unit, curve.log), len(curve.named)
            ),
            **lines,
        ),
    }


def _below_labels(axis: dict[str, Any], labels: int) -> dict[str, Any]:
    """The axis with room on top for so many labels of loads, which would cover those of lines below."""
    low, high = axis["range"]
    left = 1 - STEP * labels - PROMISE_LABEL
    return axis | {"range": [low, low + (high - low) / left]}


def _times(values: list[float], unit: str, log: bool) -> dict[str, Any]:
    if log:
        return log_axis(values, "s", "")
    end = max(values) * 1.08
    ticks = round_ticks(end)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}{unit}"
    return value_axis(ticks, labels, [0, end])


def _line(name: str, x: list[float], y: list[float], slot: str, dash: str, unit: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": x,
        "y": y,
        "line": {"color": token(slot), "width": 2.5 if slot == "c1" else 1.8, "dash": dash},
        "marker": {"size": 5, "color": token(slot), "symbol": "circle" if slot == "c1" else "square"},
        "hovertemplate": f"%{{x:,.4~g}}<br>{name} %{{y:,.3~g}}{THIN_SPACE}{unit}<extra></extra>",
    }
