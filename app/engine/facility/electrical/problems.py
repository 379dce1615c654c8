"""Redundancy that cannot be built from the unit sizes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical.chain import STAGES
from app.engine.facility.electrical.redundancy import SCHEMES, units_that_suffice
from app.engine.problems import Fix, Problem
from app.engine.trace import Array, plain

STAGE_NAMES = {
    "distribution": "switchboard",
    "ups": "UPS",
    "lv_transformer": "LV transformer",
    "mv_transformer": "MV transformer",
}
AFFECTED = ("power.electrical_losses_w", "cooling.pue")


def redundancy_problems(
    *, it_power_design_w: Array, redundancy: str, assumptions: FacilityAssumptions
) -> list[Problem]:
    """Unit sizes that are none, sizes that need too many units, and schemes that split a load too finely.

    Of units that are too small only the smallest is named.
    """
    design_w = _value(it_power_design_w)
    if not design_w > 0:
        return []  # unknown: said where unknown inputs are gathered
    problems = []
    unit_w: dict[str, float] = {}
    for stage in STAGES:
        largest_w = _value(getattr(assumptions, f"{stage}_unit_w"))
        problem = unit_size_problem(
            field=_field(stage),
            name=STAGE_NAMES[stage],
            value=largest_w,
            load_w=design_w,
            most=_value(assumptions.electrical_most_units),
            affects=AFFECTED,
        )
        if problem:
            problems.append(problem)
        else:
            unit_w[stage] = largest_w
    if SCHEMES[redundancy].set_needs > 1:
        smallest_w = _value(assumptions.electrical_smallest_unit_w)
        needed_w = {
            stage: _needed_unit_w(design_w, largest_w, redundancy)
            for stage, largest_w in unit_w.items()
            if largest_w > smallest_w  # else the scenario says that smaller ones are sold
        }
        stage = min(needed_w, key=lambda name: needed_w[name], default="")
        if stage and needed_w[stage] < smallest_w:
            problems.append(_too_small(stage, needed_w[stage], smallest_w, redundancy))
    return problems


def unit_sizes_broken(
    *, it_power_design_w: Array, redundancy: str, assumptions: FacilityAssumptions
) -> NDArray[np.bool_]:
    """Return whether each sample has such a problem, (1,) or (s, 1); what is unknown has none."""
    design_w, smallest_w = plain(it_power_design_w), plain(assumptions.electrical_smallest_unit_w)
    broken = np.zeros(1, dtype=bool)
    for stage in STAGES:
        largest_w = plain(getattr(assumptions, f"{stage}_unit_w"))
        needed = np.ceil(design_w / largest_w)
        usable = (largest_w > 0) & ~(needed > plain(assumptions.electrical_most_units))
        broken = broken | ((design_w > 0) & ~usable)
        if SCHEMES[redundancy].set_needs > 1:
            each_w = design_w / units_that_suffice(needed=needed, redundancy=redundancy)
            broken = broken | (usable & (largest_w > smallest_w) & (each_w < smallest_w))
    return broken


def unit_size_problem(
    *,
    field: str,
    name: str,
    value: float,
    load_w: float,
    most: float,
    watts_each: float = 1.0,
    unit: str = "W",
    affects: tuple[str, ...] = (),
) -> Problem | None:
    """A size that is none, or of which a load takes too many units.

    Parameters
    ----------
    value : the size as the scenario states it, of which each carries `watts_each`
    most : units of one kind
    """
    if not value > 0:
        enough = math.ceil(load_w / watts_each)
        return Problem(
            kind="infeasible",
            field=field,
            constraint="unit size",
            message=f"A {name} of {value:,g} {unit} carries nothing: its size must be above 0.",
            value=value,
            limit=0.0,
            missed_by=0.0 - value,
            unit=unit,
            fix=Fix(
                field=field, value=float(enough), message=f"One of {enough:,} {unit} would carry the load."
            ),
            affects=affects,
        )
    units = math.ceil(load_w / (value * watts_each))
    if units <= most:
        return None
    enough = math.ceil(load_w / most / watts_each)
    return Problem(
        kind="infeasible",
        field=field,
        constraint="unit size",
        message=f"It takes {units:,} of a {name} of {value:,g} {unit}, and {most:,.0f} is the most.",
        value=float(units),
        limit=most,
        missed_by=units - most,
        unit="1",
        fix=Fix(field=field, value=float(enough), message=f"Take {enough:,} {unit} or more."),
        affects=affects,
    )


def _value(array: Array) -> float:
    """The middle of the samples: the value itself where there is one."""
    values = sorted(float(part) for part in plain(array).ravel())
    return values[len(values) // 2]


def _needed_unit_w(design_w: float, unit_w: float, redundancy: str) -> float:
    needed = np.array([math.ceil(design_w / unit_w)], dtype=float)
    return design_w / float(units_that_suffice(needed=needed, redundancy=redundancy)[0])


def _field(stage: str) -> str:
    return f"assumptions.facility.{stage}_unit_w"


def _too_small(stage: str, needed_w: float, limit_w: float, redundancy: str) -> Problem:
    return Problem(
        kind="infeasible",
        field="facility.redundancy",
        constraint="unit size",
        message=f"{redundancy} makes each {STAGE_NAMES[stage]} {_power(needed_w)} small, and the "
        f"smallest is {_power(limit_w)} (assumptions.facility.electrical_smallest_unit_w).",
        value=needed_w,
        limit=limit_w,
        missed_by=limit_w - needed_w,
        unit="W",
        fix=Fix(field="facility.redundancy", value="2N", message="Take 2N, which splits no load."),
        affects=AFFECTED,
    )


def _power(watts: float) -> str:
    return f"{watts / 1e3:,.4g} kW" if watts < 1e6 else f"{watts / 1e6:,.4g} MW"
