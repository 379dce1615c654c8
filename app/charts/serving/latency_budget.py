"""From the question to the first token, place by place: network, queue, prefill, and the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, layout, name_axis, round_ticks, token, value_axis
from app.charts.format import THIN_SPACE, one_prefix, show
from app.charts.serving.few_ticks import few_ticks

NAME = "latency_budget"
BAR = 36
AROUND = 90
PARTS = (
    ("round_trip_s", "Network", "c2"),
    ("queue_s", "Queue", "c4"),
    ("prefill_s", "Prefill", "c1"),
    ("other_s", "Engine", "c7"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetBar:
    """Parts sum to `total_s`."""

    name: str
    round_trip_s: float
    queue_s: float
    prefill_s: float
    other_s: float
    total_s: float
    budget_s: float


def latency_budget_figure(bars: Sequence[BudgetBar], takeaway: str) -> Figure:
    """A bar a place and site; the upright mark is its budget."""
    height = AROUND + BAR * len(bars)
    plot = _plot(bars, height)
    return Figure(
        name=NAME,
        eyebrow="From the question to the first token",
        takeaway=takeaway,
        caption="Means over requests; the upright mark is the budget of the place.",
        height=height,
        columns=(
            Column(name="Users and site", numeric=False),
            *(Column(name=title) for _, title, _ in PARTS),
            Column(name="Together"),
            Column(name="Budget"),
        ),
        rows=tuple(
            Row(
                cells=(
                    bar.name,
                    *(show(getattr(bar, field), "s").text for field, _, _ in PARTS),
                    show(bar.total_s, "s").text,
                    show(bar.budget_s, "s").text,
                )
            )
            for bar in bars
        ),
        legend=tuple(Mark(slot=slot, label=title) for _, title, slot in PARTS),
        plot=plot,
        narrow=few_ticks(plot),
    )


def _plot(bars: Sequence[BudgetBar], height: int) -> dict[str, Any]:
    names = [bar.name for bar in bars]
    longest = max(max(bar.total_s, bar.budget_s) for bar in bars)
    scale, unit = one_prefix([longest], "s")
    end = longest / scale * 1.06
    ticks = round_ticks(end)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}{unit}"
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "name": title,
            "y": names,
            "x": [getattr(bar, field) / scale for bar in bars],
            "width": 0.5,
            "marker": {"color": token(slot), "line": {"color": token("bg"), "width": 1}},
            "hovertemplate": f"%{{y}}<br>{title} %{{x:,.3~g}}{THIN_SPACE}{unit}<extra></extra>",
        }
        for field, title, slot in PARTS
    ]
    data.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "Budget",
            "y": names,
            "x": [bar.budget_s / scale for bar in bars],
            "marker": {"symbol": "line-ns", "size": 22, "line": {"width": 3, "color": token("bad")}},
            "hovertemplate": f"%{{y}}<br>Budget %{{x:,.3~g}}{THIN_SPACE}{unit}<extra></extra>",
        }
    )
    return {
        "data": data,
        "layout": layout(
            height,
            barmode="stack",
            margin={"l": 8, "r": 24, "t": 8, "b": 8},
            xaxis=value_axis(ticks, labels, [0, end], tickangle=0),
            yaxis=name_axis(names),
        ),
    }
