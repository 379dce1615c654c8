"""The run's carbon hour by hour: by a stated profile of the grid, and by clean energy in its hour."""

from __future__ import annotations

import numpy as np

from app.catalog.view import CatalogView
from app.engine.economics.carbon.hourly import (
    grid_by_hour_w,
    intensity_by_load_kg_per_kwh,
    intensity_over_the_year,
)
from app.engine.economics.carbon.operational import operational_kg
from app.engine.facility.hours.hours import hours_of
from app.engine.facility.savings.clean_energy import generation_by_hour_w
from app.engine.facility.savings.matching import matched_share
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run
from app.views.economics.carbon.report import CleanClaim, HourlyGrid, MatchedClaim
from app.views.economics.carbon.words import PURPOSE
from app.views.facility.savings.assumptions import Assumed
from app.views.facility.savings.clean import yields_of

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
