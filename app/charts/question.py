"""The chart of a question: designs that were tried over one input, or a bar for each of several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import WIDE_SPACE, brief, one_prefix, show

NAME = "question"
HEIGHT, BAR_HEIGHT = 300, 52
DAY_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPoint:
    """A design that was tried. Unknown is NaN, as the ends are where there is no interval."""

    label: str
    x: float
    y: float
    low: float
    high: float
    feasible: bool
    chosen: bool
    note: str  # the reason of an infeasible one


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChart:
    """Points over an axis of numbers, or a bar a design where that axis has no title. `limit` is NaN without
    one.

    `takeaway` has no full stop at its end.
    """

    title: str
    takeaway: str
    caption: str
    x_title: str
    y_title: str
    y_unit: str
    limit: float
    limit_label: str
    points: tuple[AnswerPoint, ...]


def question_figure(chart: AnswerChart) -> Figure:
    """The figure, with every design that was tried in its table."""
    known = [one for one in chart.points if math.isfinite(one.y)]
    if not known:
        return unknown_figure(NAME, chart.title, chart.caption, f"{chart.takeaway}.")
    plot = _line(chart, known) if chart.x_title else _bars(chart, known)
    return Figure(
        name=NAME,
        eyebrow=chart.title,
        takeaway=f"{chart.takeaway}.",
        caption=chart.caption,
        columns=(
            Column.words("Design"),
            Column(chart.y_title),
            Column("P10 to P90"),
            Column.words("Notes"),
        ),
        rows=tuple(_row(chart, one) for one in chart.points),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _row(chart: AnswerChart, one: AnswerPoint) -> Row:
    shown = show(one.y, chart.y_unit).text if math.isfinite(one.y) else "n/a"
    between = ""
    if math.isfinite(one.low):
        between = f"{show(one.low, chart.y_unit).text} to {show(one.high, chart.y_unit).text}"
    words = ["chosen"] if one.chosen else []
    if not one.feasible:
        words.append("infeasible")
    return Row((one.label, shown, between, "; ".join([*words, *filter(None, [one.note])])), total=one.chosen)


def _said(chart: AnswerChart, points: Sequence[AnswerPoint]) -> list[list[str]]:
    return [[one.label, show(one.y, chart.y_unit).text, one.note] for one in points]


HOVER = "%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}"


def _line(chart: AnswerChart, known: Sequence[AnswerPoint]) -> dict[str, Any]:
    known = sorted(known, key=lambda one: one.x)
    scale, unit = _scale(chart, known)
    ends = [end / scale for one in known for end in (one.low, one.high) if math.isfinite(end)]
    values = [one.y / scale for one in known]
    limit = [] if math.isnan(chart.limit) else [chart.limit / scale]
    y = forms.from_zero(max([*values, *ends, *limit]), unit, room=1.12, words=forms.plain)
    x = [one.x for one in known]
    banded = [one for one in known if math.isfinite(one.low) and math.isfinite(one.high)]
    traces = []
    if len(banded) > 1:
        places = [one.x for one in banded]
        low, high = (
            [end / scale for end in side]
            for side in zip(*[(one.low, one.high) for one in banded], strict=True)
        )
        traces.append(forms.band(places, low, high, "c1", 0.16))
    traces.append(
        forms.line(
            x, values, "c1", 2, size=[12 if one.chosen else 6 for one in known],
            symbol=["circle" if one.feasible else "circle-open" for one in known], edge="bg", edge_width=1.5, opacity=1,
            said=_said(chart, known), hover=HOVER,
        )
    )  # fmt: skip
    chosen = [one for one in known if one.chosen]
    notes = [
        forms.note(
            math.log10(one.x), one.y / scale, one.label, "text", ground="bg",
            **_beside(one.x < _middle(x), is_below=bool(limit) and one.y <= chart.limit),
        )
        for one in chosen[:1]
    ]  # fmt: skip
    limits = [
        forms.limit(f"{chart.limit_label}{WIDE_SPACE}{show(chart.limit, chart.y_unit).text}", y=one)
        for one in limit
    ]
    axis = forms.log(x, "1", chart.x_title, labels=lambda tick: brief(tick, 4)) if x[0] < x[-1] else None
    return forms.plot(
        traces,
        HEIGHT,
        x=axis or forms.along(x, lambda tick: brief(tick, 4), [x[0] * 0.5, x[0] * 1.5], title=chart.x_title),
        y=y,
        notes=[*notes],
        limits=limits,
        top=22,
        right=24,
    )


def _beside(is_left: bool, *, is_below: bool) -> dict[str, Any]:
    """Where the name of the chosen design stands: on the side with more room, and off the limit above it."""
    side, edge = "left" if is_left else "right", "top" if is_below else "bottom"
    return {"anchor": f"{side} {edge}", "shift": (10 if side == "left" else -10, -10 if is_below else 10)}


def _scale(chart: AnswerChart, points: Sequence[AnswerPoint]) -> tuple[float, str]:
    """Factor and unit of the axis of values: of times, days where they take days."""
    most = max(one.y for one in points)
    if chart.y_unit != "s":
        return one_prefix([one.y for one in points], chart.y_unit)
    units = ((2 * DAY_S, DAY_S, "days"), (2 * 3600.0, 3600.0, "h"), (120.0, 60.0, "min"), (1.0, 1.0, "s"))
    return next(((factor, unit) for least, factor, unit in units if most >= least), (1e-3, "ms"))


def _middle(x: Sequence[float]) -> float:
    return math.sqrt(min(x) * max(x))


def _bars(chart: AnswerChart, known: Sequence[AnswerPoint]) -> dict[str, Any]:
    scale, unit = one_prefix([one.y for one in known], chart.y_unit)
    names = [one.label for one in known]
    values = [one.y / scale for one in known]
    above = [
        max(one.high / scale - value, 0) if math.isfinite(one.high) else 0.0
        for one, value in zip(known, values, strict=True)
    ]
    below = [
        max(value - one.low / scale, 0) if math.isfinite(one.low) else 0.0
        for one, value in zip(known, values, strict=True)
    ]
    limit = [] if math.isnan(chart.limit) else [chart.limit / scale]
    most = max(*(value + more for value, more in zip(values, above, strict=True)), *limit, 0.0)
    bars = forms.bars(
        names, values, ["c1" if one.chosen else "c7" for one in known], width=0.5, said=_said(chart, known), hover=HOVER,
        error_x=forms.error_bars(above, below) if any(above) else None,
    )  # fmt: skip
    limits = [
        forms.limit(
            f"{chart.limit_label}{WIDE_SPACE}{show(chart.limit, chart.y_unit).text}",
            x=one,
            anchor="right bottom",
        )
        for one in limit
    ]
    return forms.plot(
        [bars],
        BAR_HEIGHT * len(known) + 60,
        x=forms.from_zero(most, unit, room=1.06, words=forms.plain),
        y=forms.names(names),
        limits=limits,
        top=22,
        right=24,
    )
