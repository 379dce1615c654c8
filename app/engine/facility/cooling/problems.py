"""Limits of a cooling plant: the SuperNode, its coolant and the air of the hall.

Unknown liquid share or coolant temperature leaves these limits unchecked.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plants import (
    IMMERSED,
    LIQUID_TO_AIR,
    WITHOUT_COOLANT,
    WITHOUT_LIQUID_PLANT,
    cannot_use,
)
from app.engine.facility.results import Cooling
from app.engine.problems import Fix, Problem
from app.engine.specs import Facility, SuperNode
from app.engine.trace import Array, plain

PUE = ("cooling.pue",)
LET_IT_CHOOSE = "Let the SuperNode choose a plant that takes its heat."


def cooling_problems(
    *, supernode: SuperNode, facility: Facility, cooling: Cooling, assumptions: FacilityAssumptions
) -> list[Problem]:
    """Plant against SuperNode, coolant against cold plates, dew point and hall, heat reuse against plant."""
    found = [_plant_for_supernode(supernode=supernode, cooling=cooling)]
    if _value(cooling.liquid_heat_design_w) > 0:
        found += [
            _coolant_too_warm(facility=facility, assumptions=assumptions),
            _coolant_too_cold(facility=facility, assumptions=assumptions),
            _colder_than_the_hall(facility=facility, cooling=cooling, assumptions=assumptions),
        ]
    found.append(_nothing_to_reuse(facility=facility, cooling=cooling))
    return [problem for problem in found if problem is not None]


def _value(array: Array) -> float:
    """The middle of the samples: the value itself where there is one."""
    values = sorted(float(part) for part in plain(array).ravel())
    return values[len(values) // 2]


def _plant_for_supernode(*, supernode: SuperNode, cooling: Cooling) -> Problem | None:
    share, name = _value(supernode.liquid_share), supernode.name
    unusable = bool(cannot_use(plant=cooling.plant, liquid_share=np.array(share)))
    if unusable and cooling.plant in WITHOUT_COOLANT:
        return _wrong_plant(
            f"{name} gives {share:.0%} of its heat to liquid, and an air plant takes none.",
            "Let the SuperNode choose a liquid plant.",
            value=share,
        )
    if unusable:
        return _wrong_plant(
            f"{name} is built for air: its servers are not made to stand in a tank of oil.",
            "Let the SuperNode choose an air plant.",
            value=1.0,
        )
    if cooling.plant in IMMERSED:
        return Problem(
            kind="warning",
            field="facility.cooling",
            constraint="cooling plant",
            message=f"{name} comes with cold plates: ask its maker whether it may stand in a tank of oil.",
            fix=Fix(field="facility.cooling", value="auto", message=LET_IT_CHOOSE),
            affects=PUE,
        )
    if cooling.plant not in WITHOUT_COOLANT and share == 0:
        return Problem(
            kind="warning",
            field="facility.cooling",
            constraint="cooling plant",
            message=f"{name} gives no heat to liquid: the liquid plant stands idle.",
            fix=Fix(field="facility.cooling", value="auto", message="Let the SuperNode choose an air plant."),
            affects=PUE,
        )
    return None


def _wrong_plant(message: str, mended_by: str, *, value: float) -> Problem:
    return Problem(
        kind="infeasible",
        field="facility.cooling",
        constraint="cooling plant",
        message=message,
        value=value,
        limit=0.0,
        missed_by=value,
        unit="1",
        fix=Fix(field="facility.cooling", value="auto", message=mended_by),
        affects=PUE,
    )


def _coolant_too_warm(*, facility: Facility, assumptions: FacilityAssumptions) -> Problem | None:
    supply_c, limit_c = _value(facility.coolant_supply_c), _value(assumptions.coolant_supply_limit_c)
    if not supply_c > limit_c:
        return None
    return _supply_at(
        limit_c,
        supply_c,
        kind="infeasible",
        constraint="coolant temperature",
        message=f"Coolant at {supply_c:g} °C is {supply_c - limit_c:g} K above what cold plates allow, "
        f"{limit_c:g} °C.",
    )


def _coolant_too_cold(*, facility: Facility, assumptions: FacilityAssumptions) -> Problem | None:
    supply_c = _value(facility.coolant_supply_c)
    dew_c = _value(assumptions.hall_dew_point_c)
    limit_c = dew_c + _value(assumptions.condensation_margin_k)
    if not supply_c < limit_c:
        return None
    wet = supply_c < dew_c
    below = f"below the hall's dew point of {dew_c:g} °C: water condenses on what it cools."
    close = f"{limit_c - supply_c:g} K too close to the hall's dew point."
    return _supply_at(
        limit_c,
        supply_c,
        kind="infeasible" if wet else "warning",
        constraint="condensation",
        message=f"Coolant at {supply_c:g} °C is {below if wet else close}",
    )


def _colder_than_the_hall(
    *, facility: Facility, cooling: Cooling, assumptions: FacilityAssumptions
) -> Problem | None:
    supply_c = _value(facility.coolant_supply_c)
    limit_c = _value(assumptions.hall_air_supply_c) + _value(assumptions.cdu_to_air_approach_k)
    if cooling.plant != LIQUID_TO_AIR or not supply_c < limit_c:
        return None
    return _supply_at(
        limit_c,
        supply_c,
        kind="infeasible",
        constraint="liquid to air",
        message=f"Coolant at {supply_c:g} °C is {limit_c - supply_c:g} K colder than the hall's air can make it.",
    )


def _supply_at(limit_c: float, supply_c: float, *, kind: str, constraint: str, message: str) -> Problem:
    affects = ("cooling.pue", "cooling.wue_l_per_kwh") if kind == "infeasible" else PUE
    return Problem(
        kind="infeasible" if kind == "infeasible" else "warning",
        field="facility.coolant_supply_c",
        constraint=constraint,
        message=message,
        value=supply_c,
        limit=limit_c,
        missed_by=abs(supply_c - limit_c),
        unit="degC",
        fix=Fix(
            field="facility.coolant_supply_c",
            value=limit_c,
            message=f"Supply the coolant at {limit_c:g} °C.",
        ),
        affects=affects,
    )


def _nothing_to_reuse(*, facility: Facility, cooling: Cooling) -> Problem | None:
    if facility.heat_reuse is None or cooling.plant not in WITHOUT_LIQUID_PLANT:
        return None
    if _value(facility.heat_reuse.share) == 0:
        return None
    return Problem(
        kind="warning",
        field="facility.heat_reuse.share",
        constraint="heat reuse",
        message="A network takes heat from the facility water of a liquid plant, and this plant has none.",
        value=_value(facility.heat_reuse.share),
        limit=0.0,
        missed_by=_value(facility.heat_reuse.share),
        unit="1",
        fix=Fix(field="facility.cooling", value="auto", message=LET_IT_CHOOSE),
        affects=("cooling.ere", "cooling.erf"),
    )
