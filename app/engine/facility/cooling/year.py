"""The hours a plant is computed for: a full year, a binned one, or the few that can be the hottest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.specs import Climate
from app.engine.trace import Array, plain

HOURS_OF_A_YEAR = 24 * 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """Weather along the last axis, and how many hours of the year each entry stands for.

    `mean_dry_bulb_c` is of the whole climate year, of shape (1,), whichever of its hours are here.
    """

    dry_bulb_c: Array
    wet_bulb_c: Array
    pressure_pa: Array
    hours: Array
    mean_dry_bulb_c: Array


def _mean_dry_bulb_c(climate: Climate) -> Array:
    mean: Array = plain(climate.dry_bulb_c).mean(axis=-1, keepdims=True)
    return mean


def full_year(climate: Climate) -> Year:
    """Every hour of the climate year."""
    return Year(
        dry_bulb_c=climate.dry_bulb_c,
        wet_bulb_c=climate.wet_bulb_c,
        pressure_pa=climate.pressure_pa,
        hours=np.ones(plain(climate.dry_bulb_c).shape[-1]),
        mean_dry_bulb_c=_mean_dry_bulb_c(climate),
    )


BINS_K = {"dry": (0.1, np.inf), "chiller": (0.1, np.inf), "none": (0.1, np.inf), "hall": (np.inf, np.inf),
          "source": (np.inf, np.inf), "tower": (2.0, 0.25)}  # fmt: skip
"""Widths of bins of dry and wet bulb by what a side of a plant reads of the weather, words of `plants.Plant`.

Dry coolers read the dry bulb alone, to the tenth that it is printed with. Of a tower's figures only its
evaporation reads the dry bulb, and nearly in a straight line, so wide bins do. Wet pads read both; water of a
sea or a lake has one temperature here.
"""


def year_for(side: str, climate: Climate) -> Year:
    """The year of one side of a plant in as few entries as it can tell apart; see `BINS_K`."""
    if side not in BINS_K:
        return binned_year(climate)
    dry, wet, pressure = (
        plain(values) for values in (climate.dry_bulb_c, climate.wet_bulb_c, climate.pressure_pa)
    )
    cells = [
        np.floor(values / width_k + 0.5)  # tenths in the middle of their bins
        for values, width_k in zip((dry, wet), BINS_K[side], strict=True)
    ]
    _, cell, hours = np.unique(cells[0] * 1e4 + cells[1], return_inverse=True, return_counts=True)
    means = [np.bincount(cell, values) / hours for values in (dry, wet, pressure)]
    return Year(
        dry_bulb_c=means[0],
        wet_bulb_c=means[1],
        pressure_pa=means[2],
        hours=hours.astype(float),
        mean_dry_bulb_c=_mean_dry_bulb_c(climate),
    )


def binned_year(climate: Climate) -> Year:
    """The year by bins of dry and wet bulb: annual means within 5e-5 of the full year's."""
    return Year(
        dry_bulb_c=climate.binned_dry_bulb_c,
        wet_bulb_c=climate.binned_wet_bulb_c,
        pressure_pa=climate.binned_pressure_pa,
        hours=plain(climate.binned_hours),
        mean_dry_bulb_c=_mean_dry_bulb_c(climate),
    )


def hottest_hours(climate: Climate) -> Year:
    """The hours that no other hour beats in dry and wet bulb at once.

    Every plant draws more, never less, when dry or wet bulb rises, so its worst hour is among them,
    whatever its set points; a few dozen in place of 8,760.
    """
    dry, wet = plain(climate.dry_bulb_c), plain(climate.wet_bulb_c)
    order = np.lexsort((wet, dry))[::-1]
    wettest_so_far = np.maximum.accumulate(wet[order])
    unbeaten = np.append(True, wet[order][1:] > wettest_so_far[:-1])
    chosen = order[unbeaten]
    mean_pressure = np.full(chosen.shape, plain(climate.pressure_pa).mean())
    return Year(
        dry_bulb_c=dry[chosen],
        wet_bulb_c=wet[chosen],
        pressure_pa=mean_pressure,
        hours=np.ones(chosen.shape),
        mean_dry_bulb_c=_mean_dry_bulb_c(climate),
    )


def year_mean(hourly: Array, hours: Array) -> Array:
    """Mean over the last axis, weighted by hours; the axis stays, of length one."""
    mean: Array = np.matmul(hourly, hours)[..., None] / hours.sum()
    return mean


def hours_with(full: Array, hours: Array) -> Array:
    """Hours of a year of 8,760 in which `full` is one, by their weights; the axis stays, of length one."""
    counted: Array = np.matmul(full, hours)[..., None] / (hours.sum() / HOURS_OF_A_YEAR)
    return counted
