"""The account of each state of a what-if: an evaluation of its scenario, its hours, and their clean energy.

The scenario of each state of a what-if: the same job in another building, as a scenario document.

A state is the set of its steps, so a state is the same whatever order it was reached in; what a step
saves is the difference of two states, and that does depend on the order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.facility.cooling.plants import WITHOUT_COOLANT
from app.engine.facility.hours.hours import Hours, hours_of
from app.engine.facility.it.supernode import node_fan_share
from app.engine.facility.savings.matching import Matching, generated_share, matched_share
from app.engine.facility.savings.saved import (
    activity_by_hour,
    clean_energy_usd,
    grid_carbon_kg,
    grid_energy_kwh,
    rated_power_with_other_fans_w,
    run_energy_j_per_token,
    run_utilities_usd,
    run_water_m3,
    scheduled_over_even,
    use_of_slower_work,
)
from app.engine.specs import SuperNode, TrainingWorkload
from app.engine.trace import Array, first_of, plain
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.evaluation.training_only import of_a_run
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.facility.savings.clean import Yields, generation_over_load, matched
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import SavingsAccount, Values

OUTSIDE_THE_SCENARIO = ("demand_aware", "renewables")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A state with its figures; `matching` is None where no clean energy is asked for."""

    account: SavingsAccount
    evaluated: EvaluatedScenario
    use: float  # share of all hours that the same work takes
    matching: Matching | None


@dataclass(frozen=True)
class States:
    """The states of one what-if; a scenario is evaluated once, whatever order leads to it."""

    scenario: EvaluatedScenario
    catalog: CatalogView
    options: SavingsOptions
    values: Values
    yields: Yields
    _evaluated: dict[frozenset[str], EvaluatedScenario] = field(default_factory=dict)

    def after(self, steps: Sequence[str]) -> State:
        """The state after some steps."""
        changes = frozenset(steps).difference(OUTSIDE_THE_SCENARIO)
        if changes not in self._evaluated:
            document = variant(self.scenario, changes, self.values, self.catalog)
            self._evaluated[changes] = evaluate_scenario(document, self.catalog)
        return self.of(self._evaluated[changes], steps)

    def of(self, evaluated: EvaluatedScenario, steps: Sequence[str]) -> State:
        """The state of a scenario, with what steps outside it do."""
        design, sections = evaluated.resolved.design, evaluated.evaluation.sections
        with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
            hours = hours_of(
                power=sections.power,
                cooling=sections.cooling,
                facility=design.facility,
                assumptions=design.assumptions.rooms["facility"],
            )
            use = self._use(evaluated)
            activity = np.broadcast_to(use, hours.pue.shape)
            if "demand_aware" in steps:
                activity = self._scheduled(hours, use)
            matching = None
            if "renewables" in steps:
                matching = matched(activity * hours.utility_w, self.yields, self.values)
            account = self._account(evaluated, hours, activity, matching)
        return State(account=account, evaluated=evaluated, use=first_of(use), matching=matching)

    def _use(self, evaluated: EvaluatedScenario) -> Array:
        """Share of hours; longer runs take more, as the same runs are to be done."""
        return use_of_slower_work(
            use=self.scenario.resolved.design.economics.utilisation,
            elapsed_time_s=of_a_run(evaluated.evaluation.sections.performance.elapsed_time_s, PURPOSE),
            baseline_elapsed_time_s=of_a_run(
                self._evaluated[frozenset()].evaluation.sections.performance.elapsed_time_s, PURPOSE
            ),
        )

    def _scheduled(self, hours: Hours, use: Array) -> Array:
        lacking = -generation_over_load(self.yields, self.values)
        return activity_by_hour(
            signal=plain(hours.pue) if self.options.follow == "pue" else lacking,
            use=use,
            flexible_share=self.values.flexible_share.array,
            window_h=self.values.window_h.array,
        )

    def _account(
        self, evaluated: EvaluatedScenario, hours: Hours, activity: Array, matching: Matching | None
    ) -> SavingsAccount:
        sections, design = evaluated.evaluation.sections, evaluated.resolved.design
        site, cooling = design.facility.site, sections.cooling
        dearer = scheduled_over_even(activity=activity, hourly=hours.utility_w)
        run_energy = of_a_run(sections.carbon.run_energy_kwh, PURPOSE)
        energy = run_energy * dearer
        water = run_water_m3(
            water_m3_per_year=cooling.water_m3_per_year,
            run_energy_kwh=run_energy,
            energy_utility_kwh_per_year=sections.power.energy_utility_kwh_per_year,
        )
        wetter = np.where(water == 0, 1.0, scheduled_over_even(activity=activity, hourly=hours.water_l_per_h))
        water = water * wetter
        share, clean_usd = np.zeros(1), np.zeros(1)
        if matching is not None:
            share = matched_share(load_w=matching.load_w, grid_w=matching.grid_w)
            price = self.options.clean_price_usd_per_kwh
            clean_usd = clean_energy_usd(
                run_energy_kwh=energy,
                generated_share=generated_share(
                    load_w=matching.load_w, solar_w=matching.solar_w, wind_w=matching.wind_w
                ),
                clean_price_usd_per_kwh=np.array([np.nan if price is None else price]),
            )
        grid = grid_energy_kwh(run_energy_kwh=energy, matched_share=share)
        bill = run_utilities_usd(
            grid_energy_kwh=grid,
            electricity_price_usd_per_kwh=site.electricity_price_usd_per_kwh,
            run_water_m3=water,
            water_price_usd_per_m3=site.water_price_usd_per_m3,
        )
        intensity = site.carbon_intensity_kg_per_kwh
        workload = design.workload
        per_token = None
        if isinstance(workload, TrainingWorkload):
            per_token = first_of(run_energy_j_per_token(run_energy_kwh=energy, tokens=workload.tokens))
        return SavingsAccount(
            energy_kwh=first_of(energy),
            grid_kwh=first_of(grid),
            energy_j_per_token=per_token,
            water_m3=first_of(water),
            utilities_usd=first_of(bill + clean_usd),
            carbon_kg=first_of(grid_carbon_kg(grid_energy_kwh=grid, carbon_intensity_kg_per_kwh=intensity)),
            carbon_location_kg=first_of(
                grid_carbon_kg(grid_energy_kwh=energy, carbon_intensity_kg_per_kwh=intensity)
            ),
            elapsed_time_s=first_of(sections.performance.elapsed_time_s),
            pue=first_of(cooling.pue * dearer),
            tue=first_of(cooling.tue * dearer),
            wue_l_per_kwh=first_of(cooling.wue_l_per_kwh * wetter),
            plant=cooling.plant,
        )


