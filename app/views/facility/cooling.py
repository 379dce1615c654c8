"""Report of the cooling of a design: its loops, units and checks, and every plant beside the chosen one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.availability import cooling_scheme
from app.engine.facility.cooling.checks.condensation import (
    W_CLASSES,
    AirCheck,
    Surface,
    air_checks,
    surfaces,
    water_class,
)
from app.engine.facility.cooling.checks.lost_cooling import LostCooling, lose_cooling
from app.engine.facility.cooling.coolant import facility_return_c, facility_supply_c
from app.engine.facility.cooling.heat_reuse import heat_pump_lift_k, heat_pump_work_share
from app.engine.facility.cooling.loops.cdus import Cdus, Exchanger, cdu_exchanger, cdus
from app.engine.facility.cooling.loops.loops import Side
from app.engine.facility.cooling.loops.pipes import (
    Header,
    flow_for_a_kilowatt,
    header,
    rack_coolant_l_per_min,
)
from app.engine.facility.cooling.plants import IMMERSED, PLANTS, WITHOUT_CHILLED_WATER
from app.engine.problems import Problem
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.facility.cooling_loads import Loads, PlantLine, contents_of, loads_of, plant_lines, sides

RACK_HEADER = "Coolant header"
CHECKED = (
    "cooling plant", "coolant temperature", "condensation", "liquid to air", "heat reuse", "rack density",
    "cooling class", "coolant flow",
)  # fmt: skip


class CoolingOptions(Part):
    """Additions to the cooling plant."""

    tank_m3: Annotated[float, Field(ge=0, le=100_000)] = Field(
        default=0.0, description="Tank of cold facility or chilled water for the time without chillers, m3."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CoolantFlow:
    """Coolant of the pod at rated power."""

    coolant_l_per_min: float
    l_per_min_per_kw: float
    l_per_min_per_rack: float
    pumps_w: float  # of coolant and facility water, mean over the year


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
    coolant_supply_c: Array, a: FacilityAssumptions, plant: str, has_liquid: bool, piped: bool
) -> dict[str, Array]:
    """Cold surfaces in the hall, by name."""
    in_hall = "Chilled water in the hall"
    found = {} if plant in WITHOUT_CHILLED_WATER else {in_hall: a.chilled_water_supply_c}
    if piped:
        water_c = facility_supply_c(coolant_supply_c=coolant_supply_c, cdu_approach_k=a.cdu_approach_k)
        found = {"Facility water at the CDUs": water_c} | found
    return ({"Coolant in the racks": coolant_supply_c} if has_liquid else {}) | found


def reused_heat(scenario: EvaluatedScenario, a: FacilityAssumptions) -> ReusedHeat | None:
    """Heat reuse; None without any."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CoolingAnswer:
    """The cooling of a design in detail. Unknown is NaN; None: there is no such thing."""

    name: str
    site: str
    plant: str
    air_handling: str
    coolant: str
    sides: tuple[Side, ...]
    flow: CoolantFlow | None
    headers: tuple[Header, ...]
    cdus: tuple[Cdus, ...]
    exchanger: Exchanger | None
    water: WaterCheck | None
    air_classes: tuple[AirCheck, ...]
    surfaces: tuple[Surface, ...]
    lost: tuple[LostCooling, ...]
    reuse: ReusedHeat | None
    plants: tuple[PlantLine, ...]
    problems: tuple[Problem, ...]


def cooling_answer(
    scenario: EvaluatedScenario, catalog: CatalogView, options: CoolingOptions | None = None
) -> CoolingAnswer:
    """The cooling of a scenario, and of the same scenario with every other plant."""
    options = options or CoolingOptions()
    with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
        return _answer(scenario, catalog, options)


