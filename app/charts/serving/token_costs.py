"""Cost of a million output tokens by system and format: the answer itself, and reading its prompts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import WIDE_SPACE, show

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
        "The answer and the reading of its prompts, at the levelised cost of a utilised accelerator-hour. Diamond: "
        "accelerators rented on demand. Hollow: does not meet the SLO in the current layout."
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
        **table(
            bars,
            (Column.words("System"), lambda bar: bar.name),
            (Column("Output", "USD"), lambda bar: _usd(bar.output_usd)),
            (Column("Prompts", "USD"), lambda bar: _usd(bar.prompts_usd)),
            (Column("Total", "USD"), lambda bar: _usd(bar.output_usd + bar.prompts_usd)),
            (Column("On demand", "USD"), lambda bar: _usd(bar.rented_usd)),
        ),
        legend=(Mark("c1", "Output"), Mark("c5", "Prompts"), Mark("c2", "Rented on demand, total")),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _usd(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.3f}"


def _takeaway(bars: Sequence[CostBar]) -> str:
    able = [bar for bar in bars if bar.feasible and bar.compared]
    if not able:
        return "No system with a known cost meets the SLO."
    best = min(able, key=lambda bar: bar.output_usd + bar.prompts_usd)
    return f"{best.name} is the cheapest that meets the SLO: {show(best.output_usd + best.prompts_usd, 'USD').text} per 1 M tokens."


def _plot(bars: Sequence[CostBar], height: int) -> dict[str, Any]:
    names = [bar.name for bar in bars]
    rented = [(bar.rented_usd, bar.name) for bar in bars if not math.isnan(bar.rented_usd)]
    end = max([bar.output_usd + bar.prompts_usd for bar in bars] + [usd for usd, _ in rented])
    amount = f"%{{x:,.3f}}{WIDE_SPACE}USD"
    data = [
        forms.bars(
            names, [getattr(bar, field) for bar in bars], [slot if bar.feasible else "bg" for bar in bars], width=0.55,
            edge=slot, edge_width=1.5, name=title, hover=f"%{{y}}<br>{title} {amount}",
        )
        for field, title, slot in (("output_usd", "Output", "c1"), ("prompts_usd", "Prompts", "c5"))
    ]  # fmt: skip
    title = "Rented on demand"
    places = [usd for usd, _ in rented], [name for _, name in rented]
    data.append(
        forms.dots(*places, "c2", 10, symbol="diamond", name=title, hover=f"%{{y}}<br>{title} {amount}")
    )
    return forms.plot(
        data,
        height,
        x=forms.from_zero(end * 1.05, "USD", words=forms.plain, tickangle=0),
        y=forms.names(names),
        right=24,
        barmode="stack",
    )
