"""Power usage effectiveness by month and hour of the day."""

from __future__ import annotations

from typing import Any

from app.charts.facility.month_hours import (
    HOURS,
    MONTHS,
    NARROW,
    OF_A_CELL,
    heat_plot,
    table_columns,
    table_rows,
    when,
)
from app.charts.figure import Figure, at, unknown_figure

EYEBROW = "PUE by month and hour"
FLAT = 0.005  # a spread that no eye could tell


def pue_hours_figure(evaluation: dict[str, Any]) -> Figure:
    """Heat map, months down and hours across."""
    table = at(evaluation, "cooling.pue_by_month_and_hour")
    caption = _caption(evaluation)
    if not _complete(table):
        return unknown_figure("pue_hours", EYEBROW, caption, "The PUE over the year is unknown.")
    spread = max(map(max, table)) - min(map(min, table))
    digits = 3 if spread < 0.05 else 2
    return Figure(
        name="pue_hours",
        eyebrow=EYEBROW,
        takeaway=_takeaway(table),
        caption=caption,
        columns=table_columns(),
        rows=table_rows(table, lambda value: f"{value:.3f}"),
        plot=heat_plot(table, flat=FLAT, tick=lambda value: f"{value:.{digits}f}", hover="PUE"),
        narrow=NARROW,
    )


def _complete(table: Any) -> bool:
    return (
        isinstance(table, list)
        and len(table) == len(MONTHS)
        and all(isinstance(line, list) and len(line) == HOURS and None not in line for line in table)
    )


def _caption(evaluation: dict[str, Any]) -> str:
    site = at(evaluation, "inputs.site.name")
    text = f"{site}, typical year, 8,760 hours." if site else "A typical year, 8,760 hours."
    mean, hottest = at(evaluation, "cooling.pue"), at(evaluation, "cooling.pue_hottest_hour")
    if mean is not None and hottest is not None:
        text += f" Mean {_pue(mean)}, highest hour {_pue(hottest)}."
    return f"{text} {OF_A_CELL}"


def _pue(value: float) -> str:
    return f"{value:.2f}"


def _takeaway(table: list[list[float]]) -> str:
    cells = [(value, month, hour) for month, line in enumerate(table) for hour, value in enumerate(line)]
    highest, month, hour = max(cells)
    lowest = min(cells)[0]
    if highest - lowest < FLAT:
        return f"PUE is {_pue(highest)} at every hour of the year."
    return f"PUE runs from {_pue(lowest)} to {_pue(highest)}, highest on {when(month, hour)}."
