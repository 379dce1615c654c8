"""What the densest rack asks of its hall's cooling beyond what is usual, or beyond what is built.

These checks belong to every evaluation. What needs a floor plan is checked with one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.limits import own_racks
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plants import IMMERSED
from app.engine.facility.racks.bounds import Bound, cooling_bounds
from app.engine.facility.racks.checks import ALMOST, UNITS
from app.engine.facility.racks.loads import rack_coolant_flow_l_per_min, rack_liquid_heat_w
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Fix, Problem
from app.engine.specs import Facility, SuperNode
from app.engine.trace import Array, plain

CONSTRAINTS = {"air_heat": "rack density", "density": "cooling class", "coolant_flow": "coolant flow"}
"""By check, the name of the limit in problems and searches."""

AFFECTS = {
    "air_heat": ("cooling.pue",),
    "density": ("cooling.pue",),
    "coolant_flow": ("cooling.coolant_flow_l_per_min",),
}

REAR_DOORS = "rear_door"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the densest rack asks of the cooling by check, (1,) or (s, 1), and how far that may go."""

    values: dict[str, Array]
    bounds: dict[str, Bound]


def asked_of_cooling(*, power: Power, cooling: Cooling, assumptions: FacilityAssumptions) -> Asked:
    """Values and bounds of the checks that need no floor plan."""
    power_w, air_w = plain(power.power_per_rack_w), plain(cooling.air_heat_per_rack_w)
    liquid_w = rack_liquid_heat_w(power_per_rack_w=power_w, air_heat_per_rack_w=air_w)
    pod_w, flow_l_per_min = plain(cooling.liquid_heat_design_w), cooling.coolant_flow_l_per_min
    pod_flow = np.zeros(1) if flow_l_per_min is None else plain(flow_l_per_min)
    flow_m3_per_j = np.where(pod_w == 0, 0.0, pod_flow / 1e3 / 60 / np.where(pod_w == 0, 1.0, pod_w))
    flow = rack_coolant_flow_l_per_min(liquid_heat_w=liquid_w, coolant_flow_m3_per_j=flow_m3_per_j)
    return Asked(
        values={"air_heat": air_w, "density": power_w, "coolant_flow": flow},
        bounds=cooling_bounds(
            plant=cooling.plant,
            liquid_heat_share=liquid_w / np.where(power_w == 0, 1.0, power_w),
            assumptions=assumptions,
        ),
    )


def racks_over(asked: Asked) -> dict[str, Array]:
    """By constraint, whether each sample is beyond its limit; what is unknown is not."""
    return {
        constraint: plain(asked.values[key]) > plain(asked.bounds[key].limit)
        for key, constraint in CONSTRAINTS.items()
    }


def rack_problems(
    *,
    supernode: SuperNode,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
) -> list[Problem]:
    """Heat to air against what takes it, density against the class of cooling, coolant against its hose.

    Unknown power, liquid share or racks leave these limits unchecked.
    """
    asked = asked_of_cooling(power=power, cooling=cooling, assumptions=assumptions)
    problems = (
        _problem(key, asked=asked, supernode=supernode, facility=facility, power=power, plant=cooling.plant)
        for key in CONSTRAINTS
    )
    return [problem for problem in problems if problem is not None]


def _problem(
    key: str, *, asked: Asked, supernode: SuperNode, facility: Facility, power: Power, plant: str
) -> Problem | None:
    bounds = asked.bounds[key]
    value, usual, limit = _value(asked.values[key]), _value(bounds.usual), _value(bounds.limit)
    if not value > usual:
        return None
    over = value > limit
    bound = limit if over else usual
    at_racks = Fix(
        field="facility.air_handling",
        value=REAR_DOORS,
        message="Take the heat at the racks: rear doors, or coolers in the row.",
    )
    fix = _less_in_a_rack(supernode, power=power, excess=value / bound)
    usual_elsewhere = fix is None or (not over and facility.air_handling == "perimeter")
    if key == "air_heat" and facility.air_handling != REAR_DOORS and usual_elsewhere:
        fix = at_racks
    return Problem(
        kind="infeasible" if over else "warning",
        field=fix.field if fix else "facility.cooling",
        constraint=CONSTRAINTS[key],
        message=_message(key, value=value, bound=bound, over=over, facility=facility, plant=plant),
        value=value,
        limit=bound,
        missed_by=value - bound,
        unit=UNITS[key],
        fix=fix,
        affects=AFFECTS[key],
    )


AIR_HANDLERS = {
    "perimeter": "air handlers at the perimeter", "in_row": "coolers in the row", REAR_DOORS: "rear doors",
}  # fmt: skip


def _message(key: str, *, value: float, bound: float, over: bool, facility: Facility, plant: str) -> str:
    """One sentence: what a rack asks, and by how much that is beyond what."""
    if key == "coolant_flow":
        beyond = "the widest hose carries" if over else "a 2 inch hose usually carries"
        return f"A rack asks {value:,.0f} L/min of coolant, {value - bound:,.0f} L/min beyond what {beyond}."
    more = f"{(value - bound) / 1e3:,.1f} kW beyond"
    if key == "air_heat":
        taken_by = AIR_HANDLERS[facility.air_handling]
        words = f"what {taken_by} {'can' if over else 'usually'} take"
        return f"A rack gives {value / 1e3:,.1f} kW to air, {more} {words}."
    taken = "tanks take" if plant in IMMERSED else "its class of cooling takes"
    return f"A rack draws {value / 1e3:,.1f} kW, {more} what {taken} {'at most' if over else 'as usual'}."


def _less_in_a_rack(supernode: SuperNode, *, power: Power, excess: float) -> Fix | None:
    """Fewer servers to a rack, or more racks for a SuperNode that comes in racks; None for one server too many."""
    rack_w, own = _value(power.power_per_rack_w), _value(own_racks(racks=plain(supernode.racks)))
    if own:
        enough = math.ceil(own * excess - ALMOST)
        return Fix(
            field="supernode.override.racks",
            value=enough,
            message=f"Spread one SuperNode over {enough:,} racks of {rack_w * own / enough / 1e3:,.1f} kW.",
        )
    servers = _value(power.servers_per_rack)
    fewer = math.floor(servers / excess + ALMOST)
    if fewer < 1:
        return None
    return Fix(
        field="pod.floor.nodes_per_rack",
        value=fewer,
        message=f"Put {fewer} in a rack, {rack_w / servers * fewer / 1e3:,.1f} kW.",
    )


def _value(array: Array) -> float:
    """The middle of the samples: the value itself where there is one."""
    values = sorted(float(part) for part in plain(array).ravel())
    return values[len(values) // 2]
