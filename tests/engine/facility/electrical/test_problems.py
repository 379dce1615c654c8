"""Redundancy that cannot be built from the unit sizes: named with field, value and a way out."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.electrical.problems import redundancy_problems, unit_size_problem
from app.engine.facility.electrical.redundancy import SCHEMES
from tests.engine.facility.cases import defaults
from tests.support import number


def problems(design_w, redundancy="2N", **units):
    given = dataclasses.replace(defaults(), **{name: number(value) for name, value in units.items()})
    return redundancy_problems(it_power_design_w=number(design_w), redundancy=redundancy, assumptions=given)


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_usual_sizes_build_every_scheme(scheme):
    assert problems(1e6, scheme) == []


@pytest.mark.parametrize(("scheme", "each"), [("3N/2", "60 kW"), ("4N/3", "40 kW")])
def test_a_load_that_is_split_too_finely(scheme, each):
    (problem,) = problems(120e3, scheme)
    assert (problem.kind, problem.field, problem.constraint) == (
        "infeasible",
        "facility.redundancy",
        "unit size",
    )
    assert each in problem.message
    assert (problem.limit, problem.fix.value) == (100e3, "2N")
    assert problems(120e3, problem.fix.value) == []


def test_small_units_of_ones_own_may_be_split():
    units = {f"{stage}_unit_w": 50e3 for stage in ("ups", "distribution", "lv_transformer", "mv_transformer")}
    assert problems(120e3, "3N/2", **units) == []


def test_a_unit_so_small_that_too_many_are_needed():
    (problem,) = problems(20e6, ups_unit_w=1000)
    assert problem.field == "assumptions.facility.ups_unit_w"
    assert "20,000 of a UPS of 1,000 W" in problem.message
    assert (problem.value, problem.limit, problem.missed_by) == (20_000, 10_000, 10_000)
    assert problems(20e6, ups_unit_w=problem.fix.value) == []


@pytest.mark.parametrize("size", [0, -5e5])
def test_a_size_that_is_none(size):
    (problem,) = problems(1e6, "3N/2", ups_unit_w=size)
    assert problem.field == "assumptions.facility.ups_unit_w"
    assert "must be above 0" in problem.message
    assert problems(1e6, "3N/2", ups_unit_w=problem.fix.value) == []


def test_an_unknown_load_is_no_problem_of_redundancy():
    assert problems(np.nan, "3N/2") == []


def test_sizes_in_ampere_are_told_in_ampere():
    given = {
        "field": "f",
        "name": "rack feed",
        "load_w": 132e3,
        "most": 100,
        "watts_each": 563.5,
        "unit": "A",
    }
    assert unit_size_problem(value=60, **given) is None
    tiny = unit_size_problem(value=1, **given)
    assert (tiny.value, tiny.fix.value) == (235, 3)
    none = unit_size_problem(value=0, **given)
    assert "0 A" in none.message
    assert none.fix.value == 235