BASELINE: dict[str, str | None] = {
    "facility.cooling": "air",
    "facility.air_handling": "perimeter",
    "facility.redundancy": "2N",
    "facility.ups": "double_conversion",
    "facility.distribution": "ac_415",
    "facility.power_cap": None,
    "facility.heat_reuse": None,
}
CHILLED_WATER = ("facility.chilled_water_supply_c", "facility.chilled_water_return_c")


def variant(
    scenario: EvaluatedScenario, steps: Collection[str], values: Values, catalog: CatalogView
) -> ScenarioDocument:
    """The scenario after some steps; those that no scenario has a field for leave it as it is."""
    document = scenario.document.as_dict()
    for name, value in BASELINE.items():
        document = with_field(document, name, value)
    if "warmer_chilled_water" not in steps:
        cold = (values.chilled_water_supply.value, values.chilled_water_return.value)
        for name, supply_or_return in zip(CHILLED_WATER, cold, strict=True):
            document = with_field(document, f"assumptions.{name}", supply_or_return)
    if "liquid_cooling" in steps:
        own = scenario.document.facility.cooling
        coolant = values.warm_coolant if "warmer_coolant" in steps else values.cold_coolant
        document = with_field(document, "facility.cooling", "auto" if own in WITHOUT_COOLANT else own)
        document = with_field(document, "facility.coolant_supply_c", coolant.value)
    if "rack_batteries" in steps:
        document = with_field(document, "facility.ups", "rack_batteries")
    if "dc_800" in steps:
        document = with_field(document, "facility.distribution", "dc_800")
    if "power_cap" in steps:
        document = with_field(document, "facility.power_cap", values.power_cap.value)
    document = _servers(document, scenario, "liquid_cooling" in steps, catalog)
    return build_scenario(document)


