"""Blocks of designs beside single evaluations: the same figures, and the same limits."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.design import evaluate
from app.engine.explore.job_sizes import evaluate_block, with_number
from app.engine.explore.limits import LIMITS
from app.engine.leaves import leaves
from app.engine.specs import Design

OUTPUTS = (
    "performance.step_time_s",
    "performance.mfu",
    "reliability.ettr",
    "power.utility_mean_w",
    "cooling.pue",
    "cost.tco_usd",
    "carbon.total_kg",
)
AFTER_COOLING = ("power.utility_mean_w", "cooling.pue", "cost.tco_usd", "carbon.total_kg")
PLACES = (
    "economics.wacc",
    "economics.utilisation",
    "facility.site.electricity_price_usd_per_kwh",
    "workload.tokens",
    "supernode.accelerator.memory_bandwidth_bytes_per_s",
    "supernode.accelerator.tdp_w",
    "supernode.max_power_w",
    "assumptions.performance.matmul_fraction",
    "assumptions.operations.failures_per_node_day",
)


def number_at(design: Design, path: str) -> float:
    found: Any = design
    for name in path.split("."):
        found = found.rooms[name] if hasattr(found, "rooms") else getattr(found, name)
    return float(found[0])


def columns_of(design: Design, factors: dict[str, list[float]]) -> dict[str, np.ndarray]:
    return {path: number_at(design, path) * np.array(column) for path, column in factors.items()}


FACTOR = st.floats(0.6, 1.4)
ROWS = 5


@pytest.mark.slow
@settings(max_examples=15)
@given(
    places=st.lists(st.sampled_from(PLACES), min_size=1, max_size=3, unique=True),
    factors=st.lists(st.lists(FACTOR, min_size=ROWS, max_size=ROWS), min_size=3, max_size=3),
)
def test_a_design_comes_out_the_same_whatever_stands_beside_it(
    design: Design, places: list[str], factors: list[list[float]]
) -> None:
    columns = columns_of(design, dict(zip(places, factors, strict=False)))
    together = evaluate_block(design, columns, ROWS, OUTPUTS)
    for row in range(ROWS):
        alone = {place: column[row : row + 1] for place, column in columns.items()}
        single = evaluate_block(design, alone, 1, OUTPUTS)
        np.testing.assert_array_equal(together.values[:, row], single.values[:, 0])
        assert together.limits[row] == single.limits[0]


@pytest.mark.slow
@settings(max_examples=15)
@given(place=st.sampled_from(PLACES), factor=FACTOR)
def test_it_is_the_figure_of_a_single_evaluation(design: Design, place: str, factor: float) -> None:
    """Bit for bit, but for what depends on a year of weather: a block has it in bins, within 1e-5."""
    column = number_at(design, place) * np.array([factor])
    found = evaluate_block(design, {place: column}, 1, OUTPUTS).values[:, 0]
    figures = dict(leaves(evaluate(with_number(design, place, column)).sections))
    for path, value in zip(OUTPUTS, found, strict=True):
        expected = figures[path].item()
        assert value == (pytest.approx(expected, rel=1e-5) if path in AFTER_COOLING else expected)


def test_without_columns_it_is_the_single_evaluation_itself(design: Design) -> None:
    found = evaluate_block(design, {}, 1, OUTPUTS).values[:, 0]
    figures = dict(leaves(evaluate(design).sections))
    assert found.tolist() == pytest.approx([figures[path].item() for path in OUTPUTS], rel=1e-12)


def test_what_is_absent_or_unknown_is_not_a_number(design: Design) -> None:
    unknown = {"supernode.accelerator.tdp_w": np.array([np.nan, 700.0])}
    found = evaluate_block(design, unknown, 2, ("fabric.tiers[9].switches", "power.accelerator_tdp_power_w"))
    assert np.isnan(found.values[0]).all()
    assert np.isnan(found.values[1]).tolist() == [True, False]


BREAKING = {
    "memory": ("supernode.accelerator.memory_bytes", 20e9),
    "storage write bandwidth": ("operations.storage.write_bandwidth_bytes_per_s", 1e3),
    "rack density": ("supernode.max_power_w", 400e3),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "constraints", [*itertools.combinations(BREAKING, 1), *itertools.combinations(BREAKING, 2)]
)
def test_a_limit_is_broken_exactly_where_its_problem_says_so(
    design: Design, constraints: tuple[str, ...]
) -> None:
    blocking = replace(design, operations=replace(design.operations, checkpoint="blocking"))
    bent = blocking
    for name in constraints:
        place, value = BREAKING[name]
        bent = with_number(bent, place, np.array([value]))
    for one in (blocking, bent):
        problems = [problem.constraint for problem in evaluate(one).problems if problem.kind == "infeasible"]
        code = int(evaluate_block(one, {"economics.wacc": np.array([0.1])}, 1, OUTPUTS).limits[0])
        assert (LIMITS[code - 1] if code else None) == (problems[0] if problems else None)
    assert code


@pytest.mark.slow
@pytest.mark.parametrize("plant", ["air_tower", "direct_liquid_dry", "liquid_to_air", "immersion_dry"])
@pytest.mark.parametrize("liquid_share", [0.0, 0.8])
def test_a_plant_that_does_not_do_breaks_the_limit_of_its_problem(
    design: Design, plant: str, liquid_share: float
) -> None:
    facility = replace(design.facility, cooling=plant, coolant_supply_c=np.array([30.0]))
    bent = with_number(replace(design, facility=facility), "supernode.liquid_share", np.array([liquid_share]))
    problems = [problem.constraint for problem in evaluate(bent).problems if problem.kind == "infeasible"]
    code = int(evaluate_block(bent, {"economics.wacc": np.array([0.1])}, 1, OUTPUTS).limits[0])
    assert (LIMITS[code - 1] if code else None) == (problems[0] if problems else None)


@pytest.mark.slow
@pytest.mark.parametrize("unit_w", [-1.0, 0.0, 10.0])
@pytest.mark.parametrize("limit_w", [None, 1e3])
def test_units_and_utility_break_the_limits_of_their_problems(
    design: Design, unit_w: float, limit_w: float | None
) -> None:
    bent = with_number(design, "assumptions.facility.ups_unit_w", np.array([unit_w]))
    granted = None if limit_w is None else np.array([limit_w])
    for sized in (bent, design):
        one = replace(sized, facility=replace(sized.facility, utility_limit_w=granted))
        problems = [problem.constraint for problem in evaluate(one).problems if problem.kind == "infeasible"]
        code = int(evaluate_block(one, {"economics.wacc": np.array([0.1])}, 1, OUTPUTS).limits[0])
        assert (LIMITS[code - 1] if code else None) == (problems[0] if problems else None)


@pytest.mark.slow
@pytest.mark.parametrize("redundancy", ["3N/2", "4N/3"])
@pytest.mark.parametrize("unit_w", [0.3, 1.0, 1e6])
def test_units_that_split_too_finely_break_their_limit(
    design: Design, redundancy: str, unit_w: float
) -> None:
    small = replace(design, facility=replace(design.facility, redundancy=redundancy))
    for name in ("distribution", "ups", "lv_transformer", "mv_transformer"):
        small = with_number(small, f"assumptions.facility.{name}_unit_w", np.array([unit_w * 1e6]))
    small = with_number(small, "assumptions.facility.electrical_smallest_unit_w", np.array([0.25e6]))
    problems = [problem.constraint for problem in evaluate(small).problems if problem.kind == "infeasible"]
    code = int(evaluate_block(small, {"economics.wacc": np.array([0.1])}, 1, OUTPUTS).limits[0])
    assert (LIMITS[code - 1] if code else None) == (problems[0] if problems else None)


@pytest.mark.slow
def test_limits_of_structure_are_those_of_the_problems(design: Design, crowded: Design) -> None:
    apart = replace(
        design, pod=replace(design.pod, fabric=replace(design.pod.fabric, topology="none", switch=None))
    )
    for one in (apart, crowded):
        problems = [problem.constraint for problem in evaluate(one).problems if problem.kind == "infeasible"]
        code = int(evaluate_block(one, {}, 1, OUTPUTS).limits[0])
        assert LIMITS[code - 1] == problems[0]


def test_only_the_rows_that_break_a_limit_are_marked(design: Design) -> None:
    memory = {"supernode.accelerator.memory_bytes": np.array([80e9, 1e9, 80e9])}
    assert evaluate_block(design, memory, 3, OUTPUTS).limits.tolist() == [0, LIMITS.index("memory") + 1, 0]
