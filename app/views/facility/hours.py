"""Report of the hours of a design: its year hour by hour, PUE and related metrics, and partial load."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

import numpy as np
from pydantic import Field

from app.charts.format import number, show
from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.facility.hours.hours import Hours, hours_of
from app.engine.facility.hours.metrics import Metric, metrics
from app.engine.facility.hours.part_load import (
    LOAD_SHARES,
    FirstYear,
    PartLoad,
    first_year,
    part_load,
    ramp,
)
from app.engine.facility.hours.tables import (
    Duration,
    Moment,
    MonthsAndHours,
    duration,
    hottest_hour,
    months_and_hours,
)
from app.engine.leaves import plain_values
from app.engine.quantities import label_at, quantity_at
from app.engine.trace import Array
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part, Whole
from app.views.file_format import FileFormat, csv_file
from app.views.table import Column, text_line

USUAL_RAMP_MONTHS = 12


class HoursOptions(Part):
    """Ramp-up of the hall."""

    ramp_months: Annotated[Whole, Field(ge=0, le=36)] = Field(
        default=USUAL_RAMP_MONTHS,
        description="Months in which the load grows evenly to its full mean; 0 where it is there at once.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursAnswer:
    """The hours of a design, and what is told from them. Unknown is NaN."""

    name: str
    site: str
    plant: str
    hours: Hours
    metrics: tuple[Metric, ...]
    hottest_hour: Moment | None
    months_and_hours: MonthsAndHours
    duration: Duration
    part_load: PartLoad
    first_year: FirstYear


def hours_answer(scenario: EvaluatedScenario, options: HoursOptions | None = None) -> HoursAnswer:
    """The year of a scenario, hour by hour."""
    ramp_months = (options or HoursOptions()).ramp_months
    design, sections = scenario.resolved.design, scenario.evaluation.sections
    of_design = {
        "power": sections.power,
        "cooling": sections.cooling,
        "facility": design.facility,
        "assumptions": design.assumptions.rooms["facility"],
    }
    with np.errstate(invalid="ignore"):  # unknown inputs are NaN
        hours = alone = hours_of(**of_design)
        if design.facility.heat_reuse is not None:  # which no plant counts on in its hottest hour
            left_alone = dataclasses.replace(design.facility, heat_reuse=None)
            alone = hours_of(**of_design | {"facility": left_alone})
        filling = part_load(load_share=ramp(ramp_months), **of_design)
        return HoursAnswer(
            name=scenario.document.name,
            site=design.facility.site.name,
            plant=sections.cooling.plant,
            hours=hours,
            metrics=metrics(hours=alone, **of_design),
            hottest_hour=hottest_hour(alone),
            months_and_hours=months_and_hours(hours),
            duration=duration(hours),
            part_load=part_load(load_share=LOAD_SHARES, **of_design),
            first_year=first_year(months=filling, ramp_months=ramp_months),
        )


MOMENT = ("month", "day", "hour")
CSV_COLUMNS = {
    "dry_bulb_c": 2,
    "wet_bulb_c": 2,
    "pue": 5,
    "utility_w": 0,
    "cooling_w": 0,
    "fans_w": 0,
    "pumps_w": 0,
    "chillers_w": 0,
    "heat_rejection_w": 0,
    "water_l_per_h": 1,
    "free_cooling_share": 4,
}
"""Columns with the decimals that are worth printing; an unknown value is an empty cell."""
ROWS = 1_000


def hours_csv(hours: Hours) -> Iterator[bytes]:
    """Every hour from 1 January in local standard time, some at a time; `hour` is the one that begins then."""
    yield ",".join((*MOMENT, *CSV_COLUMNS)).encode() + b"\r\n"
    parts = {f"{name}_w": part_w for name, part_w in hours.parts_w.items()}
    columns = [
        _cells(parts[name] if name in parts else getattr(hours, name), decimals)
        for name, decimals in CSV_COLUMNS.items()
    ]
    rows = zip(*_moments(), *columns, strict=True)
    while some := tuple(islice(rows, ROWS)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\r\n").writerows(some)
        yield text.getvalue().encode()


def _moments() -> tuple[list[int], list[int], list[int]]:
    month = np.repeat(np.arange(1, 13), DAYS_IN_MONTH)
    day = np.concatenate([np.arange(1, days + 1) for days in DAYS_IN_MONTH])
    return np.repeat(month, 24).tolist(), np.repeat(day, 24).tolist(), list(range(24)) * 365


def _cells(values: Array, decimals: int) -> list[str]:
    return ["" if math.isnan(value) else f"{value:.{decimals}f}" for value in values.tolist()]


HOURS_CSV: FileFormat[HoursAnswer] = csv_file(lambda answer: hours_csv(answer.hours), ".csv")


Numbers = list[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricLine:
    """One measure: of the year, of its hottest hour, and the band in which operators publish it."""

    name: str
    label: str
    unit: str
    annual: float | None
    hottest_hour: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthTables:
    """Twelve rows of 24 means: months, and hours of the day in local standard time."""

    pue: list[Numbers]
    water_l_per_h: list[Numbers]
    free_cooling_share: list[Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationCurves:
    """Duration curves over the hours of a year."""

    hours: Numbers
    pue: Numbers
    utility_w: Numbers
    dry_bulb_c: Numbers
    wet_bulb_c: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLoadCurve:
    """PUE by share of the full mean load: 1 and its three parts."""

    load_share: Numbers
    pue: Numbers
    fixed: Numbers
    proportional: Numbers
    quadratic: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstYearCurve:
    """The first twelve months; `pue` is by energy."""

    ramp_months: int
    load_share_by_month: Numbers
    pue_by_month: Numbers
    pue: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursReport:
    """The year of a design."""

    name: str
    site: str
    plant: str
    metrics: list[MetricLine]
    hottest_hour: Moment | None
    months_and_hours: MonthTables
    duration: DurationCurves
    part_load: PartLoadCurve
    first_year: FirstYearCurve


def hours_report(answer: HoursAnswer) -> HoursReport:
    """The answer without its 8,760 hours, which are a file of their own."""
    return HoursReport(
        name=answer.name,
        site=answer.site,
        plant=answer.plant,
        metrics=[
            MetricLine(
                name=one.name,
                label=label_at(one.path),
                unit=unit_of(one.path),
                annual=_known(one.annual),
                hottest_hour=_known(one.hottest_hour),
                low=_known(one.low),
                high=_known(one.high),
            )
            for one in answer.metrics
        ],
        hottest_hour=answer.hottest_hour,
        months_and_hours=MonthTables(**plain_values(answer.months_and_hours)),
        duration=DurationCurves(**plain_values(answer.duration)),
        part_load=PartLoadCurve(**plain_values(answer.part_load)),
        first_year=FirstYearCurve(**plain_values(answer.first_year) | {"pue": _known(answer.first_year.pue)}),
    )


def unit_of(path: str) -> str:
    """The unit of a figure of the evaluation."""
    record = quantity_at(path)
    return record.unit if record else "1"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


HOURS_SHOWN = (1, 88, 840, 4320, 8760)
COLUMNS = (Column("", str, width=-72), *(Column("", str, width=16) for _ in range(4)))


def hours_text(answer: HoursAnswer) -> str:
    """Measures of the year and of its hottest hour, duration curves in five rows, and PUE at part load."""
    lines = [
        f"{answer.name} at {answer.site}, {answer.plant.replace('_', ' ')}",
        "",
        _row("", "annual", "hottest hour", "operators"),
    ]
    lines += [_metric(one) for one in answer.metrics]
    if answer.hottest_hour is not None:
        hot = answer.hottest_hour
        lines.append(
            f"Hottest hour: month {hot.month}, day {hot.day}, {hot.hour:02d}:00; "
            f"dry bulb {hot.dry_bulb_c:.1f} °C, wet bulb {hot.wet_bulb_c:.1f} °C, "
            f"{show(hot.utility_w, 'W').text} at the meter."
        )
    lines += ["", _row("Reached or passed in", "PUE", "utility", "dry bulb", "wet bulb")]
    lines += [_duration(answer, hours) for hours in HOURS_SHOWN]
    lines += ["", _row("Share of full load", "PUE", "fixed", "proportional", "quadratic")]
    curve = answer.part_load
    lines += [
        _row(f"{curve.load_share[at]:.0%}", *(_three(line[at]) for line in
             (curve.pue, curve.fixed, curve.proportional, curve.quadratic)))
        for at in range(0, curve.load_share.size, 3)
    ]  # fmt: skip
    year = answer.first_year
    grows = (
        f"growing evenly over {year.ramp_months} months" if year.ramp_months else "full from the first day"
    )
    lines.append(f"PUE of a first year {grows}: {_three(year.pue)}.")
    return "\n".join(lines)


def _metric(one: Metric) -> str:
    unit = "" if unit_of(one.path) == "1" else f" [{unit_of(one.path)}]"
    band = "" if math.isnan(one.low) else f"{_value(one.low)} to {_value(one.high)}"
    return _row(f"{label_at(one.path)}{unit}", _value(one.annual), _value(one.hottest_hour), band)


def _duration(answer: HoursAnswer, hours: int) -> str:
    curve = answer.duration
    at = int(curve.hours.searchsorted(hours))
    return _row(
        f"{curve.hours[at]:,.0f} h",
        _three(curve.pue[at]),
        show(float(curve.utility_w[at]), "W").text,
        f"{curve.dry_bulb_c[at]:.1f} °C",
        f"{curve.wet_bulb_c[at]:.1f} °C",
    )


def _value(value: float) -> str:
    return "not published" if math.isnan(value) else number(value)


def _three(value: float) -> str:
    return "not published" if math.isnan(value) else f"{value:.3f}"


def _row(*cells: str) -> str:
    return text_line(cells, COLUMNS)