def _servers(
    document: dict[str, Any], scenario: EvaluatedScenario, liquid: bool, catalog: CatalogView
) -> dict[str, Any]:
    """The same servers cooled by air or by liquid: their fans change their rating, nothing else does."""
    design = scenario.resolved.design
    own_share = first_of(design.supernode.liquid_share)
    if liquid and own_share > 0:
        return document  # as they are sold
    other = 0.0
    if liquid:
        other = catalog.assumption("scenario", "liquid_share", {"cooling": "liquid"}).value
    if own_share == other:
        return document
    pod = document["pod"]
    cooled = _cooled(document["supernode"], scenario, design.supernode, other, liquid)
    also = [
        {**one, "supernode": _cooled(one["supernode"], scenario, kind.supernode, other, liquid)}
        for one, kind in zip(pod.get("also", ()), design.kinds, strict=True)
    ]
    document = document | {"supernode": cooled, "pod": pod | ({"also": also} if also else {})}
    # storage is a share of the servers' rating, and does not change with their fans
    share = design.assumptions.rooms["facility"].storage_power_share
    same = first_of(share * design.supernode.max_power_w / _rated(scenario, design.supernode, other))
    if np.isnan(same):
        return document
    return with_field(document, "assumptions.facility.storage_power_share", same)


def _cooled(
    document: dict[str, Any], scenario: EvaluatedScenario, supernode: SuperNode, share: float, liquid: bool
) -> dict[str, Any]:
    """A SuperNode whose heat goes another way; an unpublished rating stays unknown."""
    override: dict[str, Any] = {"liquid_share": share, "cooling": "liquid" if liquid else "air"}
    rated_w = first_of(_rated(scenario, supernode, share))
    if not np.isnan(rated_w):
        override["max_power_w"] = rated_w
    return document | {"override": (document.get("override") or {}) | override}


def _rated(scenario: EvaluatedScenario, supernode: SuperNode, liquid_share: float) -> Array:
    room = scenario.resolved.design.assumptions.rooms["facility"]
    fans = {
        "fan_power_share_air": room.fan_power_share_air,
        "fan_power_share_liquid": room.fan_power_share_liquid,
    }
    return rated_power_with_other_fans_w(
        max_power_w=supernode.max_power_w,
        fan_share=node_fan_share(liquid_share=supernode.liquid_share, **fans),
        other_fan_share=node_fan_share(liquid_share=np.array([liquid_share]), **fans),
    )


TITLES = {
    "warmer_chilled_water": "Warmer chilled water",
    "liquid_cooling": "Liquid cooling",
    "warmer_coolant": "Warmer coolant",
    "rack_batteries": "Rack batteries",
    "dc_800": "800 V direct current",
    "power_cap": "Power cap",
    "demand_aware": "Demand-aware scheduling",
    "renewables": "Renewables and storage",
}
FOLLOWED = {"pue": "of low PUE", "clean": "of much clean energy"}
PURPOSE = "Savings of a run"
"""What a workload without a run is refused with."""
MOVED = "pauses work; it needs hours in which the pod stands idle"


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage.

    >>> percent(0.3421, 1)
    '34.2\\u202f%'
    """
    return f"{100 * share:.{digits}f}\u202f%"


def effect_of_step(step: str, values: Values, options: SavingsOptions, chilled_c: float) -> str:
    """What a step changes, as a sentence."""
    return {
        "warmer_chilled_water": f"The hall's chilled water at {chilled_c:g} °C in place of "
        f"{values.chilled_water_supply.value:g} °C.",
        "liquid_cooling": f"Servers with cold plates and fewer fans, coolant at {values.cold_coolant.value:g} °C.",
        "warmer_coolant": f"Coolant at {values.warm_coolant.value:g} °C in place of "
        f"{values.cold_coolant.value:g} °C.",
        "rack_batteries": "Batteries in the racks in place of a central double-conversion UPS.",
        "dc_800": "Racks fed with 800 V direct current.",
        "power_cap": f"Accelerators capped at {percent(values.power_cap.value)} of their TDP: less power for longer.",
        "demand_aware": f"{percent(values.flexible_share.value)} of the work waits, at most "
        f"{values.window_h.value:g} h, for hours {FOLLOWED[options.follow]}; this {MOVED}.",
        "renewables": f"Solar for {percent(values.solar.value)} and wind for {percent(values.wind.value)} of a year's load, "
        f"and a battery for {values.battery_h.value:g} h of it. Saves no energy: takes the place of the grid's.",
    }[step]
