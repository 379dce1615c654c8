"""Clean energy against the load, hour by hour: a week as it runs, and the year by month and hour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from app.charts import forms
from app.charts.facility.month_hours import HOURS, NARROW, heat_plot, table_columns, table_rows, when
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, number, one_prefix

HEIGHT = 260
DAYS = 7
PARTS = (("direct_w", "Clean, used as generated", "c3"), ("discharged_w", "From the battery", "c2"),
         ("grid_w", "From the grid", "c7"))  # fmt: skip


class WeekHours(NamedTuple):
    """A week in W, hour by hour."""

    title: str
    load_w: Sequence[float]
    direct_w: Sequence[float]
    discharged_w: Sequence[float]
    grid_w: Sequence[float]
    generated_w: Sequence[float]


def week_figure(week: WeekHours, name: str) -> Figure:
    """What carries the load in each hour, stacked, and all that is generated."""
    eyebrow = f"{week.title}, hour by hour"
    caption = (
        "Areas add up to the load. The line is all clean energy that is generated: what stands above the load fills "
        "the battery or finds no use."
    )
    if np.isnan(np.sum(week.load_w)) or np.isnan(np.sum(week.generated_w)):
        return unknown_figure(name, eyebrow, caption, "The match of clean energy and load is unknown.")
    highest = max(*week.load_w, *week.generated_w)
    scale, unit = one_prefix([highest], "W")
    matched = 1 - sum(week.grid_w) / sum(week.load_w)
    return Figure(
        name=name,
        eyebrow=f"{eyebrow}, {unit}",
        takeaway=f"Clean energy carries {100 * matched:.0f}{THIN_SPACE}% of this week.",
        caption=caption,
        columns=(
            Column.words("Day"),
            *(Column(label, unit) for _, label, _ in PARTS),
            Column("Generated", unit),
        ),
        rows=tuple(_day(week, day, scale) for day in range(DAYS)),
        legend=(*(Mark(slot, label) for _, label, slot in PARTS), Mark("text", "Generated")),
        plot=_week_plot(week, scale, unit, highest),
    )


def _day(week: WeekHours, day: int, scale: float) -> Row:
    hours = slice(24 * day, 24 * (day + 1))
    means = (
        float(np.mean(values[hours])) / scale
        for values in (week.direct_w, week.discharged_w, week.grid_w, week.generated_w)
    )
    return Row((f"Day {day + 1}, mean", *(number(mean) for mean in means)))


def _week_plot(week: WeekHours, scale: float, unit: str, highest: float) -> dict[str, Any]:
    hours = range(24 * DAYS)

    def line(label: str, watts: Sequence[float], slot: str, width: float, **area: Any) -> dict[str, Any]:
        heights = [round(value / scale, 6) for value in watts]
        hover = f"{label}<br>%{{y:.4~g}} {unit}"
        return forms.line(hours, heights, slot, width, shape="hvh", name=label, hover=hover, **area)

    areas = [
        line(label, getattr(week, part), slot, 0, stackgroup="load", fillcolor=forms.token(slot))
        for part, label, slot in PARTS
    ]
    middles = [24.0 * day + 12 for day in range(DAYS)]
    names = [f"Day {day + 1}" for day in range(DAYS)]
    return forms.plot(
        [*areas, line("Generated", week.generated_w, "text", 1.5)],
        HEIGHT,
        x=forms.along(middles, names, [0, 24 * DAYS - 1]),
        y=forms.from_zero(highest / scale * 1.05, unit, wanted=4),
        right=16,
    )


def matched_map_figure(table: Sequence[Sequence[float]]) -> Figure:
    """Matched share of the load by month and hour of the day."""
    name, eyebrow = "matched", "Load carried by clean energy, by month and hour"
    caption = "Share of the load that solar, wind and battery cover in the same hour. Local standard time."
    cells = [[100 * value for value in line] for line in table]
    if np.isnan(cells).any():
        return unknown_figure(name, eyebrow, caption, "The match of clean energy and load is unknown.")
    flat = np.array(cells)
    worst = when(*divmod(int(flat.argmin()), HOURS))
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"Between {flat.min():.0f} and {flat.max():.0f}{THIN_SPACE}% of the load is matched, least on "
        f"{worst}.",
        caption=caption,
        columns=table_columns("%"),
        rows=table_rows(cells, lambda value: f"{value:.0f}"),
        plot=heat_plot(cells, flat=0.5, tick=lambda value: f"{value:.0f}", hover="Matched", unit="%"),
        narrow=NARROW,
    )
