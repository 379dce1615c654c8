"""A run by every method as lines of text."""

from __future__ import annotations

import math

from app.charts.format import show
from app.views.economics.run_methods.report import RunMethod, RunMethods


def run_methods_text(report: RunMethods) -> str:
    """Methods with their arithmetic, then served tokens."""
    if not report.methods:
        return "\n".join([report.name, *_served(report), "", *report.notes])
    lines = [
        report.name,
        f"{report.run_accelerator_hours:,.0f} accelerator-hours: {report.accelerators:,.0f} for {report.elapsed_time_h:,.0f} h",
        "",
        f"{'Method':<32}{'the run':>14}{'an hour':>12}{f'research x {report.research_multiplier:g}':>18}",
        *(_line(one) for one in report.methods),
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
        f"  {_usd(serving.joules_per_token, 'J')} a token at the meter",
        *(
            f"  {one.title:<30}{_usd(one.usd_per_million_tokens):>14} a million tokens"
            for one in serving.prices
        ),
    ]


def _line(one: RunMethod) -> str:
    hour = "" if one.usd_per_accelerator_hour is None else _usd(one.usd_per_accelerator_hour)
    research = "" if one.usd_with_research is None else _usd(one.usd_with_research)
    return f"{one.title:<32}{_usd(one.usd):>14}{hour:>12}{research:>18}"


def _usd(value: float, unit: str = "USD") -> str:
    return "unknown" if math.isnan(value) else show(float(f"{value:.4g}"), unit).text
