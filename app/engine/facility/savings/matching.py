"""Clean energy against the load hour by hour: used at once, stored, thrown away; the grid gives the rest.

Volumes that only match over a year are not what runs a machine at night, so each hour stands for itself.

A battery beside the load, hour by hour, without a loop over hours.

Each hour maps the charge s to clip(s + change, 0, capacity). Such maps compose to a map of the same
form, clip(s + total, least, most), and composing is associative, so all running compositions come of
a prefix scan: in 14 doublings for a year. What the recursion of a battery means stays exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClampChain:
    """After each hour the charge is clip(start + total, least, most), for any start."""

    total: Array
    least: Array
    most: Array


def clamp_chain(*, change: Array, capacity: float) -> ClampChain:
    """The running compositions of clip(s + change, 0, capacity) over the hours."""
    total: Array = change.astype(float)
    least: Array = np.zeros(change.shape)
    most: Array = np.full(change.shape, capacity)
    reach = 1
    while reach < change.size:  # doublings, not hours
        own_least, own_most, shift = least[reach:], most[reach:], total[reach:]
        earlier = slice(None, -reach)
        least = np.append(least[:reach], np.clip(least[earlier] + shift, own_least, own_most))
        most = np.append(most[:reach], np.clip(most[earlier] + shift, own_least, own_most))
        total = np.append(total[:reach], total[earlier] + shift)
        reach *= 2
    return ClampChain(total=total, least=least, most=most)


def stored_over_a_year(*, change_wh: Array, capacity_wh: float) -> Array:
    """Energy in the battery at the end of each hour, of a year that ends as full as it began.

    Parameters
    ----------
    change_wh : what the hour would add or take if the battery had no bounds [Wh]
    capacity_wh : usable energy [Wh]

    The start is the fixed point of the whole year's map: where more comes than goes it is the fullest
    that the year leaves, else the emptiest.
    """
    chain = clamp_chain(change=change_wh, capacity=capacity_wh)
    start = chain.most[-1] if chain.total[-1] > 0 else chain.least[-1]
    stored: Array = np.clip(start + chain.total, chain.least, chain.most)
    return stored
