"""Carbon of a run in detail: what each boundary counts, why they differ, and what is left out."""

from __future__ import annotations

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.economics.carbon.boundaries import boundary_factors, restarts_factor
from app.engine.economics.carbon.idle import hours_between_runs, idle_floor_share, waiting_beside_kwh
from app.engine.specs import TrainingWorkload
from app.engine.trace import first_of, quotient
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import a_run, of_a_run
from app.views.economics.carbon.hours import clean_claim, hourly_grid
from app.views.economics.carbon.options import CarbonOptions
from app.views.economics.carbon.parts import (
    INTENSITY,
    embodied_parts,
    operational_parts,
    used_hours_per_year,
    with_shares,
)
from app.views.economics.carbon.report import (
    CarbonBoundary,
    CarbonFactor,
    CarbonReport,
    GridCarbon,
    SiteCarbon,
    WaitingCarbon,
)
from app.views.economics.carbon.words import BOUNDARIES, FACTORS, LEFT_OUT, NOTES, PURPOSE
from app.views.facility.sites import SitesOptions, sites_answer


def carbon_answer(
    scenario: EvaluatedScenario, catalog: Catalog, options: CarbonOptions | None = None
) -> CarbonReport:
    """The carbon of one run of a scenario by every boundary, with its parts, its hours and other sites."""
    a_run(scenario.resolved.design, PURPOSE)
    options = options or CarbonOptions()
    with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
        return _report(scenario, catalog, options)


def _report(scenario: EvaluatedScenario, catalog: Catalog, options: CarbonOptions) -> CarbonReport:
    sections = scenario.evaluation.sections
    carbon = sections.carbon
    embodied = embodied_parts(scenario, options)
    embodied_kg = sum(part.kg_per_run for part in embodied)
    tdp_only, meter = first_of(carbon.operational_tdp_only_kg), first_of(carbon.operational_kg)
    waiting = _waiting(scenario)
    by_boundary = {
        "accelerators": tdp_only,
        "meter": meter,
        "with_embodied": meter + embodied_kg,
        "with_idle": meter + embodied_kg + waiting.idle_kg,
    }
    runs = quotient(used_hours_per_year(scenario), first_of(sections.cost.run_accelerator_hours))
    profile = options.intensity_by_hour
    per_token = sections.power.energy_j_per_token
    return CarbonReport(
        name=scenario.document.name,
        grid=_grid(scenario),
        run_energy_kwh=first_of(carbon.run_energy_kwh),
        runs_per_year=runs,
        energy_j_per_token=None if per_token is None else first_of(per_token),
        boundaries=_boundaries(scenario, by_boundary, runs),
        ratio=quotient(meter, tdp_only),
        factors=_factors(scenario, tdp_only),
        restarts_factor=first_of(restarts_factor(ettr=of_a_run(sections.reliability.ettr, PURPOSE))),
        parts=with_shares((*operational_parts(scenario), *embodied)),
        embodied_share=quotient(embodied_kg, meter + embodied_kg),
        waiting=waiting,
        clean=clean_claim(scenario, catalog),
        hourly=None if profile is None else hourly_grid(scenario, profile),
        sites=_sites(scenario, catalog, embodied_kg) if options.sites else (),
        left_out=tuple(
            said for name, said in LEFT_OUT.items() if getattr(options, f"{name}_embodied_kg") is None
        ),
        notes=NOTES,
    )


def _boundaries(
    scenario: EvaluatedScenario, by_boundary: dict[str, float], runs: float
) -> tuple[CarbonBoundary, ...]:
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    workload = design.workload
    millions = first_of(workload.tokens) / 1e6 if isinstance(workload, TrainingWorkload) else None
    run_hours = of_a_run(sections.cost.run_accelerator_hours, PURPOSE)
    useful_hours = first_of(run_hours * of_a_run(sections.reliability.ettr, PURPOSE))
    first = by_boundary["accelerators"]
    return tuple(
        CarbonBoundary(
            key=key,
            title=BOUNDARIES[key][0],
            said=BOUNDARIES[key][1],
            kg_per_run=kg,
            kg_per_year=kg * runs,
            kg_per_million_tokens=None if millions is None else quotient(kg, millions),
            kg_per_useful_accelerator_hour=quotient(kg, useful_hours),
            over_tdp_only=quotient(kg, first),
        )
        for key, kg in by_boundary.items()
    )


def _factors(scenario: EvaluatedScenario, tdp_only_kg: float) -> tuple[CarbonFactor, ...]:
    found, before = [], tdp_only_kg
    for key, factor in boundary_factors(scenario.evaluation.sections.power).items():
        after = before * first_of(factor)
        title, said = FACTORS[key]
        found.append(
            CarbonFactor(key=key, title=title, said=said, factor=first_of(factor), added_kg=after - before)
        )
        before = after
    return tuple(found)


def _waiting(scenario: EvaluatedScenario) -> WaitingCarbon:
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    power, carbon = sections.power, sections.carbon
    beside_w = power.it_breakdown_w["idle_supernodes"]
    floor = idle_floor_share(
        it_power_idle_w=power.it_power_idle_w,
        idle_supernodes_w=beside_w,
        it_power_mean_w=power.it_power_mean_w,
    )
    beside_kwh = waiting_beside_kwh(
        idle_supernodes_w=beside_w,
        utility_mean_w=power.utility_mean_w,
        it_power_mean_w=power.it_power_mean_w,
        elapsed_time_s=of_a_run(sections.performance.elapsed_time_s, PURPOSE),
    )
    beside_kg = first_of(beside_kwh * design.facility.site.carbon_intensity_kg_per_kwh)
    idle_kg = first_of(carbon.idle_kg)
    hours = hours_between_runs(
        run_accelerator_hours=of_a_run(sections.cost.run_accelerator_hours, PURPOSE),
        used_accelerator_hours_per_year=np.array([used_hours_per_year(scenario)]),
        utilisation=design.economics.utilisation,
    )
    return WaitingCarbon(
        floor_share=first_of(floor),
        floor_kg=first_of(floor * of_a_run(carbon.operational_kg, PURPOSE)),
        beside_kg=beside_kg,
        between_kg=idle_kg - beside_kg,
        idle_kg=idle_kg,
        hours_between_runs=first_of(hours),
    )


def _grid(scenario: EvaluatedScenario) -> GridCarbon:
    site, origin = scenario.resolved.whole.facility.site, scenario.resolved.origins[INTENSITY]
    return GridCarbon(
        site=site.name,
        intensity_kg_per_kwh=first_of(site.carbon_intensity_kg_per_kwh),
        kind=origin.kind,
        source=origin.source,
        date=origin.date,
    )


def _sites(scenario: EvaluatedScenario, catalog: Catalog, embodied_kg: float) -> tuple[SiteCarbon, ...]:
    """Each site with its own grid, weather and plant; making the hardware emits the same everywhere."""
    answer = sites_answer(scenario, catalog, SitesOptions(sort="carbon"))
    return tuple(
        SiteCarbon(
            key=line.key,
            name=line.name,
            country=line.country,
            here=line.here,
            place=line.place_by["carbon"],
            intensity_kg_per_kwh=line.carbon_intensity_kg_per_kwh,
            pue=line.pue,
            operational_kg=line.operational_kg,
            total_kg=line.operational_kg + embodied_kg,
        )
        for line in answer.sites
    )
