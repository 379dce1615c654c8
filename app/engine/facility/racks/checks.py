"""Racks against their bounds: how full each is, what one more server would do, and the first limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.engine.facility.racks.bounds import Bound
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array

ALMOST = 1e-9  # of a limit: what is met exactly is met, whatever the rounding

Status = Literal["fits", "unusual", "over", "unknown"]

UNITS = {
    "density": "W", "air_heat": "W", "coolant_flow": "L/min", "feeds": "W", "current_kind": "W", "power": "W",
    "liquid_heat": "W", "weight": "kg", "floor_load": "N/m2", "panel_load": "N", "height": "U",
}  # fmt: skip
"""By check, the unit of its value and its bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of one rack. Unknown is NaN; a bound that is infinite does not bind."""

    key: str  # of UNITS
    value: float
    usual: float
    limit: float
    unit: str
    utilisation: float  # of the limit; of what is usual where there is no limit
    more: float  # servers that still fit below the limit; NaN where the rack takes none
    status: Status


@quantity(unit="1", source="definition")
def rack_utilisation(*, value: Array, bound: Array) -> Array:
    """Utilisation of a rack limit."""
    return value / bound


@quantity(unit="1", source="definition")
def servers_until_limit(*, value: Array, bound: Array, value_of_one: Array) -> Array:
    """Servers that still fit into a rack below a limit; none where it is passed"""
    adds = value_of_one > ALMOST * bound  # what adds next to nothing never gets there
    more = np.where(adds, np.floor((bound - value) / np.where(adds, value_of_one, 1.0) + ALMOST), np.inf)
    return np.where(np.isnan(value), np.nan, np.maximum(more, 0.0))


def rack_checks(
    *, values: Mapping[str, Array], of_one: Mapping[str, Array] | None, bounds: Mapping[str, Bound]
) -> list[Check]:
    """The checks of one rack that bind it, the fullest first and the unknown last.

    Parameters
    ----------
    values : by check, what the rack asks
    of_one : the same of one more server; None where a rack takes no more
    bounds : by check
    """
    checks = [
        _check(key, values[key], None if of_one is None else of_one[key], bound)
        for key, bound in bounds.items()
        if np.isfinite(bound.usual).any() and not np.all(values[key] == 0)
    ]
    return sorted(checks, key=lambda check: -_or(check.utilisation, -1.0))


def first_limit(checks: Sequence[Check]) -> Check | None:
    """What stops the rack from taking more: the check that leaves least room.

    Servers are counted where the rack takes them, fewest first; else the fullest check is the one. What is
    unknown is no limit, and what is only unusual comes after what has a limit.
    """
    known = [check for check in checks if check.status != "unknown" and np.isfinite(check.limit)]
    return min(
        known or [check for check in checks if check.status != "unknown"],
        key=lambda check: (_or(check.more, 0.0), -check.utilisation),
        default=None,
    )


def _check(key: str, value: Array, of_one: Array | None, bound: Bound) -> Check:
    asked, usual, limit = (float(part.ravel()[0]) for part in (value, bound.usual, bound.limit))
    nearest = np.where(np.isfinite(bound.limit), bound.limit, bound.usual)
    more = np.full(1, np.nan)
    if of_one is not None:
        more = servers_until_limit(value=value, bound=bound.limit, value_of_one=of_one)
    return Check(
        key=key,
        value=asked,
        usual=usual,
        limit=limit,
        unit=UNITS[key],
        utilisation=float(rack_utilisation(value=value, bound=nearest).ravel()[0]),
        more=float(more.ravel()[0]),
        status=_status(asked, usual, limit),
    )


def _status(value: float, usual: float, limit: float) -> Status:
    if np.isnan(value):
        return "unknown"
    if value > limit * (1 + ALMOST):
        return "over"
    return "unusual" if value > usual * (1 + ALMOST) else "fits"


def _or(value: float, other: float) -> float:
    return other if np.isnan(value) else value


FEWER = "put fewer servers into a rack (pod.floor.nodes_per_rack)"
WAYS_OUT = {
    "density": "Spread it over more racks (supernode.override.racks), or take all of its heat with liquid",
    "coolant_flow": "Raise the assumption “Coolant temperature rise”, or lead a second hose to the rack",
    "current_kind": "Feed it with 800 V direct current (facility.distribution: dc_800)",
    "power": "Plan more power per rack (“Rack power” under Floor plan)",
    "liquid_heat": "Plan more heat to liquid for a rack (pod.floor.rack_liquid_heat_w)",
    "weight": "Use racks that carry more (pod.floor.rack_weight_kg), or put less into one",
    "floor_load": "Strengthen the floor (assumption facility.floor_load_limit_n_per_m2), or widen the aisles (pod.floor.hot_aisle_m)",
    "panel_load": "Stand the racks on the slab, or on stronger panels (assumption “Floor panel load limit”)",
    "height": "Use higher racks (pod.floor.rack_units)",
}
AIR = {
    "perimeter": "Take the heat at the racks (facility.air_handling: in_row or rear_door)",
    "in_row": "Take it at the racks' rear doors (facility.air_handling: rear_door)",
    "rear_door": "Take more of it with liquid, or " + FEWER,
}
FEEDS = {
    "ac_415": "Feed it at 480 V or with 800 V direct current (facility.distribution: ac_480 or dc_800)",
    "ac_480": "Feed it with 800 V direct current (facility.distribution: dc_800)",
    "dc_800": "Use feeds of more current (assumptions electrical.feeder_current_nec_a and feeder_current_iec_a)",
}


def way_out(key: str, facility: Facility) -> str:
    """One sentence for a check, naming the field that changes."""
    words = {"air_heat": AIR[facility.air_handling], "feeds": FEEDS[facility.distribution]} | WAYS_OUT
    return f"{words[key]}."
