"""Dates and power of a build-out: when each phase is ready, powered, loaded and retired."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.build_out.specs import BuildOut
from app.engine.quantities import quantity
from app.engine.trace import Array

_DEFINITION = "definition"
_ROUNDING = 1e-9
LONGEST_MONTHS = 1_200


@quantity(unit="months", source=_DEFINITION, at="economics.build_out.ready_month")
def ready_month(*, start_month: Array, construction_months: Array) -> Array:
    """Month in which the building of a phase is ready."""
    return start_month + construction_months


@quantity(unit="W", source=_DEFINITION, at="economics.build_out.needed_w")
def needed_w(*, share: Array, utility_peak_w: Array, ready_month: Array, months: Array) -> Array:
    """Power needed at the meter by the phases whose building is ready."""
    found: Array = np.sum(share * utility_peak_w * (ready_month < months), axis=0)
    return found


@quantity(unit="W", source=_DEFINITION, at="economics.build_out.grid_available_w")
def grid_available_w(*, grid_w: Array, grid_month: Array, months: Array) -> Array:
    """Power that the grid connections of all phases give together."""
    found: Array = np.sum(grid_w * (grid_month < months), axis=0)
    return found


@quantity(unit="W", source=_DEFINITION, at="economics.build_out.bridge_used_w")
def bridge_used_w(*, bridge_fleet_w: Array, needed_w: Array, grid_available_w: Array) -> Array:
    """Bridge power kept on the site.

    What the grid leaves open, at most the bridge power that has arrived. Phases share it, so a later connection
    never brings full power earlier.
    """
    return np.minimum(bridge_fleet_w, np.maximum(needed_w - grid_available_w, 0.0))


@quantity(unit="1", source=_DEFINITION, at="economics.build_out.powered_share")
def powered_share(*, available_w: Array, needed_w: Array) -> Array:
    """Share of the machines of ready phases that have power."""
    return np.minimum(available_w / np.where(needed_w > 0, needed_w, 1.0), 1.0) * (needed_w > 0)


@quantity(unit="1", source=_DEFINITION, at="economics.build_out.load_ramp")
def load_ramp(*, delivery_month: Array, ramp_months: Array, months: Array) -> Array:
    """Mean share of the full load in each month: a straight line from nothing over the months of the ramp."""
    return _ramped(months - delivery_month, ramp_months) - _ramped(months - 1 - delivery_month, ramp_months)


def _ramped(since: Array, over: Array) -> Array:
    """Months of full load until then: the integral of a line that ends at one."""
    before = np.maximum(since, 0.0)
    rising = before**2 / (2 * np.where(over > 0, over, 1.0))
    return np.where(before < over, rising, before - over / 2)


@quantity(unit="1", source=_DEFINITION, at="economics.build_out.present_share")
def present_share(*, from_month: Array, end_month: Array, months: Array) -> Array:
    """Share of each month between two dates."""
    found: Array = np.clip(np.minimum(months, end_month) - np.maximum(months - 1, from_month), 0.0, 1.0)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Dates [months from the first order], and shares by month. What never comes is infinite."""

    months: Array
    start_month: Array
    ready_month: Array
    bridge_month: Array
    delivery_month: Array  # of the equipment: the building is ready and has power
    full_month: Array  # its load is full
    end_month: Array
    full_power_month: float  # from which on every phase has all the power it needs
    full_load_month: float
    needed_w: Array
    grid_available_w: Array
    bridge_used_w: Array
    available_w: Array
    bridge_weight: Array  # share of each phase in the bridge power
    grid_share: Array  # of the energy
    occupied: Array  # the building of the phase is in use or waits for power
    alive: Array  # its equipment is there
    powered: Array
    load: Array  # over that of the finished pod in use


def timeline(build_out: BuildOut, utility_peak_w: Array, life_years: Array) -> Timeline:
    """Dates and power of every phase; equipment is delivered when its building is ready and any power is there."""
    ready = ready_month(start_month=build_out.start_month, construction_months=build_out.construction_months)
    has_bridge = build_out.bridge_w > 0
    bridge = np.where(
        has_bridge, np.maximum(ready, build_out.start_month + build_out.bridge_lead_months), np.inf
    )
    known = np.where(has_bridge, np.maximum(bridge, build_out.grid_month), build_out.grid_month)
    last = float(np.max(np.maximum(known, ready)))
    months = np.arange(min(np.ceil(last + 12 * float(np.max(life_years))) + 2, LONGEST_MONTHS))

    needed = needed_w(share=build_out.share, utility_peak_w=utility_peak_w, ready_month=ready, months=months)
    grid = grid_available_w(grid_w=build_out.grid_w, grid_month=build_out.grid_month, months=months)
    fleet = build_out.bridge_w * (bridge < months)
    bridged = bridge_used_w(bridge_fleet_w=np.sum(fleet, axis=0), needed_w=needed, grid_available_w=grid)
    available = grid + bridged
    powered = powered_share(available_w=available, needed_w=needed)
    is_on = (ready < months) & (powered > 0)
    first = np.argmax(is_on, axis=-1)[:, None] - 1.0
    delivery = np.where(np.any(is_on, axis=-1, keepdims=True), first, np.inf)
    end = delivery + 12 * life_years
    load = np.minimum(
        load_ramp(delivery_month=delivery, ramp_months=build_out.ramp_months, months=months)
        if np.all(np.isfinite(delivery))
        else np.zeros((delivery.size, months.size)),
        powered,
    )
    alive = present_share(from_month=delivery, end_month=end, months=months)
    served = np.minimum(needed, available)
    has_all = (available >= np.sum(build_out.share * utility_peak_w) * (1 - _ROUNDING)) & (
        months > np.max(ready)
    )
    lacking = np.flatnonzero(~has_all)
    full = float(lacking[-1]) if has_all[-1] else np.inf
    total = np.sum(fleet, axis=0)
    stop = int(min(np.ceil(np.max(end)), months[-1])) + 1 if np.all(np.isfinite(end)) else months.size
    cut = slice(0, stop)
    return Timeline(
        months=months[cut],
        start_month=build_out.start_month,
        ready_month=ready,
        bridge_month=bridge,
        delivery_month=delivery,
        full_month=delivery + build_out.ramp_months,
        end_month=end,
        full_power_month=full,
        full_load_month=max(full, float(np.max(delivery + build_out.ramp_months))),
        needed_w=needed[cut],
        grid_available_w=grid[cut],
        bridge_used_w=bridged[cut],
        available_w=available[cut],
        bridge_weight=(fleet / np.where(total > 0, total, 1.0))[:, cut],
        grid_share=(np.minimum(grid, served) / np.where(served > 0, served, 1.0))[cut],
        occupied=present_share(from_month=ready, end_month=end, months=months)[:, cut],
        alive=alive[:, cut],
        powered=(powered * alive)[:, cut],
        load=(load * alive)[:, cut],
    )
