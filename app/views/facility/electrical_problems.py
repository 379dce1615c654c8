"""Sizes from which the electrical chain of a scenario cannot be built."""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.electrical.loads import ChainLoads
from app.engine.facility.electrical.problems import unit_size_problem
from app.engine.facility.electrical.sizing import line_power_w
from app.engine.problems import Problem
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario

OWN_UNITS = {
    "utility_feed": "utility_feed_unit_w",
    "generator": "generator_unit_w",
    "busway": "busway_current_a",
    "rack_feed": "feeder_current_{standard}_a",
    "shelf": "shelf_unit_w",
}


def electrical_problems(
    evaluated: EvaluatedScenario,
    chain: Chain,
    loads: ChainLoads,
    facility: FacilityAssumptions,
    electrical: ElectricalAssumptions,
) -> tuple[Problem, ...]:
    """Redundancy and unit-size problems of the electrical chain."""
    found = [problem for problem in evaluated.problems if problem.constraint == "unit size"]
    for kind, field in OWN_UNITS.items():
        name = field.format(standard=chain.standard)
        current = name.endswith("_a")
        load_w = first_of(loads.carried_w[kind])
        if np.isnan(load_w):
            continue
        problem = unit_size_problem(
            field=f"assumptions.electrical.{name}",
            name=chain.title(kind).lower(),
            value=first_of(getattr(electrical, name)),
            load_w=load_w,
            most=first_of(facility.electrical_most_units),
            watts_each=first_of(line_power_w(np.ones(1), chain, electrical)) if current else 1.0,
            unit="A" if current else "W",
        )
        if problem:
            found.append(problem)
    return tuple(found)
