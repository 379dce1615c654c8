"""An hourly year told in short: by month and hour of the day, and as a duration curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.facility.cooling.year import HOURS_OF_A_YEAR
from app.engine.facility.hours.hours import Hours
from app.engine.trace import Array

HOURS_OF_A_DAY = 24
RANKS = np.unique(np.append([1, 2, 5, 10, 20, 44, 88, 175, 350], np.arange(120, HOURS_OF_A_YEAR + 1, 120)))
"""Ranks that a duration curve is drawn through: close together where few hours are extreme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthsAndHours:
    """Means by month (12 rows) and hour of the day in local standard time (24 columns)."""

    pue: Array
    water_l_per_h: Array
    free_cooling_share: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """Duration curves over the hours of a year."""

    hours: Array
    pue: Array
    utility_w: Array
    dry_bulb_c: Array
    wet_bulb_c: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One hour of the year, from 1 January in local standard time."""

    hour_of_year: int
    month: int  # from 1
    day: int  # from 1
    hour: int  # the one that begins then, from 0
    dry_bulb_c: float
    wet_bulb_c: float
    pue: float
    utility_w: float


def months_and_hours(hours: Hours) -> MonthsAndHours:
    """The measures that heat maps show."""
    return MonthsAndHours(
        pue=by_month_and_hour(hours.pue),
        water_l_per_h=by_month_and_hour(hours.water_l_per_h),
        free_cooling_share=by_month_and_hour(hours.free_cooling_share),
    )


def by_month_and_hour(hourly: Array) -> Array:
    """Means of an hourly year by month and hour of the day."""
    days = hourly.reshape(-1, HOURS_OF_A_DAY)
    first_days = np.append(0, np.cumsum(DAYS_IN_MONTH)[:-1])
    means: Array = np.add.reduceat(days, first_days, axis=0) / DAYS_IN_MONTH[:, None]
    return means


def duration(hours: Hours) -> Duration:
    """Duration curves of the year."""
    return Duration(
        hours=RANKS.astype(float),
        pue=reached_in(hours.pue, RANKS),
        utility_w=reached_in(hours.utility_w, RANKS),
        dry_bulb_c=reached_in(hours.dry_bulb_c, RANKS),
        wet_bulb_c=reached_in(hours.wet_bulb_c, RANKS),
    )


def reached_in(hourly: Array, ranks: Array) -> Array:
    """The value that an hourly year reaches or passes in so many hours."""
    reached: Array = np.sort(hourly)[::-1][np.asarray(ranks, dtype=int) - 1]
    return reached


def hottest_hour(hours: Hours) -> Moment | None:
    """The first hour in which the PUE is highest; None where it is unknown."""
    if np.isnan(hours.pue).any():
        return None
    index = int(np.argmax(hours.pue))
    day_of_year, hour = divmod(index, HOURS_OF_A_DAY)
    past = np.cumsum(DAYS_IN_MONTH)
    month = int(np.searchsorted(past, day_of_year, side="right"))
    return Moment(
        hour_of_year=index,
        month=month + 1,
        day=int(day_of_year - past[month] + DAYS_IN_MONTH[month]) + 1,
        hour=hour,
        dry_bulb_c=float(hours.dry_bulb_c[index]),
        wet_bulb_c=float(hours.wet_bulb_c[index]),
        pue=float(hours.pue[index]),
        utility_w=float(hours.utility_w[index]),
    )
