"""Facility water, cold surfaces and reused heat of a scenario, against what they may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.checks.classes import W_CLASSES, water_class
from app.engine.facility.cooling.coolant import facility_return_c, facility_supply_c
from app.engine.facility.cooling.heat_reuse import heat_pump_lift_k, heat_pump_work_share
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterCheck:
    """Facility water against ASHRAE's classes, and coolant against what the cold plates allow."""

    facility_supply_c: float
    name: str
    class_limit_c: float | None  # None: W+ has none
    usual_plant: str
    coolant_supply_c: float
    coolant_limit_c: float
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReusedHeat:
    """Reused heat. A heat pump is the network's: outside the boundary of PUE, ERE and ERF."""

    share: float
    network_c: float
    return_c: float
    heat_w: float
    cop: float | None  # None: warm enough as it is
    heat_pump_w: float
    ere: float
    erf: float


def water_check(coolant_supply_c: Array, a: FacilityAssumptions) -> WaterCheck:
    """The class that the facility water is of, and whether the coolant is within its limit."""
    supply_c = facility_supply_c(coolant_supply_c=coolant_supply_c, cdu_approach_k=a.cdu_approach_k)
    name = water_class(supply_c)
    limit_c, usual = W_CLASSES.get(name, (float("nan"), ""))
    coolant_c, highest_c = first_of(coolant_supply_c), first_of(a.coolant_supply_limit_c)
    return WaterCheck(
        facility_supply_c=first_of(supply_c),
        name=name,
        class_limit_c=None if np.isinf(limit_c) else limit_c,
        usual_plant=usual,
        coolant_supply_c=coolant_c,
        coolant_limit_c=highest_c,
        holds=coolant_c <= highest_c,
    )


def cold_surfaces(
    coolant_supply_c: Array, a: FacilityAssumptions, has_liquid: bool, piped: bool
) -> dict[str, Array]:
    """Cold surfaces in the hall, by name."""
    found = {"Chilled water in the hall": a.chilled_water_supply_c}
    if piped:
        water_c = facility_supply_c(coolant_supply_c=coolant_supply_c, cdu_approach_k=a.cdu_approach_k)
        found = {"Facility water at the CDUs": water_c} | found
    return ({"Coolant in the racks": coolant_supply_c} if has_liquid else {}) | found


def reused_heat(scenario: EvaluatedScenario, a: FacilityAssumptions) -> ReusedHeat | None:
    """Reused heat; None where nobody does."""
    facility, cooling = scenario.resolved.design.facility, scenario.evaluation.sections.cooling
    if facility.heat_reuse is None or cooling.heat_reused_w is None:
        return None
    return_c = facility_return_c(
        facility_supply_c=facility_supply_c(
            coolant_supply_c=facility.coolant_supply_c, cdu_approach_k=a.cdu_approach_k
        ),
        temperature_rise_k=a.facility_water_temperature_rise_k,
    )
    work = first_of(
        heat_pump_work_share(
            heat_pump_lift_k=heat_pump_lift_k(
                network_supply_c=facility.heat_reuse.supply_c, facility_return_c=return_c
            ),
            network_supply_c=facility.heat_reuse.supply_c,
            heat_pump_carnot_share=a.heat_pump_carnot_share,
        )
    )
    return ReusedHeat(
        share=first_of(facility.heat_reuse.share),
        network_c=first_of(facility.heat_reuse.supply_c),
        return_c=first_of(return_c),
        heat_w=first_of(cooling.heat_reused_w),
        cop=1 / work if work else None,
        heat_pump_w=first_of(cooling.heat_pump_power_w),
        ere=first_of(cooling.ere),
        erf=first_of(cooling.erf),
    )
