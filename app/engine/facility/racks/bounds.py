"""How far racks may go: usual practice, and what is not built beyond it.

Bounds are arrays over racks or samples. Infinity does not bind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plants import IMMERSED, WITHOUT_COOLANT
from app.engine.quantities import quantity
from app.engine.trace import Array

DIRECT_CURRENT = "dc_800"
UNBOUNDED = np.full(1, np.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Up to `usual` nothing is out of the ordinary; beyond `limit` it is not built."""

    usual: Array
    limit: Array


@quantity(unit="L/min", source="continuity: velocity times bore")
def manifold_flow_l_per_min(*, bore_m: Array, velocity_m_per_s: Array) -> Array:
    """Flow of coolant through the hose that feeds a rack's manifold, at the highest velocity"""
    return velocity_m_per_s * np.pi / 4 * bore_m**2 * 1e3 * 60


def cooling_bounds(
    *, plant: str, liquid_heat_share: Array, assumptions: FacilityAssumptions
) -> dict[str, Bound]:
    """Density against the class of cooling, heat to air against what takes it, coolant against its hose.

    What air takes follows from `air_handling`, by which the assumptions are chosen.

    Parameters
    ----------
    liquid_heat_share : of the rack's heat, as it is cooled
    """
    a = assumptions
    flow = {
        name: manifold_flow_l_per_min(bore_m=bore_m, velocity_m_per_s=a.coolant_velocity_limit_m_per_s)
        for name, bore_m in (("usual", a.rack_hose_bore_usual_m), ("limit", a.rack_hose_bore_limit_m))
    }
    return {
        "density": _of_class(plant=plant, liquid_heat_share=liquid_heat_share, assumptions=a),
        "air_heat": Bound(usual=a.air_rack_usual_w, limit=a.air_rack_limit_w),
        "coolant_flow": Bound(**flow),
    }


def _of_class(*, plant: str, liquid_heat_share: Array, assumptions: FacilityAssumptions) -> Bound:
    a = assumptions
    if plant in WITHOUT_COOLANT:  # all the heat goes to air, which has a check of its own
        return Bound(usual=UNBOUNDED, limit=UNBOUNDED)
    if plant in IMMERSED:
        return Bound(usual=a.immersion_rack_usual_w, limit=a.immersion_rack_limit_w)
    mixed = (liquid_heat_share > 0) & (liquid_heat_share < a.all_liquid_share)
    all_liquid = liquid_heat_share >= a.all_liquid_share
    return Bound(
        usual=np.where(mixed, a.direct_liquid_rack_usual_w, np.where(all_liquid, a.all_liquid_rack_usual_w, np.inf)),
        limit=np.where(mixed, a.direct_liquid_rack_limit_w, np.where(all_liquid, a.all_liquid_rack_limit_w, np.inf)),
    )  # fmt: skip


def electrical_bounds(
    *, distribution: str, feeder_w: Array, assumptions: FacilityAssumptions
) -> dict[str, Bound]:
    """Feeds of one side against those that a row gives a rack; alternating against direct current."""
    a = assumptions
    alternating = UNBOUNDED if distribution == DIRECT_CURRENT else a.alternating_current_rack_usual_w
    return {
        "feeds": Bound(usual=a.rack_feeds_usual * feeder_w, limit=a.rack_feeds_limit * feeder_w),
        "current_kind": Bound(usual=alternating, limit=UNBOUNDED),
    }


def building_bounds(assumptions: FacilityAssumptions) -> dict[str, Bound]:
    """What slab and raised floor carry."""
    a = assumptions
    return {
        "floor_load": Bound(usual=a.floor_load_limit_n_per_m2, limit=a.floor_load_limit_n_per_m2),
        "panel_load": Bound(usual=a.floor_panel_load_limit_n, limit=a.floor_panel_load_limit_n),
    }


def planned_bounds(limits: Mapping[str, Array], binds: Mapping[str, Array]) -> dict[str, Bound]:
    """What the scenario plans for a rack, where it binds: a rack that comes whole is built for what is in it.

    Parameters
    ----------
    limits : by check: height, power, liquid_heat, weight and perhaps others
    binds : by check, whether it binds each rack
    """
    bounds = {name: np.where(binds[name], limit, np.inf) for name, limit in limits.items()}
    return {name: Bound(usual=bound, limit=bound) for name, bound in bounds.items()}


def tighter(first: Bound, second: Bound) -> Bound:
    """The lower of two bounds for one check."""
    return Bound(usual=np.fmin(first.usual, second.usual), limit=np.fmin(first.limit, second.limit))
