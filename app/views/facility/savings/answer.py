"""The answer to an energy what-if: states in order, what each step saves, and the verdict."""

from __future__ import annotations

import math

import numpy as np

from app.catalog.view import CatalogView
from app.engine.facility.savings.saved import facility_energy_ceiling, share_saved
from app.engine.specs import TrainingWorkload
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import a_run
from app.views.facility.savings.clean import HOURS, matching_report, yields_of
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import (
    Assumed,
    SavingsAccount,
    SavingsReport,
    SavingsStep,
    SavingsVerdict,
    Values,
    values_of,
)
from app.views.facility.savings.states import PURPOSE, TITLES, State, States, effect_of_step, percent

ORDER_MATTERS = (
    "Order matters: a step saves of what the steps before it have left. What all save together does not "
    "depend on it."
)

YARDSTICK = "The baseline is a yardstick, and could not be built as designed:"


def savings_answer(
    scenario: EvaluatedScenario, catalog: CatalogView, options: SavingsOptions
) -> SavingsReport:
    """From the air-cooled baseline of a scenario's job through the steps that are asked for.

    Raises
    ------
    ScenarioError : a state of it is no scenario
    """
    a_run(scenario.resolved.design, PURPOSE)
    assumed = Assumed(catalog)
    values = values_of(scenario, assumed, options)
    design = scenario.resolved.design
    yields = yields_of(design.facility.site, assumed, catalog)
    states = States(scenario, catalog, options, values, yields)
    found = [states.after(options.steps[:count]) for count in range(len(options.steps) + 1)]
    first, last = found[0], found[-1]
    workload = design.workload
    return SavingsReport(
        name=scenario.document.name,
        run="one run of the job, restarts included, without SuperNodes that wait",
        runs_per_year=first.use * HOURS * 3600 / first.account.elapsed_time_s,
        tokens=first_of(workload.tokens) if isinstance(workload, TrainingWorkload) else None,
        baseline_said=_baseline_said(values),
        baseline=first.account,
        steps=tuple(
            _line(step, before.account, after.account, first.account, values, options, scenario)
            for step, before, after in zip(options.steps, found[:-1], found[1:], strict=True)
        ),
        final=last.account,
        as_stated=states.of(scenario, ()).account,
        matching=None if last.matching is None else matching_report(last.matching, yields, values, options),
        verdict=verdict(first.account, last.account, values),
        notes=tuple(_notes(first, last, values, options)),
        assumptions=values.all(),
    )


def _line(
    step: str,
    before: SavingsAccount,
    after: SavingsAccount,
    baseline: SavingsAccount,
    values: Values,
    options: SavingsOptions,
    scenario: EvaluatedScenario,
) -> SavingsStep:
    energy, grid = before.energy_kwh - after.energy_kwh, before.grid_kwh - after.grid_kwh
    room = scenario.resolved.design.assumptions.rooms["facility"]
    return SavingsStep(
        step=step,
        title=TITLES[step],
        said=effect_of_step(step, values, options, first_of(room.chilled_water_supply_c)),
        energy_kwh=energy,
        energy_share=energy / baseline.energy_kwh,
        grid_kwh=grid,
        grid_share=grid / baseline.energy_kwh,
        displaced_kwh=grid - energy,
        water_m3=before.water_m3 - after.water_m3,
        utilities_usd=before.utilities_usd - after.utilities_usd,
        carbon_kg=before.carbon_kg - after.carbon_kg,
        slower=after.elapsed_time_s / before.elapsed_time_s - 1,
        after=after,
    )


def _baseline_said(values: Values) -> str:
    return (
        "The same job on the same servers cooled by air: more fans in the servers, perimeter air handlers, chilled "
        f"water at {values.chilled_water_supply.value:g} °C, double-conversion UPS and 2N, 415 V, no power cap, "
        "no use for the heat."
    )


