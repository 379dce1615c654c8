"""Cost of a million output tokens by system and format: the answer itself, and reading its prompts."""

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
    name_axis,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import WIDE_SPACE, show
from app.charts.serving.few_ticks import few_ticks

NAME = "token_costs"
EYEBROW = "A million output tokens, owned"
BAR = 34
AROUND = 90
OWN, RENTED = "output", "rented"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostBar:
    """`output_usd` is the answer by itself, `prompts_usd` reading what it answers; NaN where unknown."""

    name: str
    output_usd: float
    prompts_usd: float
    rented_usd: float
    feasible: bool
    compared: bool = True  # it bears the same demand as the others


def token_costs_figure(bars: Sequence[CostBar], left_out: Sequence[str]) -> Figure:
    """A bar a system and format; diamonds are rented on demand."""
    caption = (
        "The answer and the reading of its prompts, at the levelised cost of a used accelerator-hour. Diamond: "
        "accelerators rented on demand. Hollow: does not do as it stands."
    )
    if left_out:
        caption += f" Not drawn, as a price is unknown or it cannot be tried: {', '.join(left_out)}."
    if not bars:
        return unknown_figure(NAME, EYEBROW, caption, "No system has a known cost of tokens.")
    height = AROUND + BAR * len(bars)
    plot = _plot(bars, height)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(bars),
        caption=caption,
        height=height,
        columns=(
            Column(name="System", numeric=False), Column(name="Answer", unit="USD"),
            Column(name="Prompts", unit="USD"), Column(name="Together", unit="USD"),
            Column(name="On demand", unit="USD"),
        ),
        rows=tuple(
            Row(
                cells=(
                    bar.name, _usd(bar.output_usd), _usd(bar.prompts_usd), _usd(bar.output_usd + bar.prompts_usd),
                    _usd(bar.rented_usd),
                )
            )
            for bar in bars
        ),
        legend=(Mark(slot="c1", label="Answer"), Mark(slot="c5", label="Prompts"),
                Mark(slot="c2", label="Rented on demand, together")),
        plot=plot,
        narrow=few_ticks(plot),
    )  # fmt: skip


def _usd(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.3f}"


def _takeaway(bars: Sequence[CostBar]) -> str:
    able = [bar for bar in bars if bar.feasible and bar.compared]
    if not able:
        return "No system with a known cost keeps what is promised."
    best = min(able, key=lambda bar: bar.output_usd + bar.prompts_usd)
    return f"{best.name} is the cheapest that keeps what is promised: {show(best.output_usd + best.prompts_usd, 'USD').text} a million."


def _plot(bars: Sequence[CostBar], height: int) -> dict[str, Any]:
    names = [bar.name for bar in bars]
    rented = [bar.rented_usd for bar in bars]
    end = max(
        [bar.output_usd + bar.prompts_usd for bar in bars] + [usd for usd in rented if not math.isnan(usd)]
    )
    ticks = round_ticks(end * 1.05)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{WIDE_SPACE}USD"
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": title,
            "y": names,
            "x": [getattr(bar, field) for bar in bars],
            "width": 0.55,
            "marker": {
                "color": [token(slot) if bar.feasible else token("bg") for bar in bars],
                "line": {"color": token(slot), "width": 1.5},
            },
            "hovertemplate": f"%{{y}}<br>{title} %{{x:,.3f}}{WIDE_SPACE}USD<extra></extra>",
        }
        for field, title, slot in (("output_usd", "Answer", "c1"), ("prompts_usd", "Prompts", "c5"))
    ]
    data.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "Rented on demand",
            "y": [name for name, usd in zip(names, rented, strict=True) if not math.isnan(usd)],
            "x": [usd for usd in rented if not math.isnan(usd)],
            "marker": {"symbol": "diamond", "size": 10, "color": token("c2")},
            "hovertemplate": f"%{{y}}<br>Rented on demand %{{x:,.3f}}{WIDE_SPACE}USD<extra></extra>",
        }
    )
    return {
        "data": data,
        "layout": layout(
            height,
            barmode="stack",
            margin={"l": 8, "r": 24, "t": 8, "b": 8},
            xaxis=value_axis(ticks, labels, [0, end * 1.05], tickangle=0),
            yaxis=name_axis(names),
        ),
    }
