"""The account of each state of a what-if: an evaluation of its scenario, its hours, and their clean energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from app.catalog.view import CatalogView
from app.engine.facility.hours.hours import Hours, hours_of
from app.engine.facility.savings.matching import Matching, generated_share, matched_share
from app.engine.facility.savings.saved import (
    clean_energy_usd,
    grid_carbon_kg,
    grid_energy_kwh,
    run_energy_j_per_token,
    run_utilities_usd,
    run_water_m3,
)
from app.engine.facility.savings.scheduling import (
    activity_by_hour,
    scheduled_over_even,
    use_of_slower_work,
)
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, first_of, plain
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.evaluation.training_only import of_a_run
from app.views.facility.savings.clean import Yields, generation_over_load, matched
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import SavingsAccount
from app.views.facility.savings.values import Values
from app.views.facility.savings.variants import variant
from app.views.facility.savings.words import PURPOSE

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
        """Share of hours; longer runs take more of them, as the same runs are to be done."""
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
