"""A day or a week of a served demand: what is asked, what that needs, and what runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, layout, round_ticks, token, value_axis
from app.charts.format import THIN_SPACE, WIDE_SPACE, counted, number, percent, rounded, show
from app.charts.serving.few_ticks import few_ticks

HEIGHT = 340
DAY, WEEK = 24, 168
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True, kw_only=True)
class HourDrawn:
    """`running` and `needed` are replicas; latencies of the promised share are not a number where nobody asks."""

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
        caption="Requests a second in each hour, and what replicas answer within the service level, spares for failures "
        f"aside. Latencies of the table hold for {share} of the requests.",
        height=HEIGHT,
        columns=(
            Column(name="Hour", numeric=False),
            Column(name="Requests", unit="1/s"),
            Column(name="Needed", unit="replicas"),
            Column(name="Running", unit="replicas"),
            Column(name="Paid", unit="replicas"),
            Column(name="Utilisation"),
            Column(name="First token", unit=share),
            Column(name="Per token", unit=share),
            Column(name="Promise", numeric=False),
        ),
        rows=tuple(_row(hour) for hour in drawn.hours),
        legend=(
            Mark(slot="c1", label="Demand"),
            *([Mark(slot="c3", label="Capacity running")] if drawn.follows else []),
            Mark(slot="c7", label="Capacity needed"),
        ),
        plot=plot,
        narrow=few_ticks(plot),
    )


def _row(hour: HourDrawn) -> Row:
    seen = hour.ttft_within_s == hour.ttft_within_s
    return Row(
        cells=(
            hour.title,
            number(rounded(hour.requests_per_s, 4)),
            counted(hour.needed),
            counted(hour.running),
            number(rounded(hour.paid, 4)),
            percent(hour.utilisation).text,
            show(hour.ttft_within_s, "s").text if seen else "none asked",
            show(hour.tpot_within_s, "s").text if seen else "none asked",
            "kept" if hour.keeps else "missed",
        )
    )


def _plot(drawn: HoursDrawn) -> dict[str, Any]:
    count = len(drawn.hours)
    edges = list(range(count + 1))
    most = drawn.always_on * drawn.rate
    end = 1.12 * max(most, *(hour.requests_per_s for hour in drawn.hours))
    ticks = round_ticks(end)
    labels = [f"{tick:,g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}requests/s"
    step = DAY if count == WEEK else 6
    names = [DAYS[place // DAY] if count == WEEK else f"{place:02}:00" for place in range(0, count, step)]
    data = [
        _steps("Capacity needed", edges, [hour.needed * drawn.rate for hour in drawn.hours], drawn, "c7"),
        *(
            [_steps("Capacity running", edges, [hour.running * drawn.rate for hour in drawn.hours], drawn, "c3")]
            if drawn.follows
            else []
        ),
        {
            "type": "scatter",
            "mode": "lines",
            "name": "Demand",
            "x": [place + 0.5 for place in range(count)],
            "y": [hour.requests_per_s for hour in drawn.hours],
            "customdata": [hour.title for hour in drawn.hours],
            "line": {"color": token("c1"), "width": 2.5},
            "hovertemplate": f"%{{customdata}}<br>Demand %{{y:,.4~g}}{THIN_SPACE}requests/s<extra></extra>",
        },
    ]  # fmt: skip
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 12, "b": 8},
            xaxis=value_axis(
                [float(place) for place in range(0, count, step)], names, [0, count], tickangle=0
            ),
            yaxis=value_axis(ticks, labels, [0, end]),
            shapes=[
                {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": most, "y1": most,
                 "line": {"color": token("control"), "width": 2, "dash": "dash"}}
            ],
            annotations=[
                {"xref": "paper", "x": 0.01, "y": most, "xanchor": "left", "yanchor": "bottom", "showarrow": False,
                 "text": f"Always on{WIDE_SPACE}{counted(drawn.always_on)} replicas",
                 "font": {"size": 12, "color": token("text-3")}}
            ],
        ),
    }  # fmt: skip


def _steps(name: str, edges: list[int], values: list[float], drawn: HoursDrawn, slot: str) -> dict[str, Any]:
    """A step for each hour, the last one to the end of the axis."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": edges,
        "y": [*values, values[-1]],
        "customdata": [
            f"{hour.title}, {counted(value / drawn.rate)} replicas"
            for hour, value in zip([*drawn.hours, drawn.hours[-1]], [*values, values[-1]], strict=True)
        ],
        "line": {"shape": "hv", "color": token(slot), "width": 2 if slot == "c3" else 1.2},
        "hovertemplate": f"%{{customdata}}<br>{name} %{{y:,.4~g}}{THIN_SPACE}requests/s<extra></extra>",
    }
