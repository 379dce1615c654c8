"""A run by every method as lines of text."""

from __future__ import annotations

import math

from app.views.economics.run_methods.report import RunMethods
from app.views.table import Column, amount, text_line, text_rows


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
    Column("", lambda price: " a million tokens", width=-17),
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
        lines.append(f"The dearest way to pay for the run is {report.over_least:.1f} times the cheapest.")
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
        f"  {formatted(serving.joules_per_token, 'J')} a token at the meter",
        *text_rows(PRICES, serving.prices, indent="  "),
    ]
