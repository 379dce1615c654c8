"""A day or a week of a served demand: what is asked, what that needs, and what runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import THIN_SPACE, WIDE_SPACE, brief, counted, percent, show

HEIGHT = 340
DAY, WEEK = 24, 168
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True, kw_only=True)
class HourDrawn:
    """`running` and `needed` are replicas; latencies at the SLO percentile are not a number where no one
    asks."""

    title: str
    requests_per_s: float
    needed: float
    running: float
    paid: float
    utilisation: float
    ttft_within_s: float
    tpot_within_s: float
    keeps: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursDrawn:
    """`rate` is what a replica answers within the service level; `always_on` replicas run where none ever stops."""

    hours: Sequence[HourDrawn]
    rate: float
    always_on: float
    follows: bool  # whether replicas follow the demand
    share: float  # of the requests, that the latencies hold for
    takeaway: str


def demand_hours_figure(drawn: HoursDrawn) -> Figure:
    """The demand as a line, capacity as steps over it: each hour from its beginning to its end."""
    share = f"{100 * drawn.share:.4g}{THIN_SPACE}%"
    plot = _plot(drawn)
    return Figure(
        name="demand_hours",
        eyebrow=f"Demand and capacity over {'a day' if len(drawn.hours) == DAY else 'a week'}",
        takeaway=drawn.takeaway,
        caption="Requests per second in each hour, and what replicas answer within the service level, spares for failures "
        f"aside. Latencies of the table hold for {share} of the requests.",
        columns=(
            Column.words("Hour"), Column("Requests", "1/s"), Column("Needed", "replicas"),
            Column("Running", "replicas"), Column("Paid", "replicas"), Column("Utilisation"),
            Column("First token", share), Column("Per token", share), Column.words("Promise"),
        ),
        rows=tuple(_row(hour) for hour in drawn.hours),
        legend=(
            Mark("c1", "Demand"),
            *([Mark("c3", "Capacity running")] if drawn.follows else []),
            Mark("c7", "Capacity needed"),
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )  # fmt: skip


def _row(hour: HourDrawn) -> Row:
    seen = hour.ttft_within_s == hour.ttft_within_s
    return Row(
        (
            hour.title,
            brief(hour.requests_per_s, 4),
            counted(hour.needed),
            counted(hour.running),
            brief(hour.paid, 4),
            percent(hour.utilisation).text,
            show(hour.ttft_within_s, "s").text if seen else "none asked",
            show(hour.tpot_within_s, "s").text if seen else "none asked",
            "kept" if hour.keeps else "missed",
        )
    )


def _plot(drawn: HoursDrawn) -> dict[str, Any]:
    hours, count = drawn.hours, len(drawn.hours)
    most = drawn.always_on * drawn.rate
    step = DAY if count == WEEK else 6
    demand = forms.line(
        [place + 0.5 for place in range(count)], [hour.requests_per_s for hour in hours], name="Demand",
        said=[hour.title for hour in hours], hover=f"%{{customdata}}<br>Demand %{{y:,.4~g}}{THIN_SPACE}requests/s",
    )  # fmt: skip
    data = [_steps("Capacity needed", drawn, [hour.needed for hour in hours], "c7", 1.2)]
    if drawn.follows:
        data.append(_steps("Capacity running", drawn, [hour.running for hour in hours], "c3", 2))
    words = f"Always on{WIDE_SPACE}{counted(drawn.always_on)} replicas"
    look = forms.look(slot="control", width=2, words_slot="text-3", at=0.01, anchor="left bottom")
    return forms.plot(
        [*data, demand],
        HEIGHT,
        x=forms.values(
            range(0, count, step), lambda place: DAYS[int(place) // DAY] if count == WEEK else f"{place:02}:00", [0, count],
            tickangle=0,
        ),
        y=forms.from_zero(
            1.12 * max(most, *(hour.requests_per_s for hour in hours)), "requests/s", words=lambda tick: f"{tick:,g}"
        ),
        limits=[forms.limit(words, y=most, **look)],
        top=12,
        right=16,
    )  # fmt: skip


def _steps(name: str, drawn: HoursDrawn, replicas: list[float], slot: str, width: float) -> dict[str, Any]:
    """A step for each hour, the last one to the end of the axis."""
    steps = [*zip(drawn.hours, replicas, strict=True), (drawn.hours[-1], replicas[-1])]
    return forms.line(
        range(len(steps)), [count * drawn.rate for _, count in steps], slot, width, shape="hv", name=name,
        said=[f"{hour.title}, {counted(count)} replicas" for hour, count in steps],
        hover=f"%{{customdata}}<br>{name} %{{y:,.4~g}}{THIN_SPACE}requests/s",
    )  # fmt: skip
