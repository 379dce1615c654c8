"""An hours answer where it is not drawn: plain values, unknown as None."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.engine.facility.hours.tables import Moment
from app.engine.leaves import plain_values
from app.engine.quantities import label_at, quantity_at
from app.views.facility.hours import HoursAnswer

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
