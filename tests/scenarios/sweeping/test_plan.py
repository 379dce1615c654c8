"""Planning a sweep: which fields are columns, in what order designs stand, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.design import evaluate
from app.engine.leaves import leaves
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.chunks import MOST_ROWS, REFUSED, computed, cuts
from app.scenarios.sweeping.plan import SweepPlan, points_again
from tests.scenarios.support import scenario
from tests.scenarios.sweeping.conftest import Plan

WACC = {"field": "economics.wacc", "from": 0.02, "to": 0.2, "steps": 3}
UTILISATION = {"field": "economics.utilisation", "values": [0.5, 0.9]}
PODS = {"field": "pod.supernodes", "values": [8, 4]}
SITES = {"field": "facility.site", "values": ["ashburn", "stockholm"]}


def column(plan: SweepPlan, output: str) -> tuple[np.ndarray, np.ndarray]:
    found = [computed(plan.chunk(number)) for number in range(len(plan.cuts))]
    place = plan.outputs.index(output)
    values = np.concatenate([one.values[place] for one in found])
    return values, np.concatenate([one.limits for one in found])


def test_structure_varies_slowest_and_every_combination_is_there_once(plan: Plan) -> None:
    made = plan(WACC, PODS, UTILISATION)
    assert made.places == {
        "economics.wacc": "economics.wacc",
        "economics.utilisation": "economics.utilisation",
    }
    assert made.runs == [(0, 6), (6, 12)]
    inputs = made.inputs(0, made.count)
    assert list(inputs) == ["economics.wacc", "pod.supernodes", "economics.utilisation"]
    assert inputs["pod.supernodes"].tolist() == [8] * 6 + [4] * 6
    assert inputs["economics.utilisation"].tolist() == [0.5, 0.9] * 6
    rows = set(zip(*(found.tolist() for found in inputs.values()), strict=True))
    assert len(rows) == made.count == 12


@pytest.mark.parametrize(
    ("axis", "place"),
    [
        ({"field": "supernode.override.price_usd", "values": [2e5, 3e5]}, "supernode.price_usd"),
        ({"field": "assumptions.scenario.wacc", "values": [0.05, 0.1]}, "economics.wacc"),
        (
            {"field": "assumptions.performance.matmul_fraction", "values": [0.5, 0.9]},
            "assumptions.performance.matmul_fraction",
        ),
        (
            {"field": "economics.water_price_usd_per_m3", "values": [1, 2]},
            "facility.site.water_price_usd_per_m3",
        ),
        # zero is taken for "not stated" there
        ({"field": "economics.water_price_usd_per_m3", "values": [0, 2]}, None),
        # servers to a rack follow from it, for each value
        ({"field": "supernode.override.max_power_w", "values": [9000, 12000]}, "supernode.max_power_w"),
        # the plant is chosen by it
        ({"field": "facility.coolant_supply_c", "values": [20, 30]}, None),
        ({"field": "workload.global_batch_sequences", "values": [128, 256]}, None),
        ({"field": "parallelism.tp", "values": [1, 2]}, None),
        ({"field": "parallelism.sequence_parallel", "values": [True, False]}, None),
        ({"field": "facility.redundancy", "values": ["N", "2N"]}, None),
    ],
)
def test_a_field_is_a_column_only_where_that_is_right(
    plan: Plan, axis: dict[str, Any], place: str | None
) -> None:
    assert plan(axis).places.get(axis["field"]) == place


def test_where_a_layout_is_searched_for_what_it_depends_on_is_structure(plan: Plan) -> None:
    searched = scenario(pod__supernodes=8, workload__global_batch_sequences=128)
    bandwidth = {
        "field": "supernode.override.accelerator.memory_bandwidth_bytes_per_s",
        "values": [2e12, 3e12],
    }
    assert plan(WACC, bandwidth).places.keys() == {WACC["field"], bandwidth["field"]}
    assert plan(WACC, bandwidth, scenario=searched).places.keys() == {WACC["field"]}
    auto = {"field": "parallelism", "values": ["auto"]}
    assert plan(auto, WACC, bandwidth).places.keys() == {WACC["field"]}


@pytest.mark.slow
@pytest.mark.parametrize("index", [0, 5, 11])
def test_a_design_of_a_sweep_is_its_scenario_evaluated(plan: Plan, index: int) -> None:
    made = plan(WACC, SITES, UTILISATION, outputs=["cost.tco_usd", "performance.mfu"])
    found, _ = column(made, "cost.tco_usd")
    alone = evaluate(resolve(made.scenario_at(index), made.catalog).design)
    assert found[index] == dict(leaves(alone.sections))["cost.tco_usd"].item()


def test_what_the_scenario_refuses_is_a_design_without_figures(plan: Plan) -> None:
    """Thirty-three SuperNodes have 132 replicas for 128 sequences; three pad them."""
    values, limits = column(plan({"field": "pod.supernodes", "values": [8, 33, 3]}, WACC), "cost.tco_usd")
    assert (limits == REFUSED).tolist() == [False] * 3 + [True] * 3 + [False] * 3
    assert np.isnan(values).tolist() == (limits == REFUSED).tolist()


@pytest.mark.parametrize(
    ("axis", "words"),
    [
        (
            {"field": "economics.wac", "values": [1]},
            "axes[0].field: 'economics.wac' is not a field of a scenario. Nearest: economics.wacc",
        ),
        ({"field": "name", "values": ["a"]}, "is not a field of a scenario"),
        (
            {"field": "economics.wacc", "values": [0.1, 7]},
            "axes[0].values: economics.wacc: 7 must be at most 1.",
        ),
        (
            {"field": "economics.wacc", "from": 0, "to": 2, "steps": 3},
            "axes[0].to: economics.wacc: 2.0 must be at most 1.",
        ),
        (
            {"field": "facility.site", "values": ["ashbrn"]},
            "axes[0].values: facility.site: 'ashbrn' is not in the catalog of sites. Nearest: ashburn",
        ),
        (
            {"field": "facility.site.name", "values": ["x"]},
            "site is 'ashburn' in the scenario, so site.name has no place",
        ),
        (
            {"field": "assumptions.performance.matmul", "values": [1]},
            "Nearest: assumptions.performance.matmul",
        ),
    ],
)
def test_what_no_scenario_takes_is_refused_at_once(plan: Plan, axis: dict[str, Any], words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        plan(axis)
    assert words in str(caught.value)
    assert len(caught.value.errors) == 1


def test_too_many_designs_are_refused(plan: Plan) -> None:
    many = [
        {"field": f"economics.{name}", "from": 0.1, "to": 0.9, "steps": 2000}
        for name in ("wacc", "utilisation")
    ]
    with pytest.raises(ScenarioError, match="2,000 x 2,000 = 4,000,000 designs, more than 2,000,000"):
        plan(*many)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("performance.mfuu", "Nearest: performance.mfu"),
        ("cooling.pue_by_hour", "is not a figure"),
    ],
)
def test_outputs_are_figures_of_the_evaluation(plan: Plan, output: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        plan(WACC, outputs=[output])


def test_steps_of_a_whole_field_are_whole_and_once_each(plan: Plan) -> None:
    axis = {"field": "workload.global_batch_sequences", "from": 64, "to": 70, "steps": 50}
    made = plan(axis)
    assert made.inputs(0, made.count)[axis["field"]].tolist() == [64, 65, 66, 67, 68, 69, 70]


def test_steps_on_a_log_scale_have_a_constant_ratio(plan: Plan) -> None:
    axis = {"field": "workload.tokens", "from": 1e9, "to": 1e13, "steps": 5, "scale": "log"}
    levels = plan(axis).inputs(0, 5)["workload.tokens"]
    assert levels[[0, -1]].tolist() == [1e9, 1e13]
    np.testing.assert_allclose(levels[1:] / levels[:-1], 10)


@pytest.mark.parametrize("kind", ["latin_hypercube", "sobol"])
def test_a_sample_is_seeded_and_ordered_by_structure(plan: Plan, kind: str) -> None:
    axes = [
        {"field": "economics.wacc", "from": 0.02, "to": 0.2},
        PODS,
        {"field": "workload.tokens", "from": 1e11, "to": 1e13, "scale": "log"},
    ]

    def drawn(seed: int, axes: list[dict[str, Any]] = axes) -> dict[str, list[Any]]:
        made = plan(*axes, sample={"kind": kind, "count": 50, "seed": seed})
        assert made.count == 50
        return {name: found.tolist() for name, found in made.inputs(0, 50).items()}

    first = drawn(1)
    assert first == drawn(1) == drawn(1, axes[::-1])
    assert first != drawn(2)
    assert first["pod.supernodes"] == sorted(first["pod.supernodes"], reverse=True)
    assert set(first["pod.supernodes"]) == {8, 4}
    assert all(0.02 <= value <= 0.2 for value in first["economics.wacc"])
    if kind == "latin_hypercube":  # one design in each fiftieth of the range
        places = np.floor((np.array(first["economics.wacc"]) - 0.02) / 0.18 * 50)
        assert sorted(places.tolist()) == list(range(50))


def test_designs_are_found_again_without_a_catalog(plan: Plan) -> None:
    made = plan(WACC, PODS, UTILISATION)
    _, points = points_again(made.written_out, [axis.field for axis in made.points.columns])
    for axis in made.axes:
        assert points.values(axis, 0, 12).tolist() == made.points.values(axis, 0, 12).tolist()


@settings(max_examples=30)
@given(
    lengths=st.lists(st.one_of(st.integers(1, 50), st.integers(1, 3 * MOST_ROWS)), min_size=1, max_size=30),
    most_runs=st.integers(1, 8),
)
def test_chunks_cover_a_sweep_once_and_stay_small(lengths: list[int], most_runs: int) -> None:
    ends = np.cumsum(lengths).tolist()
    runs = list(zip([0, *ends[:-1]], ends, strict=True))
    found = list(cuts(runs, most_runs))
    assert [start for start, _ in found] == [0, *(stop for _, stop in found[:-1])]
    assert found[-1][1] == ends[-1]
    for start, stop in found:
        touched = sum(begin < stop and end > start for begin, end in runs)
        assert 1 <= touched <= most_runs
        assert stop - start <= MOST_ROWS * most_runs
