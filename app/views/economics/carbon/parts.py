"""What the run's carbon is made of: electricity by what draws it, and its share of making the machines."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from app.engine.economics.bills import yearly_hours
from app.engine.economics.carbon.boundaries import power_parts_w
from app.engine.economics.carbon.embodied import run_share_of_life
from app.engine.economics.carbon.operational import operational_part_kg
from app.engine.trace import Origin, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run
from app.views.economics.carbon.options import CarbonOptions
from app.views.economics.carbon.report import CarbonPart
from app.views.economics.carbon.words import EMBODIED, PARTS, PURPOSE

INTENSITY = "facility.site.carbon_intensity_kg_per_kwh"
STATED = "stated in the scenario"


def used_hours_per_year(scenario: EvaluatedScenario) -> float:
    """Accelerator-hours of the pod with work in a year."""
    design = scenario.resolved.whole
    hours = yearly_hours(
        design.supernode, design.pod, design.economics, scenario.evaluation.sections.reliability
    )
    return first_of(hours["used"])


def operational_parts(scenario: EvaluatedScenario) -> tuple[CarbonPart, ...]:
    """Electricity of the run by what draws it."""
    sections = scenario.evaluation.sections
    source = _said(scenario.resolved.origins[INTENSITY])
    return tuple(
        CarbonPart(
            key=name,
            title=PARTS[name],
            kind="operational",
            kg_per_run=first_of(
                operational_part_kg(
                    part_power_w=power_w,
                    elapsed_time_s=of_a_run(sections.performance.elapsed_time_s, PURPOSE),
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
    """What the evaluation knows of, and what is stated beside it."""
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
    facility_life = scenario.resolved.whole.assumptions.rooms["economics"].facility_life_years
    lives = {
        "network": economics.life_years,
        "storage": economics.life_years,
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
    """Where an input comes from; nothing where it is unknown, as then nobody stated it."""
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
