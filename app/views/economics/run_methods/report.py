"""Report of the cost of a run by every method. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.views.table import Column, amount, text_line, text_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMethod:
    """The run by one method. `said` is the arithmetic in words."""

    key: str
    title: str
    kind: str  # rented | owned | bought
    usd: float
    usd_with_research: float | None  # None: a cluster is bought once, whatever is tried on it
    usd_per_accelerator_hour: float | None  # None: nothing is paid by the hour
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrice:
    """A million served tokens at the price of an hour by one method."""

    key: str
    title: str
    usd_per_accelerator_hour: float
    usd_per_million_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCost:
    """Tokens at a rate that was given, or that the engine gives of a scenario that serves."""

    tokens_per_s: float
    computed: bool  # by the engine, not given
    accelerators: int
    joules_per_token: float
    prices: tuple[TokenPrice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumedRatio:
    """An assumption that the amortised method starts from."""

    name: str
    value: float
    unit: str
    source: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMethods:
    """One run of a scenario by every method; of one that serves no run and no methods, but what its tokens cost."""

    name: str
    accelerators: float
    elapsed_time_h: float
    run_accelerator_hours: float
    research_multiplier: float
    methods: tuple[RunMethod, ...]
    over_least: float  # the dearest way to pay for the run over the cheapest, the cluster itself left out
    serving: ServingCost | None
    assumptions: tuple[AssumedRatio, ...]
    notes: tuple[str, ...]


def formatted(value: float | None, unit: str = "USD") -> str:
    return "" if value is None else amount(value, unit)


METHODS = (
    Column("Method", "title", width=-32),
    Column("the run", "usd", formatted, 14),
    Column("an hour", "usd_per_accelerator_hour", formatted, 12),
    Column("", "usd_with_research", formatted, 18),
)
PRICES = (
    Column("", "title", width=-30),
    Column("", "usd_per_million_tokens", formatted, 14),
    Column("", lambda price: " per 1 M tokens", width=-17),
)


def run_methods_text(report: RunMethods) -> str:
    """Methods with their arithmetic, then served tokens."""
    if not report.methods:
        return "\n".join([report.name, *_served(report), "", *report.notes])
    lines = [
        report.name,
        f"{report.run_accelerator_hours:,.0f} accelerator-hours: {report.accelerators:,.0f} for {report.elapsed_time_h:,.0f} h",
        "",
        text_line(["Method", "the run", "an hour", f"research x {report.research_multiplier:g}"], METHODS),
        *text_rows(METHODS, report.methods),
        "",
    ]
    if not math.isnan(report.over_least):
        lines.append(
            f"The most expensive way to pay for the run is {report.over_least:.1f} times the cheapest."
        )
    lines += _served(report)
    return "\n".join([*lines, "", *(f"{one.title}: {one.said}" for one in report.methods), "", *report.notes])


def _served(report: RunMethods) -> list[str]:
    """Tokens at the rate that was given or computed."""
    if report.serving is None:
        return []
    serving = report.serving
    by = "as computed" if serving.computed else "as given"
    rate = f"{serving.tokens_per_s:,.{4 if serving.computed else 6}g}"
    return [
        "",
        f"Served: {rate} tokens/s on {serving.accelerators:,} accelerators, {by}",
        f"  {formatted(serving.joules_per_token, 'J')} per token at the meter",
        *text_rows(PRICES, serving.prices, indent="  "),
    ]
