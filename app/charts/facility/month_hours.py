"""Heat maps of a year: months down, hours of the day across."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import THIN_SPACE, number
from app.engine.facility.hours.tables import MonthsAndHours
from app.engine.trace import Array

HEIGHT = 320
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTHS_IN_FULL = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
                  "October", "November", "December")  # fmt: skip
PARTS_OF_THE_DAY = ("nights", "mornings", "afternoons", "evenings")  # six hours each
HOURS = 24
SCALE_STEPS = 5
NARROW = {"xaxis.tickvals": [0, 8, 16, 23], "xaxis.ticktext": ["00", "08", "16", "23"]}
OF_A_CELL = "Each cell is the mean of one hour of the day, local standard time."
FLAT_SHARE = 0.005  # of the highest value: a spread that no eye could tell


class Measure(NamedTuple):
    """Contents of a map: `cell` writes a value as its table has it, `words` as it is in a sentence, `tick` on
    the scale."""

    name: str
    eyebrow: str
    caption: str
    unknown: str
    cell: Callable[[float], str]
    words: Callable[[float], str]
    tick: Callable[[float], str]
    unit: str = ""
    more_is_better: bool = False


def month_hour_figures(tables: MonthsAndHours, site: str) -> tuple[Figure, ...]:
    """PUE, free cooling and, where any is taken, water."""
    unit, per_unit = ("m³/h", 1e3) if np.nanmax(tables.water_l_per_h, initial=0) >= 1e4 else ("L/h", 1.0)
    free = Measure(
        name="free_cooling_year",
        eyebrow="Free cooling by month and hour",
        caption=f"Share of the pod's heat that goes outdoors without a chiller. {OF_A_CELL}",
        unknown="The share of heat rejected without a chiller is unknown.",
        cell=lambda value: f"{value:.1f}",
        words=lambda value: f"{value:.0f}{THIN_SPACE}%",
        tick=lambda value: f"{value:.0f}",
        unit="%",
        more_is_better=True,
    )
    water = Measure(
        name="water_year",
        eyebrow="Water by month and hour",
        caption=f"Make-up water of towers and wetted pads. {OF_A_CELL}",
        unknown="The water it takes is unknown.",
        cell=number,
        words=lambda value: f"{number(value)}{THIN_SPACE}{unit}",
        tick=number,
        unit=unit,
    )
    taken = tables.water_l_per_h / per_unit
    return (
        _figure(_pue("pue_year", f"{site}. {OF_A_CELL}", tables.pue), tables.pue),
        _figure(free, 100 * tables.free_cooling_share),
        *([_figure(water, taken)] if np.any(taken != 0) else []),
    )


def _figure(measure: Measure, table: Array) -> Figure:
    if np.isnan(table).any():
        return unknown_figure(measure.name, measure.eyebrow, measure.caption, measure.unknown)
    cells, subject = table.tolist(), measure.eyebrow.split(" by ")[0]
    flat = FLAT_SHARE * float(np.abs(table).max())
    return Figure(
        name=measure.name,
        eyebrow=measure.eyebrow,
        takeaway=_takeaway(measure, table),
        caption=measure.caption,
        columns=table_columns(measure.unit),
        rows=table_rows(cells, measure.cell),
        plot=heat_plot(cells, flat=flat, tick=measure.tick, hover=subject, unit=measure.unit),
        narrow=NARROW,
    )


def _takeaway(measure: Measure, table: Array) -> str:
    subject = measure.eyebrow.split(" by ")[0]
    lowest, highest = float(table.min()), float(table.max())
    if highest - lowest <= FLAT_SHARE * abs(highest):
        return f"{subject} is {measure.words(highest)} at every hour of the year."
    worst, word = (table.argmin(), "lowest") if measure.more_is_better else (table.argmax(), "highest")
    at = when(*divmod(int(worst), HOURS))
    return f"{subject} runs from {measure.words(lowest)} to {measure.words(highest)}, {word} on {at}."


def when(month: int, hour: int) -> str:
    """A cell in words: July afternoons."""
    return f"{MONTHS_IN_FULL[month]} {PARTS_OF_THE_DAY[hour // 6]}"


def table_columns(unit: str = "") -> tuple[Column, ...]:
    """A column of months and one for each hour of the day."""
    hours = tuple(Column(f"{hour:02d}", unit) for hour in range(HOURS))
    return (Column.words("Month"), *hours)


def table_rows(table: list[list[float]], cell: Callable[[float], str]) -> tuple[Row, ...]:
    """A row a month."""
    return tuple(
        Row((month, *(cell(value) for value in line))) for month, line in zip(MONTHS, table, strict=True)
    )


def heat_plot(
    table: list[list[float]], *, flat: float, tick: Callable[[float], str], hover: str, unit: str = ""
) -> dict[str, Any]:
    """The map; a spread below `flat` is drawn in one colour, so that noise does not look like weather."""
    lowest, highest = min(map(min, table)), max(map(max, table))
    if highest - lowest <= flat:
        lowest, highest = lowest - (flat or 1), highest + (flat or 1)
    ticks = np.linspace(lowest, highest, SCALE_STEPS).tolist()
    labels = [tick(value) for value in ticks]
    if unit:
        labels[-1] += f" {unit}"
    heat = forms.heat_map(
        range(HOURS), MONTHS, [[round(value, 5) for value in line] for line in table], [lowest, highest],
        scale=(ticks, labels), hover=f"%{{y}}, %{{x}}:00<br>{hover} %{{z:.4~g}}{' ' + unit if unit else ''}",
    )  # fmt: skip
    hours = [*range(0, HOURS, 6), HOURS - 1]
    return forms.plot(
        [heat],
        HEIGHT,
        x=forms.cells(
            [-0.5, HOURS - 0.5], "Hour of day", tickvals=hours, ticktext=[f"{hour:02d}" for hour in hours]
        ),
        y=forms.names(MONTHS, showline=False, tickfont=forms.font("text-3")),
        top=12,
    )


def pue_hours_figure(evaluation: dict[str, Any]) -> Figure:
    """PUE of a design, months down and hours across."""
    table = get_path(evaluation, "cooling.pue_by_month_and_hour")
    known = isinstance(table, list) and [len(line) for line in table if line and None not in line] == [
        HOURS
    ] * len(MONTHS)
    cells = np.array(table if known else [[np.nan]], dtype=float)
    return _figure(_pue("pue_hours", _caption(evaluation), cells), cells)


def _pue(name: str, caption: str, table: Array) -> Measure:
    digits = 3 if np.ptp(table) < 0.05 else 2
    return Measure(
        name=name, eyebrow="PUE by month and hour", caption=caption,
        unknown="The PUE over the year is unknown.", cell=lambda value: f"{value:.3f}",
        words=lambda value: f"{value:.2f}", tick=lambda value: f"{value:.{digits}f}",
    )  # fmt: skip


def _caption(evaluation: dict[str, Any]) -> str:
    site = get_path(evaluation, "inputs.site.name")
    text = f"{site}, typical year, 8,760 hours." if site else "A typical year, 8,760 hours."
    mean, hottest = get_path(evaluation, "cooling.pue"), get_path(evaluation, "cooling.pue_hottest_hour")
    if mean is not None and hottest is not None:
        text += f" Mean {mean:.2f}, highest hour {hottest:.2f}."
    return f"{text} {OF_A_CELL}"
