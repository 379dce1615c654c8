"""A climate year month by month."""

from __future__ import annotations

import calendar
from typing import NamedTuple

import numpy as np

from app.catalog.values import ClimateYear
from app.charts.format import number

HOURS_PER_DAY = 24
COMMON_YEAR = 2023  # any that is no leap year


class Month(NamedTuple):
    """Temperatures in degrees Celsius, humidity in percent; the bar in percent of the year's span."""

    name: str
    dry_bulb_lowest: str
    dry_bulb_mean: str
    dry_bulb_highest: str
    wet_bulb_mean: str
    wet_bulb_highest: str
    humidity_mean: str
    bar_start: float
    bar_width: float
    bar_mean: float


def months(year: ClimateYear) -> tuple[Month, ...]:
    """The twelve months of an hourly year that starts on 1 January."""
    coldest, hottest = float(year.dry_bulb_c.min()), float(year.dry_bulb_c.max())
    span = max(hottest - coldest, 1e-9)
    found, start = [], 0
    for month in range(1, 13):
        end = start + HOURS_PER_DAY * calendar.monthrange(COMMON_YEAR, month)[1]
        dry, wet = year.dry_bulb_c[start:end], year.wet_bulb_c[start:end]
        low, mean, high = float(dry.min()), float(dry.mean()), float(dry.max())
        found.append(
            Month(
                name=calendar.month_abbr[month],
                dry_bulb_lowest=_tenths(low),
                dry_bulb_mean=_tenths(mean),
                dry_bulb_highest=_tenths(high),
                wet_bulb_mean=_tenths(float(wet.mean())),
                wet_bulb_highest=_tenths(float(wet.max())),
                humidity_mean=number(round(float(np.mean(year.rh_pct[start:end])))),
                bar_start=round(100 * (low - coldest) / span, 2),
                bar_width=round(100 * (high - low) / span, 2),
                bar_mean=round(100 * (mean - coldest) / span, 2),
            )
        )
        start = end
    return tuple(found)


def _tenths(value: float) -> str:
    """One decimal, with a true minus; hourly temperatures are known to a tenth."""
    text = f"{value:.1f}"
    return "0.0" if text in ("0.0", "-0.0") else text.replace("-", "\u2212")
