"""Every plant for the same design at the same site, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.catalog.view import CatalogView
from app.engine.facility.cooling.loops.water import chiller_heat_w
from app.engine.facility.cooling.plants import PLANTS
from app.engine.trace import first_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.facility.cooling_loads import loads_of

STANDS_IN_THE_WAY = (
    "cooling plant", "coolant temperature", "liquid to air", "rack density", "cooling class", "coolant flow",
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
