"""Charts of a study: one figure of each column on a common axis, and all answers by two figures at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import Shown, one_prefix, percent, show, show_computed

ROW, HEAD = 26, 44
SCATTER_HEIGHT = 380
DAY_S = 86_400.0
SLOTS = ("c1", "c2", "c3", "c4", "c5", "c6")
OTHER = "c7"
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "triangle-down")


class Bar(NamedTuple):
    """One column of the board in one figure; the ends equal the value where there is no range."""

    letter: str
    name: str
    slot: str
    value: float
    low: float
    high: float


class Point(NamedTuple):
    """One candidate in the five figures that a team trades; `risk` is the probability of missing a limit."""

    key: str
    name: str
    group: str  # system, by which it is coloured
    cost: float
    time: float
    power: float
    carbon: float
    risk: float
    is_answer: bool
    on_front: bool
    rank: int


def multiple_figure(
    bars: Sequence[Bar], *, key: str, title: str, unit: str, bound: float = math.nan, more: bool = False
) -> Figure:
    """A bar a column in the order of the board, from P10 to P90 as a line; the limit where there is one.

    `more` of it is better.
    """
    name = f"study_{key}"
    known = [bar for bar in bars if math.isfinite(bar.value)]
    caption = "Bars to the typical figure, lines from P10 to P90."
    if not known:
        return unknown_figure(name, title, caption, "It is known of no column.")
    factor, words = (DAY_S, "days") if unit == "s" else one_prefix([bar.value for bar in known], unit)
    ends = [bar.high if math.isfinite(bar.high) else bar.value for bar in known]
    most = max([*ends, *([bound] if math.isfinite(bound) else [])]) / factor
    letters = [bar.letter for bar in known]
    values = [bar.value / factor for bar in known]
    above = [max(0.0, (bar.high - bar.value) / factor) if math.isfinite(bar.high) else 0.0 for bar in known]
    below = [max(0.0, (bar.value - bar.low) / factor) if math.isfinite(bar.low) else 0.0 for bar in known]
    drawn = forms.bars(
        letters, values, [bar.slot for bar in known], width=0.6,
        said=[[bar.name, show_computed(bar.value, unit).text] for bar in known], hover="%{customdata[0]}<br>%{customdata[1]}",
        error_x=forms.error_bars(above, below) if any((*above, *below)) else None,
    )  # fmt: skip
    limits = (
        [forms.limit(f"Limit {show(bound, unit).text}", x=bound / factor, anchor="right bottom")]
        if math.isfinite(bound)
        else []
    )
    plot = forms.plot(
        [drawn], ROW * len(known) + HEAD, x=forms.from_zero(most, words, room=1.08, words=forms.plain, wanted=4),
        y=forms.names(letters), limits=limits, top=20 if limits else 4, right=16,
    )  # fmt: skip
    best = (max if more else min)(known, key=lambda bar: bar.value)
    return Figure(
        name=name,
        eyebrow=title,
        takeaway=f"{best.letter} has the {'most' if more else 'least'}, {show_computed(best.value, unit).text}.",
        caption=caption,
        columns=(Column.words("Column"), Column.words("Design"), Column(title), Column("P10 to P90")),
        rows=tuple(
            Row(
                (bar.letter, bar.name, show_computed(bar.value, unit).text, _between(bar, unit)),
                slot=bar.slot,
            )
            for bar in bars
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _between(bar: Bar, unit: str) -> str:
    if not (math.isfinite(bar.low) and bar.low < bar.high):
        return ""
    return f"{show_computed(bar.low, unit).text} to {show_computed(bar.high, unit).text}"


def trade_off_figure(points: Sequence[Point], *, cost_limit: float, time_limit: float) -> Figure:
    """Cost against time, a mark a candidate by system; those that keep no limit are faint, the front is a
    line."""
    known = [point for point in points if math.isfinite(point.cost) and math.isfinite(point.time)]
    title, caption = (
        "Cost against time",
        "Each mark a candidate that was evaluated; the line joins those that no other beats in both.",
    )
    if len(known) < 2:
        return unknown_figure(
            "study_trade_off", title, caption, "Fewer than two candidates have both a cost and a time."
        )
    factor, unit = one_prefix([point.cost for point in known], "USD")
    slots = slots_of(points)
    groups = [group for group in slots if any(point.group == group for point in known)]
    traces: list[dict[str, Any]] = []
    for group in groups:
        mine = [point for point in known if point.group == group]
        traces.append(
            forms.dots(
                [point.time / DAY_S for point in mine], [point.cost / factor for point in mine],
                slots[group], [10 if point.rank == 1 else 8 for point in mine],
                symbol=[SYMBOLS[list(slots).index(group) % len(SYMBOLS)] for _ in mine], opacity=[1 if point.is_answer else 0.35 for point in mine],
                said=[[point.name, show_computed(point.time, "s").text, show_computed(point.cost, "USD").text, "Answer" if point.is_answer else "Misses a limit", point.key] for point in mine],
                hover="%{customdata[0]}<br>%{customdata[1]}, %{customdata[2]}<br>%{customdata[3]}", meta="study-point",
            )
        )  # fmt: skip
    front = _front([point for point in known if point.is_answer])
    if len(front) > 1:
        traces.append(
            forms.line(
                [point.time / DAY_S for point in front],
                [point.cost / factor for point in front],
                "text",
                1.5,
                shape="hv",
            )
        )
    times = [point.time / DAY_S for point in known]
    limits = []
    if math.isfinite(time_limit):
        limits.append(
            forms.limit(f"{time_limit / DAY_S:,.0f} days", x=time_limit / DAY_S, anchor="right bottom")
        )
        times.append(time_limit / DAY_S)
    costs = [point.cost / factor for point in known]
    if math.isfinite(cost_limit):
        limits.append(forms.limit(show_computed(cost_limit, "USD").text, y=cost_limit / factor))
        costs.append(cost_limit / factor)
    plot = forms.plot(
        traces, SCATTER_HEIGHT, x=forms.from_zero(max(times), "days", room=1.06, words=forms.plain, title="Time to finish"),
        y=forms.from_zero(max(costs), unit, room=1.08, words=forms.plain), limits=limits, top=24, right=20,
    )  # fmt: skip
    best = min((point for point in known if point.is_answer), key=lambda point: point.rank, default=None)
    says = (
        f"{best.name} ranks first: {show_computed(best.cost, 'USD').text}, {show_computed(best.time, 's').text}."
        if best
        else "No candidate keeps every limit."
    )
    return Figure(
        name="study_trade_off",
        eyebrow=title,
        takeaway=says,
        caption=caption,
        columns=(
            Column.words("Design"), Column("Cost"), Column("Time"), Column("Power"), Column("Carbon"), Column("Risk"),
            Column.words("Notes"),
        ),
        rows=tuple(_row(point) for point in points),
        legend=tuple(Mark(slots[group], group) for group in groups),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )  # fmt: skip


def slots_of(points: Sequence[Point]) -> dict[str, str]:
    """The colour of each system, in the order in which they come."""
    groups = dict.fromkeys(point.group for point in points)
    return {group: SLOTS[place] if place < len(SLOTS) else OTHER for place, group in enumerate(groups)}


def _row(point: Point) -> Row:
    notes = [f"rank {point.rank}"] if point.is_answer else ["misses a limit"]
    if point.on_front:
        notes.append("on the front")
    figures = ((point.cost, "USD"), (point.time, "s"), (point.power, "W"), (point.carbon, "kg"))
    shown = [_shown(value, unit).text for value, unit in figures]
    return Row(
        (
            point.name,
            *shown,
            percent(point.risk).text if math.isfinite(point.risk) else "n/a",
            ", ".join(notes),
        ),
        total=point.rank == 1,
    )


def _shown(value: float, unit: str) -> Shown:
    return show_computed(value, unit) if math.isfinite(value) else Shown("n/a")


def _front(points: Sequence[Point]) -> list[Point]:
    """Those that no other beats in cost and time, from the fastest on."""
    front: list[Point] = []
    for point in sorted(points, key=lambda one: (one.time, one.cost)):
        if not front or point.cost < front[-1].cost:
            front.append(point)
    return front
