"""What happens when any one block of the chain is lost, for all kinds of block at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.electrical.kinds import IN_A_RACK, Chain
from app.engine.facility.electrical.redundancy import load_one_lost
from app.engine.facility.electrical.sizing import Sizing
from app.engine.quantities import quantity
from app.engine.trace import Array

BEHIND_GENERATORS = ("utility_feed", "mv_transformer")
OF_COOLING = ("cooling_transformer", "pump_ups")
FED_BY_UPS = ("utility_feed", "mv_transformer", "generator", "lv_transformer")
FED_BY_RACK_BATTERIES = (*FED_BY_UPS, "ups", "switchboard", "busway", "rack_feed")


@dataclass(frozen=True, slots=True, kw_only=True)
class LostBlock:
    """Arrays over the kinds of block, of losing one of each in turn.

    `carried_by` says who takes the load: the rest, a catcher, generators, no one, or unknown.
    """

    kinds: tuple[str, ...]
    load_before: Array  # of a unit, over its capacity
    load_moved_w: Array
    load_after: Array  # of the busiest that takes over; infinite: nothing is left
    it_served_w: Array  # racks go down with their cooling
    overloaded: tuple[bool, ...]
    ride_through_s: Array  # NaN: nothing rides through, cooling goes without
    carried_by: tuple[str, ...]


@quantity(unit="1", source="definition: the capacity of the units that are left, over the load they share")
def share_served(*, normal_load: Array, units_sharing: Array, taking_over: Array, has_catcher: bool) -> Array:
    """Share of a stage's load that is served after one unit is lost, the rest held to their capacity.

    Only units that share a bus or a set are touched; a catcher carries what one unit can.
    """
    if has_catcher:
        touched, left = 1 / units_sharing, 1 / normal_load
    else:
        touched = taking_over / units_sharing
        left = (taking_over - 1) / (taking_over * normal_load)
    return 1 - touched * np.maximum(1 - left, 0)


@quantity(unit="W", source="definition: every block carries what it can, and the narrowest decides")
def allowed_it_power_w(*, it_power_w: Array, limits_w: Array, loads_w: Array) -> Array:
    """IT power that limits along the chain allow, caps holding it there.

    Parameters
    ----------
    limits_w : what each stage may carry [W], along the last axis
    loads_w : what it carries at this IT power [W]
    """
    allowed_w: Array = it_power_w * np.minimum(np.min(limits_w / loads_w, axis=-1), 1)
    return allowed_w


def lose_each(
    *,
    chain: Chain,
    sizing: Sizing,
    carried_w: Array,
    it_w: Array,
    battery_time_s: Array,
    hold_up_s: Array,
) -> LostBlock:
    """Every kind of block in turn, one unit of it lost.

    Parameters
    ----------
    carried_w : load of each kind of block when it happens [W]
    it_w : IT power at that load [W]
    battery_time_s : that batteries carry the load [s]
    """
    kinds = sizing.kinds
    catches = sizing.idle > 0
    before = carried_w / (sizing.sharing * sizing.capacity_w)
    given = {"normal_load": before, "taking_over": sizing.taking_over}
    after = np.where(
        catches,
        load_one_lost(**given, has_catcher=True),
        load_one_lost(**given, has_catcher=False),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        served = np.where(
            catches,
            share_served(**given, units_sharing=sizing.sharing, has_catcher=True),
            share_served(**given, units_sharing=sizing.sharing, has_catcher=False),
        )
    rescued = np.isin(kinds, BEHIND_GENERATORS) & (served < 1)
    generator = kinds.index("generator")
    running_w = sizing.sharing[generator] * sizing.capacity_w[generator]
    from_generators = np.minimum(running_w / carried_w, 1)
    served = np.where(rescued, np.maximum(from_generators, served), served)
    after = np.where(rescued, carried_w / running_w, after)
    touched_w = np.where(np.isin(kinds, IN_A_RACK), carried_w, it_w)
    fed = FED_BY_RACK_BATTERIES if chain.ups == "rack_batteries" else FED_BY_UPS
    rides_s = np.where(np.isin(kinds, fed), battery_time_s, hold_up_s)
    return LostBlock(
        kinds=kinds,
        load_before=before,
        load_moved_w=before * sizing.capacity_w,
        load_after=after,
        it_served_w=it_w - touched_w * (1 - served),
        overloaded=tuple(bool(load > 1 + 1e-9) for load in after),
        ride_through_s=np.where(np.isin(kinds, OF_COOLING), np.nan, rides_s),
        carried_by=tuple(_who(*what) for what in zip(rescued, catches, sizing.taking_over, strict=True)),
    )


def _who(rescued: bool, catches: bool, taking_over: float) -> str:
    if rescued:
        return "generators"
    if catches:
        return "catcher"
    if np.isnan(taking_over):
        return "unknown"
    return "rest" if taking_over > 1 else "nobody"
