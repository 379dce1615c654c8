"""Clean energy against the load hour by hour: used at once, stored, thrown away; the grid gives the rest.

Volumes that only match over a year are not what runs a machine at night, so each hour stands for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.facility.savings.battery import stored_over_a_year
from app.engine.quantities import quantity
from app.engine.trace import Array

_CFE = "[1] Google, 24/7 Carbon-Free Energy: Methodologies and Metrics (2021), CFE score of matched hours"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """Arrays over the hours of a year. Load and generation both close:

    load = direct + discharged + grid; solar + wind = direct + charged + curtailed.
    What is charged and not discharged is lost in the battery; the year ends as full as it began.
    """

    load_w: Array
    solar_w: Array
    wind_w: Array
    direct_w: Array
    charged_w: Array
    discharged_w: Array
    curtailed_w: Array
    grid_w: Array
    stored_wh: Array


def match_hours(
    *,
    load_w: Array,
    solar_w: Array,
    wind_w: Array,
    battery_wh: float,
    battery_power_w: float,
    round_trip_efficiency: float,
) -> Matching:
    """The clean energy of a year against its load.

    Parameters
    ----------
    load_w, solar_w, wind_w : mean power of each hour [W]
    battery_wh, battery_power_w : usable energy [Wh], and what it takes or gives at most, at its terminals [W]
    round_trip_efficiency : energy given over energy taken; half of the loss (its root) at either end
    """
    one_way = np.sqrt(round_trip_efficiency)
    generated_w = solar_w + wind_w
    direct_w = np.minimum(generated_w, load_w)
    surplus_w = np.minimum(generated_w - direct_w, battery_power_w)
    missing_w = np.minimum(load_w - direct_w, battery_power_w)
    stored = stored_over_a_year(change_wh=surplus_w * one_way - missing_w / one_way, capacity_wh=battery_wh)
    gained_wh = np.diff(stored, prepend=stored[-1])
    charged_w = np.maximum(gained_wh, 0) / one_way
    discharged_w = np.maximum(-gained_wh, 0) * one_way
    return Matching(
        load_w=load_w,
        solar_w=solar_w,
        wind_w=wind_w,
        direct_w=direct_w,
        charged_w=charged_w,
        discharged_w=discharged_w,
        curtailed_w=generated_w - direct_w - charged_w,
        grid_w=load_w - direct_w - discharged_w,
        stored_wh=stored,
    )


@quantity(unit="1", source=_CFE)
def matched_share(*, load_w: Array, grid_w: Array) -> Array:
    """Share of the load that clean energy covers in the same hour, over the year."""
    return 1 - _year(grid_w) / _year(load_w)


@quantity(unit="1", source="definition")
def generated_share(*, load_w: Array, solar_w: Array, wind_w: Array) -> Array:
    """Clean energy generated in a year over the load: what an annual claim would count."""
    return _year(solar_w + wind_w) / _year(load_w)


@quantity(unit="1", source="definition")
def curtailed_share(*, curtailed_w: Array, solar_w: Array, wind_w: Array) -> Array:
    """Share of the clean energy that finds no use: the load is covered and the battery full."""
    return _year(curtailed_w) / _year(solar_w + wind_w)


def matched_by_month_and_hour(matching: Matching) -> Array:
    """Matched share of the load, by month and hour of the day: shape (12, 24)."""
    month = np.repeat(np.arange(12), DAYS_IN_MONTH * 24)
    cell = month * 24 + np.arange(month.size) % 24
    load, grid = (np.bincount(cell, hourly, 288) for hourly in (matching.load_w, matching.grid_w))
    share: Array = (1 - grid / load).reshape(12, 24)
    return share


def _year(hourly: Array) -> Array:
    """Sum over the hours; the axis stays, of length one."""
    total: Array = hourly.sum(axis=-1, keepdims=True)
    return total
