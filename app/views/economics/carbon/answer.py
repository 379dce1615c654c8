"""Carbon of a run in detail: what each boundary counts, why they differ, and what is left out."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.view import CatalogView
from app.engine.economics.bills import yearly_hours
from app.engine.economics.carbon.boundaries import boundary_factors, power_parts_w, restarts_factor
from app.engine.economics.carbon.embodied import run_share_of_life
from app.engine.economics.carbon.operational import (
    grid_by_hour_w,
    hours_between_runs,
    idle_floor_share,
    intensity_by_load_kg_per_kwh,
    intensity_over_the_year,
    operational_kg,
    operational_part_kg,
    waiting_beside_kwh,
)
from app.engine.economics.operating import powered_time_s
from app.engine.facility.hours.hours import hours_of
from app.engine.facility.savings.matching import matched_share
from app.engine.facility.savings.saved import generation_by_hour_w
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, Origin, first_of, quotient
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import a_run, of_a_run
from app.views.economics.carbon.report import (
    BOUNDARY_WORDS,
    EMBODIED,
    FACTOR_WORDS,
    LEFT_OUT,
    NOTES,
    PART_WORDS,
    PURPOSE,
    CarbonBoundary,
    CarbonFactor,
    CarbonOptions,
    CarbonPart,
    CarbonReport,
    CleanClaim,
    GridCarbon,
    HourlyGrid,
    MatchedClaim,
    SiteCarbon,
    WaitingCarbon,
)
from app.views.facility.savings.clean import yields_of
from app.views.facility.savings.report import Assumed
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
            title=BOUNDARY_WORDS[key][0],
            said=BOUNDARY_WORDS[key][1],
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
        title, said = FACTOR_WORDS[key]
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
        elapsed_time_s=powered_time_s(
            elapsed_time_s=of_a_run(sections.performance.elapsed_time_s, PURPOSE),
            facility_availability=sections.power.facility_availability,
        ),
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


PLANTS = (("solar", 1.0, 0.0), ("wind", 0.0, 1.0), ("half solar, half wind", 0.5, 0.5))


def load_by_hour_w(scenario: EvaluatedScenario) -> Array:
    """Power at the meter in each hour of the climate year while the job runs: IT is constant, the plant is not."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    return hours_of(
        power=sections.power,
        cooling=sections.cooling,
        facility=design.facility,
        assumptions=design.assumptions.rooms["facility"],
    ).utility_w


def hourly_grid(scenario: EvaluatedScenario, profile: tuple[float, ...]) -> HourlyGrid:
    """The run by a profile of the grid's hours."""
    energy = of_a_run(scenario.evaluation.sections.carbon.run_energy_kwh, PURPOSE)
    by_hour = intensity_over_the_year(np.array(profile))
    by_load = intensity_by_load_kg_per_kwh(intensity_kg_per_kwh=by_hour, load_w=load_by_hour_w(scenario))
    mean = float(by_hour.mean())
    return HourlyGrid(
        hours_stated=len(profile),
        mean_kg_per_kwh=mean,
        by_load_kg_per_kwh=first_of(by_load),
        kg_per_run=first_of(operational_kg(run_energy_kwh=energy, carbon_intensity_kg_per_kwh=by_load)),
        over_flat=first_of(by_load) / mean - 1 if mean else 0.0,
    )


def clean_claim(scenario: EvaluatedScenario, catalog: CatalogView) -> CleanClaim | None:
    """What contracts cover: by the year as they claim, and hour by hour were solar or wind at the site to fill them."""
    facility, carbon = scenario.resolved.whole.facility, scenario.evaluation.sections.carbon
    if facility.clean_energy_share is None or carbon.operational_market_kg is None:
        return None
    yields = yields_of(facility.site, Assumed(catalog), catalog)
    load_w = load_by_hour_w(scenario)
    mean_w = load_w.mean(keepdims=True)
    matched = []
    for plants, solar, wind in PLANTS:
        generation_w = sum(
            (
                generation_by_hour_w(
                    yield_by_hour=by_hour, mean_load_w=mean_w, share=share * facility.clean_energy_share
                )
                for by_hour, share in ((yields.solar, solar), (yields.wind, wind))
            ),
            np.zeros_like(load_w),
        )
        covered = matched_share(
            load_w=load_w, grid_w=grid_by_hour_w(load_w=load_w, generation_w=generation_w)
        )
        matched.append(
            MatchedClaim(
                plants=plants,
                matched_share=first_of(covered),
                kg_per_run=first_of(of_a_run(carbon.operational_kg, PURPOSE) * (1 - covered)),
            )
        )
    return CleanClaim(
        contracted_share=first_of(facility.clean_energy_share),
        market_kg=first_of(carbon.operational_market_kg),
        matched=tuple(matched),
    )