def _notes(first: State, last: State, values: Values, options: SavingsOptions) -> list[str]:
    """Caveats of the figures."""
    notes = [ORDER_MATTERS]
    for where, state in ((YARDSTICK, first), ("After all steps:", last)):
        notes += [
            f"{where} {problem.message}"
            for problem in state.evaluated.problems
            if problem.kind == "infeasible" and problem.field.startswith(("facility", "supernode"))
        ]
    if "warmer_coolant" in options.steps and "liquid_cooling" not in options.steps:
        notes.append("Warmer coolant changes nothing without liquid cooling.")
    elif "warmer_coolant" in options.steps and values.warm_coolant.value < values.cold_coolant.value:
        notes.append(
            "The coolant of this design is colder than that of liquid cooling at first: state a warmer one."
        )
    if "demand_aware" in options.steps and last.use >= 1:
        notes.append("The work takes every hour of the year, so there is no hour to move any of it to.")
    if options.follow == "pue" and {"demand_aware", "renewables"} <= {*options.steps}:
        notes.append("Hours of low PUE are cool ones, most at night; work may wait for clean energy instead.")
    if last.matching is not None and options.clean_price_usd_per_kwh is None:
        notes.append("Clean energy has no price here, so the cost saving is unknown: set a price.")
    return notes


CLAIM = "Liquid cooling, renewable energy and demand-aware scheduling cut energy use by more than 50 %."


def verdict(baseline: SavingsAccount, final: SavingsAccount, values: Values) -> SavingsVerdict:
    """The claim against both readings of it."""
    claimed = values.claimed.value
    energy = _saved(baseline.energy_kwh, final.energy_kwh)
    grid = _saved(baseline.energy_kwh, final.grid_kwh)
    ceiling, with_fans = (
        first_of(facility_energy_ceiling(pue=np.array([ratio]))) for ratio in (baseline.pue, baseline.tue)
    )
    reached = "energy" if energy > claimed else "grid" if grid > claimed else "neither"
    if math.isnan(energy) or math.isnan(grid):
        reached = "unknown"
    return SavingsVerdict(
        claim=CLAIM,
        source=values.claimed.source,
        claimed_share=claimed,
        energy_share=energy,
        grid_share=grid,
        overhead_ceiling_share=ceiling,
        ceiling_with_fans_share=with_fans,
        reached_by=reached,
        sentences=_sentences(baseline, final, reached, energy, grid, ceiling, with_fans),
    )


def _saved(before: float, after: float) -> float:
    return first_of(share_saved(before=np.array([before]), after=np.array([after])))


def _sentences(
    baseline: SavingsAccount,
    final: SavingsAccount,
    reached: str,
    energy: float,
    grid: float,
    ceiling: float,
    with_fans: float,
) -> tuple[str, ...]:
    if reached == "unknown":
        return ("Not known: a figure of the design that the energy depends on is not published.",)
    answer = {
        "energy": "Reached by using less energy.",
        "grid": "Not reached by using less energy; reached only where energy from renewables is not counted.",
        "neither": "Not reached, with renewables counted or without.",
    }[reached]
    before, after, unit = _pair(baseline, final)
    lines = [
        answer,
        f"Energy at the meter: 1 − {after:,.4g} / {before:,.4g} {unit} = {percent(energy, 1)} saved.",
    ]
    if final.grid_kwh != final.energy_kwh:
        lines.append(
            f"From the grid: 1 − {after * final.grid_kwh / final.energy_kwh:,.4g} / {before:,.4g} {unit} = "
            f"{percent(grid, 1)}; the difference is energy that is used all the same, from other plants."
        )
    lines.append(
        f"The ceiling of plant and power train: at the baseline's PUE of {baseline.pue:.3f} all overhead is "
        f"1 − 1 / {baseline.pue:.3f} = {percent(ceiling, 1)}, with server fans and power supplies {percent(with_fans, 1)}. "
        "More than that must come out of the work itself."
    )
    return tuple(lines)


def _pair(baseline: SavingsAccount, final: SavingsAccount) -> tuple[float, float, str]:
    """The energies that are set against each other: for a useful token where there are tokens, else of a run."""
    if baseline.energy_j_per_token is not None and final.energy_j_per_token is not None:
        return baseline.energy_j_per_token, final.energy_j_per_token, "J per token"
    return baseline.energy_kwh / 1e3, final.energy_kwh / 1e3, "MWh a run"
