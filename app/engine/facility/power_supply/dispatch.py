"""A year of a site's electricity hour by hour: who carries the load at the least cost, as array operations.

Sun and wind come first, then own plant and grid by the price of the hour, each up to what it can give. The
battery's charge is a chain of clips without a loop over hours (`savings.matching`).

    clean + sources + grid + discharged + unmet = load + charged + curtailed     in every hour
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.savings.matching import stored_over_a_year
from app.engine.trace import Array

DAY = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A source as the dispatch sees it: what it can give in each hour [W] and what a kWh of it costs at the margin."""

    available_w: Array
    usd_per_kwh: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A battery as the dispatch sees it."""

    use: str
    power_w: float
    energy_wh: float
    round_trip_efficiency: float


NO_STORE = Store(use="backup", power_w=0.0, energy_wh=0.0, round_trip_efficiency=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch:
    """Mean power of each hour [W], and energy in the battery at the end of each [Wh]."""

    load_w: Array
    clean_w: Array
    sources_w: tuple[Array, ...]
    grid_w: Array
    charged_w: Array
    discharged_w: Array
    curtailed_w: Array
    unmet_w: Array
    stored_wh: Array


def dispatch(
    *,
    load_w: Array,
    clean_w: Array,
    sources: tuple[Running, ...],
    grid_limit_w: float,
    grid_usd_per_kwh: Array,
    store: Store = NO_STORE,
) -> Dispatch:
    """Who carries the load in each hour.

    Parameters
    ----------
    load_w, clean_w : of each hour; sun and wind of the site cost nothing at the margin
    grid_limit_w : infinite where there is none, 0 without a connection
    grid_usd_per_kwh : price of each hour
    """
    net_w = load_w - clean_w
    carried_w = sum((source.available_w for source in sources), np.zeros(load_w.size)) + grid_limit_w
    charge_w, discharge_w = _wanted(net_w, carried_w, grid_usd_per_kwh, store)
    one_way = float(np.sqrt(store.round_trip_efficiency))
    stored = stored_over_a_year(
        change_wh=charge_w * one_way - discharge_w / one_way, capacity_wh=store.energy_wh
    )
    gained = np.diff(stored, prepend=stored[-1])
    charged_w, discharged_w = np.maximum(gained, 0) / one_way, np.maximum(-gained, 0) * one_way
    asked_w = net_w + charged_w - discharged_w
    left = np.maximum(asked_w, 0)
    given: list[Array] = [np.zeros(load_w.size) for _ in sources]
    by_cost = sorted(range(len(sources)), key=lambda place: sources[place].usd_per_kwh)
    for place in by_cost:  # those that are cheaper than the grid in the hour
        source = sources[place]
        can_w = np.where(source.usd_per_kwh < grid_usd_per_kwh, source.available_w, 0.0)
        given[place] = np.minimum(left, can_w)
        left = left - given[place]
    grid_w = np.minimum(left, grid_limit_w)
    left = left - grid_w
    for place in by_cost:  # and then what the grid cannot carry
        more_w = np.minimum(left, sources[place].available_w - given[place])
        given[place] = given[place] + more_w
        left = left - more_w
    return Dispatch(
        load_w=load_w,
        clean_w=clean_w,
        sources_w=tuple(given),
        grid_w=grid_w,
        charged_w=charged_w,
        discharged_w=discharged_w,
        curtailed_w=np.maximum(-asked_w, 0),
        unmet_w=left,
        stored_wh=stored,
    )


def _wanted(net_w: Array, carried_w: Array, price: Array, store: Store) -> tuple[Array, Array]:
    """What the battery would take and give in each hour if its energy had no bounds [W].

    backup: it is filled whenever there is room, and gives what nothing else can carry, as it comes. No other
    rule leaves less unmet, and a larger battery never leaves more. clean: it takes what sun and wind have to
    spare, and gives that back as soon as they lack. price: it is filled in the cheapest hours of each day and
    emptied in the dearest, where their prices differ by more than is lost.
    """
    room_w = np.maximum(carried_w - net_w, 0)
    if store.use == "clean":
        take, give = np.maximum(-net_w, 0), np.maximum(net_w, 0)
    elif store.use == "price":
        cheap, dear = _cheap_and_dear(price, store)
        take, give = np.where(cheap, room_w, 0.0), np.where(dear, np.maximum(net_w, 0), 0.0)
    else:
        take, give = room_w, np.maximum(net_w - carried_w, 0)
    return np.minimum(take, store.power_w), np.minimum(give, store.power_w)


def _cheap_and_dear(price: Array, store: Store) -> tuple[Array, Array]:
    """Hours of each day in which it pays to fill the battery, and to empty it."""
    hours = int(np.clip(np.ceil(store.energy_wh / max(store.power_w, 1e-9)), 1, DAY // 2))
    by_day = price.reshape(-1, DAY)
    rank = by_day.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    ordered = np.sort(by_day, axis=1)
    cheap = (rank < hours).ravel()
    bought = ordered[:, :hours].mean(axis=1) / store.round_trip_efficiency
    pays = np.repeat(ordered[:, -hours:].mean(axis=1) > bought, DAY)
    return cheap & pays, (rank >= DAY - hours).ravel() & pays
