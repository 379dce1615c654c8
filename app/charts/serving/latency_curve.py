"""A latency against load: its mean, its value at the SLO percentile, and the SLO."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, WIDE_SPACE, brief, counted, one_prefix, show

HEIGHT = 340
PROMISE_LABEL = 0.06
"""Of the height, that the label of the promise takes above its line."""


STEP = 0.075
"""Of the height, between the labels of two lines, so that close ones do not cover each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLoad:
    """`slot` is the token of its colour."""

    label: str
    at: float
    slot: str
    dash: str = "dot"


def upright_lines(
    loads: Sequence[NamedLoad], extent: Sequence[float], *, log: bool, top: float = 1.0
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The limits of a plot.

    `extent` is the range of the axis, in exponents where it is logarithmic; the first label stands at `top`, as a
    share of the height, the others below it.
    """
    found = []
    for place, load in enumerate(loads):
        beyond = (math.log10(load.at) if log else load.at) > (extent[0] + extent[1]) / 2
        side, shift = ("right top", (-4, 0)) if beyond else ("left top", (4, 0))
        where = forms.look(x=load.at, log=log, at=top - STEP * place, anchor=side, shift=shift)
        found.append(forms.limit(load.label, slot=load.slot, dash=load.dash, **where))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyCurve:
    """`loads` are in rising order, with the times of each.

    `title` is that of the time, `share` the SLO percentile.
    """

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
    eyebrow = f"{curve.title} vs load"
    caption = f"Mean over requests, and the time that {share} of the requests stay within."
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
        columns=(Column(curve.load_title), Column("Mean"), Column(f"{share} within")),
        rows=tuple(
            Row(
                (counted(load) if curve.whole else brief(load, 4), show(mean, "s").text, show(most, "s").text)
            )
            for load, mean, most in known
        ),
        legend=(Mark("c1", "Mean"), Mark("c2", f"{share} within")),
        plot=_plot(curve, known, f"p{100 * curve.share:.4g}"),
        narrow={"xaxis.nticks": 3},
    )


def _plot(curve: LatencyCurve, known: list[tuple[float, float, float]], share: str) -> dict[str, Any]:
    scale, unit = (1.0, "s") if curve.log else one_prefix([row[2] for row in known], "s")
    loads, means, within = zip(*known, strict=True)
    times = [value / scale for value in (*means, *within)]
    xaxis = forms.log(loads, "1", curve.load_title)
    limits = upright_lines(curve.named, xaxis["range"], log=True)
    if curve.promised_s is not None:
        promised = curve.promised_s / scale
        words = f"SLO{WIDE_SPACE}{show(curve.promised_s, 's').text}"
        limits.append(forms.limit(words, y=promised, width=2, log=curve.log, at=0.01, anchor="left bottom"))
        times.append(promised)
    yaxis = (
        forms.log(times, "s", "")
        if curve.log
        else forms.from_zero(max(times) * 1.08, unit, words=forms.plain)
    )
    looks = (("Mean", means, "c1", 2.5, "solid", "circle"), (share, within, "c2", 1.8, "dash", "square"))
    return forms.plot(
        [
            forms.line(
                loads, [value / scale for value in values], slot, width, dash, size=5, symbol=symbol, name=name,
                hover=f"%{{x:,.4~g}}<br>{name} %{{y:,.3~g}}{THIN_SPACE}{unit}",
            )
            for name, values, slot, width, dash, symbol in looks
        ],
        HEIGHT,
        x=xaxis,
        y=_below_labels(yaxis, len(curve.named)),
        limits=limits,
        top=12,
        right=16,
    )  # fmt: skip


def _below_labels(axis: dict[str, Any], labels: int) -> dict[str, Any]:
    """The axis with room on top for so many labels of loads, which would cover those of lines below."""
    low, high = axis["range"]
    left = 1 - STEP * labels - PROMISE_LABEL
    return axis | {"range": [low, low + (high - low) / left]}
