"""From the question to the first token, place by place: network, queue, prefill, and the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import THIN_SPACE, one_prefix, show

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
        columns=(
            Column.words("Users and site"),
            *(Column(title) for _, title, _ in PARTS),
            Column("Total"),
            Column("Budget"),
        ),
        rows=tuple(
            Row(
                (
                    bar.name,
                    *(show(getattr(bar, field), "s").text for field, _, _ in PARTS),
                    show(bar.total_s, "s").text,
                    show(bar.budget_s, "s").text,
                )
            )
            for bar in bars
        ),
        legend=tuple(Mark(slot, title) for _, title, slot in PARTS),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _plot(bars: Sequence[BudgetBar], height: int) -> dict[str, Any]:
    names = [bar.name for bar in bars]
    longest = max(max(bar.total_s, bar.budget_s) for bar in bars)
    scale, unit = one_prefix([longest], "s")
    amount = f"%{{x:,.3~g}}{THIN_SPACE}{unit}"
    parts = [
        forms.bars(
            names, [getattr(bar, field) / scale for bar in bars], slot, width=0.5, edge="bg", edge_width=1, name=title,
            hover=f"%{{y}}<br>{title} {amount}",
        )
        for field, title, slot in PARTS
    ]  # fmt: skip
    budgets = forms.dots(
        [bar.budget_s / scale for bar in bars], names, None, 22, symbol="line-ns", edge="bad", edge_width=3, name="Budget",
        hover=f"%{{y}}<br>Budget {amount}",
    )  # fmt: skip
    return forms.plot(
        [*parts, budgets],
        height,
        x=forms.from_zero(longest / scale * 1.06, unit, words=forms.plain, tickangle=0),
        y=forms.names(names),
        right=24,
        barmode="stack",
    )
