"""What is said of a design's cooling: its loops, units and checks, and every plant beside the chosen one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.engine.facility.cooling.checks.classes import AirCheck, air_checks
from app.engine.facility.cooling.checks.condensation import Surface, surfaces
from app.engine.facility.cooling.checks.lost_cooling import LostCooling, lose_cooling
from app.engine.facility.cooling.loops.cdus import Cdus, Exchanger, cdu_exchanger, cdus
from app.engine.facility.cooling.loops.loops import Side
from app.engine.facility.cooling.loops.pipes import Header, header
from app.engine.facility.cooling.loops.water import flow_for_a_kilowatt, rack_coolant_l_per_min
from app.engine.facility.cooling.plants import IMMERSED, PLANTS
from app.engine.problems import Problem
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.facility.cooling_checks import (
    ReusedHeat,
    WaterCheck,
    cold_surfaces,
    reused_heat,
    water_check,
)
from app.views.facility.cooling_loads import Loads, contents_of, loads_of, sides
from app.views.facility.cooling_plants import PlantLine, plant_lines

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
            temperatures_c=cold_surfaces(facility.coolant_supply_c, a, loads.has_liquid, piped),
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
    if not loads.has_liquid:
        return None
    sections = scenario.evaluation.sections
    coolant = sections.cooling.coolant_flow_l_per_min
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
    if not loads.has_liquid:
        return ()
    rooms, cooling = scenario.resolved.design.assumptions.rooms, scenario.evaluation.sections.cooling
    kinds = ["liquid_to_liquid"] if PLANTS[cooling.plant].immersed else ["liquid_to_liquid", "liquid_to_air"]
    if PLANTS[cooling.plant].liquid == "hall":
        kinds = kinds[::-1]
    return tuple(
        cdus(
            kind=kind,
            liquid_heat_design_w=loads.liquid_w,
            coolant_flow_l_per_min=cooling.coolant_flow_l_per_min,
            facility=rooms["facility"],
            detail=rooms["cooling"],
        )
        for kind in kinds
    )
