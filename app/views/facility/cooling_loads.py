"""What the loops of a scenario are sized for: its heat at rated power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.catalog.view import CatalogView
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.air_plant import AirPlant
from app.engine.facility.cooling.checks.lost_cooling import Contents
from app.engine.facility.cooling.coolant import (
    coolant_density_kg_per_m3,
    coolant_heat_capacity_j_per_kg_k,
    coolant_loop,
    coolant_mean_c,
)
from app.engine.facility.cooling.figures import for_heat
from app.engine.facility.cooling.liquid_plant import LiquidPlant
from app.engine.facility.cooling.loops.loops import Side, sides_of
from app.engine.facility.cooling.loops.pipes import air_heat_design_w, chiller_heat_w, facility_heat_design_w
from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.plants import PLANTS, WITHOUT_CHILLED_WATER, WITHOUT_LIQUID_PLANT
from app.engine.facility.cooling.year import hottest_hours
from app.engine.trace import Array, first_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Loads:
    """Heat at the rating, and both plants in the hours that can be the hottest."""

    liquid_w: Array
    facility_w: Array
    air_w: Array
    liquid: LiquidPlant
    air: AirPlant

    @property
    def has_liquid(self) -> bool:
        """Unknown liquid heat is liquid heat."""
        return first_of(self.liquid_w) != 0


def loads_of(scenario: EvaluatedScenario) -> Loads:
    """Heat of all SuperNodes at rated power, by loop."""
    design, sections = scenario.resolved.design, scenario.evaluation.sections
    a: FacilityAssumptions = design.assumptions.rooms["facility"]
    power, cooling, facility = sections.power, sections.cooling, design.facility
    liquid, air = plants_over(
        year=hottest_hours(facility.site.climate),
        plant=cooling.plant,
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=a,
    )
    liquid_w = cooling.liquid_heat_design_w
    return Loads(
        liquid_w=liquid_w,
        facility_w=facility_heat_design_w(
            liquid_heat_design_w=0 * liquid_w if cooling.plant in WITHOUT_LIQUID_PLANT else liquid_w,
            liquid_pumps_w_per_w=liquid.pumps_w_per_w,
        ),
        air_w=air_heat_design_w(
            it_power_design_w=power.it_power_design_w,
            liquid_heat_design_w=liquid_w,
            to_hall_w_per_w=liquid.to_hall_w_per_w,
            electrical_losses_w=power.electrical_losses_w,
            electrical_loss_share_in_hall=a.electrical_loss_share_in_hall,
        ),
        liquid=liquid,
        air=air,
    )


def sides(scenario: EvaluatedScenario, loads: Loads) -> tuple[Side, ...]:
    """Both loops of a scenario, at its site."""
    design, cooling = scenario.resolved.design, scenario.evaluation.sections.cooling
    climate = design.facility.site.climate
    return sides_of(
        plant=cooling.plant,
        air_handling=design.facility.air_handling,
        coolant=design.facility.coolant,
        coolant_supply_c=design.facility.coolant_supply_c,
        coolant_flow_l_per_min=cooling.coolant_flow_l_per_min,
        liquid_heat_w=loads.liquid_w,
        facility_heat_w=loads.facility_w,
        air_heat_w=loads.air_w,
        dry_bulb_c=climate.dry_bulb_c,
        wet_bulb_c=climate.wet_bulb_c,
        pressure_pa=climate.pressure_pa,
        assumptions=design.assumptions.rooms["facility"],
    )


def contents_of(scenario: EvaluatedScenario, loads: Loads, tank_m3: float) -> Contents:
    """Loop volumes, and the power of components that can fail."""
    design, cooling = scenario.resolved.design, scenario.evaluation.sections.cooling
    a: FacilityAssumptions = design.assumptions.rooms["facility"]
    supply_c = design.facility.coolant_supply_c
    mean_c = coolant_mean_c(
        coolant_supply_c=supply_c, coolant_temperature_rise_k=a.coolant_temperature_rise_k
    )
    has_water = cooling.plant not in WITHOUT_LIQUID_PLANT
    _, coolant_pump = coolant_loop(coolant_supply_c=supply_c, assumptions=a)
    at_racks = coolant_pump if has_water else loads.liquid.pumps_w_per_w
    return Contents(
        liquid_heat_w=loads.liquid_w,
        air_heat_w=loads.air_w,
        has_facility_water=has_water,
        coolant_density_kg_per_m3=coolant_density_kg_per_m3(
            coolant_mean_c=mean_c,
            constant=a.coolant_density_constant_kg_per_m3,
            linear=a.coolant_density_linear_kg_per_m3_k,
            quadratic=a.coolant_density_quadratic_kg_per_m3_k2,
        ),
        coolant_heat_capacity_j_per_kg_k=coolant_heat_capacity_j_per_kg_k(
            coolant_mean_c=mean_c,
            constant=a.coolant_heat_capacity_constant_j_per_kg_k,
            linear=a.coolant_heat_capacity_linear_j_per_kg_k2,
            quadratic=a.coolant_heat_capacity_quadratic_j_per_kg_k3,
        ),
        pressure_pa=np.mean(design.facility.site.climate.pressure_pa, keepdims=True),
        coolant_pumps_w=for_heat(loads.liquid_w, at_racks),
        facility_pumps_w=for_heat(loads.liquid_w, loads.liquid.pumps_w_per_w - at_racks),
        hall_fans_w=loads.air_w * loads.air.fans_w_per_w,
        chilled_water_pumps_w=loads.air_w * loads.air.pumps_w_per_w,
        has_chilled_water=cooling.plant not in WITHOUT_CHILLED_WATER,
        liquid_chilled=bool(np.max(loads.liquid.chiller_w_per_w) > 0),
        tank_m3=np.array([tank_m3]),
    )


STANDS_IN_THE_WAY = (
    "cooling plant", "coolant temperature", "condensation", "liquid to air", "rack density", "cooling class",
    "coolant flow",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantLine:
    """One plant. `refusal` says why it does not do; its figures are those it would have.

    Empty where nothing is to be said.
    """

    plant: str
    chosen: bool
    refusal: str
    warning: str  # what speaks against it without ruling it out
    pue: float
    pue_hottest_hour: float
    wue_l_per_kwh: float
    economiser_hours: float
    chiller_w: float  # heat that chillers take in the hottest hour, all SuperNodes at rated power
    cooling_power_w: float
    energy_utility_kwh_per_year: float


def plant_lines(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[PlantLine, ...]:
    """The scenario's own plant and all others, in the order of the studio's choice."""
    own = scenario.evaluation.sections.cooling.plant
    return tuple(
        _line(scenario if plant == own else evaluate_scenario(_with(scenario.document, plant), catalog), own)
        for plant in PLANTS
    )


def _with(document: ScenarioDocument, plant: str) -> ScenarioDocument:
    facility = document.facility.model_copy(update={"cooling": plant})
    return document.model_copy(update={"facility": facility})


def _line(scenario: EvaluatedScenario, own: str) -> PlantLine:
    power, cooling = scenario.evaluation.sections.power, scenario.evaluation.sections.cooling
    said = {
        kind: [
            problem.message
            for problem in scenario.evaluation.problems
            if problem.kind == kind and problem.constraint in STANDS_IN_THE_WAY
        ]
        for kind in ("infeasible", "warning")
    }
    return PlantLine(
        plant=cooling.plant,
        chosen=cooling.plant == own,
        refusal=next(iter(said["infeasible"]), ""),
        warning=next(iter(said["warning"]), ""),
        pue=first_of(cooling.pue),
        pue_hottest_hour=first_of(cooling.pue_hottest_hour),
        wue_l_per_kwh=first_of(cooling.wue_l_per_kwh),
        economiser_hours=first_of(cooling.full_economiser_hours),
        chiller_w=_chiller_w(scenario),
        cooling_power_w=first_of(cooling.power_mean_w),
        energy_utility_kwh_per_year=first_of(power.energy_utility_kwh_per_year),
    )


def _chiller_w(scenario: EvaluatedScenario) -> float:
    loads = loads_of(scenario)
    by_hour = chiller_heat_w(
        facility_heat_w=loads.facility_w,
        liquid_economiser_share=loads.liquid.economiser_share,
        air_heat_w=loads.air_w,
        air_economiser_share=loads.air.economiser_share,
    )
    return float(np.max(by_hour))