INTENSITY = "facility.site.carbon_intensity_kg_per_kwh"
STATED = "stated in the scenario"


def used_hours_per_year(scenario: EvaluatedScenario) -> float:
    """Accelerator-hours of the pod with work in a year."""
    design = scenario.resolved.whole
    sections = scenario.evaluation.sections
    hours = yearly_hours(design.supernode, design.pod, design.economics, sections.reliability, sections.power)
    return first_of(hours["used"])


def operational_parts(scenario: EvaluatedScenario) -> tuple[CarbonPart, ...]:
    """Electricity of the run by what draws it."""
    sections = scenario.evaluation.sections
    source = _said(scenario.resolved.origins[INTENSITY])
    return tuple(
        CarbonPart(
            key=name,
            title=PART_WORDS[name],
            kind="operational",
            kg_per_run=first_of(
                operational_part_kg(
                    part_power_w=power_w,
                    elapsed_time_s=powered_time_s(
                        elapsed_time_s=of_a_run(sections.performance.elapsed_time_s, PURPOSE),
                        facility_availability=sections.power.facility_availability,
                    ),
                    carbon_intensity_kg_per_kwh=scenario.resolved.whole.facility.site.carbon_intensity_kg_per_kwh,
                )
            ),
            share=math.nan,
            pod_kg=None,
            source=source,
        )
        for name, power_w in power_parts_w(sections.power, sections.cooling).items()
    )


def embodied_parts(scenario: EvaluatedScenario, options: CarbonOptions) -> tuple[CarbonPart, ...]:
    """Values of the evaluation, and further stated values."""
    carbon, economics = scenario.evaluation.sections.carbon, scenario.resolved.whole.economics
    pod_kg, run_kg = first_of(carbon.embodied_pod_kg), first_of(carbon.embodied_kg)
    origins = scenario.resolved.origins
    sources = {
        "accelerators": _said(origins["assumptions.economics.accelerator_embodied_kg"]),
        "hosts": _said(origins["assumptions.economics.host_embodied_ratio"]),
    }
    found = []
    for name, part in (carbon.embodied_breakdown_kg or {}).items():
        whole = pod_kg * first_of(part) / run_kg if run_kg else 0.0
        found.append(_embodied_part(name, first_of(part), whole, sources[name]))
    facility_life = scenario.resolved.whole.assumptions.rooms["economics"].shell_life_years
    lives = {
        "network": economics.network_life_years,
        "storage": economics.storage_life_years,
        "building": facility_life,
    }
    for name, life_years in lives.items():
        stated = getattr(options, f"{name}_embodied_kg")
        if stated is None:
            continue
        share = run_share_of_life(
            run_accelerator_hours=of_a_run(scenario.evaluation.sections.cost.run_accelerator_hours, PURPOSE),
            used_accelerator_hours_per_year=np.array([used_hours_per_year(scenario)]),
            life_years=life_years,
        )
        found.append(_embodied_part(name, stated * first_of(share), stated, "stated"))
    return tuple(found)


def _said(origin: Origin) -> str:
    """Where an input comes from; nothing where it is unknown, as then no one stated it."""
    return STATED if origin.kind == "scenario" else origin.source


def _embodied_part(name: str, run_kg: float, pod_kg: float, source: str) -> CarbonPart:
    return CarbonPart(
        key=f"embodied_{name}",
        title=EMBODIED[name],
        kind="embodied",
        kg_per_run=run_kg,
        share=math.nan,
        pod_kg=pod_kg,
        source=source,
    )


def with_shares(parts: tuple[CarbonPart, ...]) -> tuple[CarbonPart, ...]:
    """The parts with their shares of all that are counted."""
    total = sum(part.kg_per_run for part in parts)
    return tuple(
        dataclasses.replace(part, share=part.kg_per_run / total if total else math.nan) for part in parts
    )
