"""What stands in the way of powering and cooling a design.

Unknown power, liquid share or racks leave these limits unchecked; the missing input is said where
unknown inputs are gathered.
"""

from __future__ import annotations

import math

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plants import AIR
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Fix, Problem
from app.engine.specs import Facility, SuperNode
from app.engine.trace import Array, plain


def facility_problems(
    *,
    supernode: SuperNode,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
) -> list[Problem]:
    """Plant against SuperNode, rack density against air, coolant against cold plates and dew point."""
    found = [
        _plant_for_liquid(supernode=supernode, cooling=cooling),
        _rack_density(supernode=supernode, power=power, cooling=cooling, assumptions=assumptions),
    ]
    if _value(cooling.liquid_heat_design_w) > 0:
        found += [
            _coolant_too_warm(facility=facility, assumptions=assumptions),
            _coolant_too_cold(facility=facility, assumptions=assumptions),
        ]
    return [problem for problem in found if problem is not None]


def _value(array: Array) -> float:
    """The middle of the samples: the value itself where there is one."""
    values = sorted(float(part) for part in plain(array).ravel())
    return values[len(values) // 2]


def _plant_for_liquid(*, supernode: SuperNode, cooling: Cooling) -> Problem | None:
    share = _value(supernode.liquid_share)
    if cooling.plant == AIR and share > 0:
        return Problem(
            kind="infeasible",
            field="facility.cooling",
            constraint="cooling plant",
            message=f"{supernode.name} gives {share:.0%} of its heat to liquid, and an air plant takes none.",
            value=share,
            limit=0.0,
            missed_by=share,
            unit="1",
            fix=Fix(
                field="facility.cooling", value="auto", message="Let the SuperNode choose a liquid plant."
            ),
            affects=("cooling.pue",),
        )
    if cooling.plant != AIR and share == 0:
        return Problem(
            kind="warning",
            field="facility.cooling",
            constraint="cooling plant",
            message=f"{supernode.name} gives no heat to liquid: the liquid plant stands idle.",
            fix=Fix(field="facility.cooling", value="auto", message="Let the SuperNode choose an air plant."),
            affects=("cooling.pue",),
        )
    return None


def _rack_density(
    *, supernode: SuperNode, power: Power, cooling: Cooling, assumptions: FacilityAssumptions
) -> Problem | None:
    heat_w = _value(cooling.air_heat_per_rack_w)
    usual_w, limit_w = _value(assumptions.air_rack_usual_w), _value(assumptions.air_rack_limit_w)
    if not heat_w > usual_w:
        return None
    beyond = heat_w > limit_w
    bound_w = limit_w if beyond else usual_w
    message = f"A rack gives {heat_w / 1e3:,.1f} kW to the hall's air, {(heat_w - bound_w) / 1e3:,.1f} kW "
    message += (
        "beyond what air can take." if beyond else "beyond plain air: plan rear doors or in-row coolers."
    )
    return Problem(
        kind="infeasible" if beyond else "warning",
        field="supernode.override.racks",
        constraint="rack density",
        message=message,
        value=heat_w,
        limit=bound_w,
        missed_by=heat_w - bound_w,
        unit="W",
        fix=_more_racks(racks=_value(supernode.racks), power=power, excess=heat_w / bound_w),
        affects=("cooling.pue",),
    )


def _more_racks(*, racks: float, power: Power, excess: float) -> Fix:
    """Fewer SuperNodes in a rack where several share one, else more racks, in hundredths rounded up."""
    enough = math.ceil(racks * excess * 100) / 100
    if enough <= 1:
        in_a_rack = math.floor(1 / enough)
        rack_w = _value(power.power_per_rack_w) * racks * in_a_rack
        return Fix(
            field="supernode.override.racks",
            value=1 / in_a_rack,
            message=f"Put {in_a_rack} in a rack, {rack_w / 1e3:,.1f} kW.",
        )
    rack_w = _value(power.power_per_rack_w) * racks / enough
    return Fix(
        field="supernode.override.racks",
        value=enough,
        message=f"Spread one SuperNode over {enough:g} racks of {rack_w / 1e3:,.1f} kW.",
    )


def _coolant_too_warm(*, facility: Facility, assumptions: FacilityAssumptions) -> Problem | None:
    supply_c, limit_c = _value(facility.coolant_supply_c), _value(assumptions.coolant_supply_limit_c)
    if not supply_c > limit_c:
        return None
    return Problem(
        kind="infeasible",
        field="facility.coolant_supply_c",
        constraint="coolant temperature",
        message=f"Coolant at {supply_c:g} degC is {supply_c - limit_c:g} K above what cold plates allow.",
        value=supply_c,
        limit=limit_c,
        missed_by=supply_c - limit_c,
        unit="degC",
        fix=Fix(
            field="facility.coolant_supply_c",
            value=limit_c,
            message=f"Supply the coolant at {limit_c:g} degC.",
        ),
        affects=("cooling.pue", "cooling.wue_l_per_kwh"),
    )


def _coolant_too_cold(*, facility: Facility, assumptions: FacilityAssumptions) -> Problem | None:
    supply_c = _value(facility.coolant_supply_c)
    limit_c = _value(assumptions.hall_dew_point_c) + _value(assumptions.condensation_margin_k)
    if not supply_c < limit_c:
        return None
    return Problem(
        kind="warning",
        field="facility.coolant_supply_c",
        constraint="condensation",
        message=f"Coolant at {supply_c:g} degC is {limit_c - supply_c:g} K too close to the hall's dew point.",
        value=supply_c,
        limit=limit_c,
        missed_by=limit_c - supply_c,
        unit="degC",
        fix=Fix(
            field="facility.coolant_supply_c",
            value=limit_c,
            message=f"Supply the coolant at {limit_c:g} degC.",
        ),
        affects=("cooling.pue",),
    )