def _answer(scenario: EvaluatedScenario, catalog: CatalogView, options: CoolingOptions) -> CoolingAnswer:
    design = scenario.resolved.design
    rooms, facility = design.assumptions.rooms, design.facility
    cooling, a = scenario.evaluation.sections.cooling, rooms["facility"]
    loads = loads_of(scenario)
    liquid = PLANTS[cooling.plant].liquid
    piped = liquid not in ("none", "hall") and loads.has_liquid
    return CoolingAnswer(
        name=scenario.document.name,
        site=facility.site.name,
        plant=cooling.plant,
        air_handling=facility.air_handling,
        coolant="dielectric" if cooling.plant in IMMERSED else facility.coolant,
        sides=sides(scenario, loads),
        flow=_flow(scenario, loads),
        headers=_headers(scenario, loads),
        cdus=_cdus(scenario, loads),
        exchanger=cdu_exchanger(facility=a, detail=rooms["cooling"]) if piped else None,
        water=water_check(facility.coolant_supply_c, a) if piped else None,
        air_classes=air_checks(hall_air_supply_c=a.hall_air_supply_c, elevation_m=facility.site.elevation_m),
        surfaces=surfaces(
            temperatures_c=cold_surfaces(
                facility.coolant_supply_c, a, cooling.plant, loads.has_liquid, piped
            ),
            climate=facility.site.climate,
            hall_dew_point_c=a.hall_dew_point_c,
            margin_k=a.condensation_margin_k,
        ),
        lost=lose_cooling(
            contents=contents_of(scenario, loads, options.tank_m3),
            facility=a,
            detail=rooms["cooling"],
            generator_start_s=rooms["electrical"].generator_start_s,
        ),
        reuse=reused_heat(scenario, a),
        plants=plant_lines(scenario, catalog),
        problems=tuple(one for one in scenario.evaluation.problems if one.constraint in CHECKED),
    )


def _flow(scenario: EvaluatedScenario, loads: Loads) -> CoolantFlow | None:
    sections = scenario.evaluation.sections
    coolant = sections.cooling.coolant_flow_l_per_min
    if coolant is None:
        return None
    return CoolantFlow(
        coolant_l_per_min=first_of(coolant),
        l_per_min_per_kw=first_of(
            flow_for_a_kilowatt(coolant_flow_l_per_min=coolant, liquid_heat_design_w=loads.liquid_w)
        ),
        l_per_min_per_rack=first_of(
            rack_coolant_l_per_min(coolant_flow_l_per_min=coolant, racks=sections.power.racks)
        ),
        pumps_w=first_of(sections.cooling.breakdown_w["pumps"]),
    )


def _headers(scenario: EvaluatedScenario, loads: Loads) -> tuple[Header, ...]:
    limit = scenario.resolved.design.assumptions.rooms["facility"].coolant_velocity_limit_m_per_s
    flows = {f"{RACK_HEADER} of one CDU": one.flow_l_per_min for one in _cdus(scenario, loads)[:1]}
    for side in sides(scenario, loads):
        flows |= {f"{loop.name}, main": loop.flow for loop in side.loops if loop.fluid == "water"}
    return tuple(
        header(name=name, flow_l_per_min=np.array([flow]), velocity_limit_m_per_s=limit)
        for name, flow in flows.items()
    )


def _cdus(scenario: EvaluatedScenario, loads: Loads) -> tuple[Cdus, ...]:
    """Units of the plant's kind, then of the other; a tank has no other."""
    rooms, cooling = scenario.resolved.design.assumptions.rooms, scenario.evaluation.sections.cooling
    if cooling.coolant_flow_l_per_min is None:
        return ()
    where = scenario.resolved.design.facility
    kinds = ["liquid_to_liquid"] if PLANTS[cooling.plant].immersed else ["liquid_to_liquid", "liquid_to_air"]
    if PLANTS[cooling.plant].liquid == "hall":
        kinds = kinds[::-1]
    return tuple(
        cdus(
            kind=kind,
            redundancy=cooling_scheme(where.redundancy, where.cooling_redundancy),
            liquid_heat_design_w=loads.liquid_w,
            coolant_flow_l_per_min=cooling.coolant_flow_l_per_min,
            facility=rooms["facility"],
            detail=rooms["cooling"],
        )
        for kind in kinds
    )
