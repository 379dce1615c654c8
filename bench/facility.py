"""How quick plants are computed: every hourly year, one of them, and many sampled designs at one site."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

import numpy as np

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.evaluation import Sections
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plant_year import PlantYear, means_of, plants_over
from app.engine.facility.cooling.year import Year, full_year
from app.engine.facility.section import Cooling, Power, evaluate_facility
from app.engine.specs import Design
from app.engine.trace import Array
from bench.timing import Measurement, timed

PLANTS = (
    "air",
    "direct_liquid_dry",
    "direct_liquid_adiabatic",
    "direct_liquid_tower",
    "direct_liquid_chiller",
)
LIQUID_COOLED = "llama_3_1_405b_on_gb200_nvl72"
SAMPLED_PLANTS = {"direct_liquid_dry": "dry coolers", "direct_liquid_tower": "towers"}
COOLANT_SUPPLY_C = np.array([40.0])
SAMPLES = 10_000
SEED = 20261122
SPREAD = 0.05
SAMPLED_ASSUMPTIONS = (
    "training_power_utilisation",
    "house_load_share",
    "cdu_approach_k",
    "dry_cooler_approach_k",
    "dry_cooler_fan_power_share",
    "coolant_pump_efficiency",
    "hall_fan_power_share",
)
"""What differs between sampled designs beside coolant supply, rating and share of liquid."""


def facility_measurements(design: Design) -> Iterator[Measurement]:
    """`design` is liquid-cooled; of it the facility room alone is timed, with weather that is in memory."""
    rules: FacilityAssumptions = design.assumptions.rooms["facility"]
    catalog = ready_catalog()
    years = [full_year(catalog.climate(key).spec()) for key in sorted(catalog.keys("climate"))]

    def every_year() -> list[PlantYear]:
        return [plant_year(year, plant, rules) for year in years for plant in PLANTS]

    yield timed(f"{len(years)} hourly years x {len(PLANTS)} plants", every_year, runs=5, unit="s", aim=0.5)
    here = full_year(design.facility.site.climate)
    yield timed(
        "one hourly year of one plant",
        lambda: plant_year(here, "direct_liquid_tower", rules),
        runs=51,
        unit="ms",
        aim=2,
    )
    sections = evaluate(design).sections
    for plant, name in SAMPLED_PLANTS.items():
        run = functools.partial(facility_room, sampled(built_with(design, plant)), sections)
        yield timed(f"{SAMPLES:,} sampled designs, {name}", run, runs=5, unit="s", aim=0.5)


def built_with(design: Design, plant: str) -> Design:
    """The design with another plant."""
    return dataclasses.replace(design, facility=dataclasses.replace(design.facility, cooling=plant))


def facility_room(design: Design, sections: Sections) -> tuple[Power, Cooling]:
    """Power and cooling of sampled designs; what other rooms say of them is there already."""
    return evaluate_facility(
        supernode=design.supernode,
        pod=design.pod,
        facility=design.facility,
        fabric=sections.fabric,
        performance=sections.performance,
        reliability=sections.reliability,
        assumptions=design.assumptions.rooms["facility"],
    )


def plant_year(year: Year, plant: str, rules: FacilityAssumptions) -> PlantYear:
    """Both plants in every hour, and their means."""
    liquid, air = plants_over(year=year, plant=plant, coolant_supply_c=COOLANT_SUPPLY_C, assumptions=rules)
    return means_of(liquid=liquid, air=air, hours=year.hours)


def sampled(design: Design) -> Design:
    """The design with what its plants depend on spread about its values, in shape (samples, 1)."""
    generator = np.random.default_rng(SEED)

    def spread(value: Array) -> Array:
        return value * generator.uniform(1 - SPREAD, 1 + SPREAD, (SAMPLES, 1))

    rules = design.assumptions.rooms["facility"]
    varied = {name: spread(getattr(rules, name)) for name in SAMPLED_ASSUMPTIONS}
    supernode, facility = design.supernode, design.facility
    return dataclasses.replace(
        design,
        supernode=dataclasses.replace(
            supernode,
            liquid_share=spread(supernode.liquid_share),
            max_power_w=spread(supernode.max_power_w),
        ),
        facility=dataclasses.replace(facility, coolant_supply_c=spread(facility.coolant_supply_c)),
        assumptions=dataclasses.replace(
            design.assumptions,
            rooms={**design.assumptions.rooms, "facility": dataclasses.replace(rules, **varied)},
        ),
    )
