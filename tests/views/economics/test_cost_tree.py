"""The cost tree of scenarios: sums, buildings, discounts, what decides, and what is unknown."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.cost_tree import CostTree, cost_tree
from app.views.plain import report_json
from tests.scenarios.support import scenario

FLAGSHIP = "llama_3_1_405b_on_2048_dgx_h100"
SUMMED = ("price_usd", "usd_per_year", "tco_usd", "usd_per_accelerator_hour", "share")


def evaluated(**changes: Any) -> EvaluatedScenario:
    values = {
        "pod__supernodes": 128,
        "workload__global_batch_sequences": 1152,
        "parallelism": {"tp": 8, "pp": 1, "zero_stage": 1},
    } | changes
    return evaluate_scenario(build_scenario(scenario(**values)), ready_catalog())


def tree_of(found: EvaluatedScenario) -> CostTree:
    return cost_tree(found, ready_catalog())


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"economics__building": "colocation"},
        {"supernode__system": "gb200_nvl72", "pod__supernodes": 8},  # a price of all IT
        {"economics__residual_value": 0.5, "economics__wacc": 0.0},
    ],
)
def test_parts_sum_to_branches_and_branches_to_the_evaluation(changes: dict[str, Any]) -> None:
    found = evaluated(**changes)
    tree = tree_of(found)
    for name in SUMMED:
        for branch in tree.branches:
            parts = math.fsum(getattr(part, name) or 0.0 for part in branch.parts)
            assert getattr(branch.together, name) == pytest.approx(parts)
        whole = math.fsum(getattr(branch.together, name) for branch in tree.branches)
        assert whole == pytest.approx(getattr(tree.together, name), rel=1e-9), name
    cost = found.evaluation.sections.cost
    assert tree.together.tco_usd == cost.tco_usd[0]
    assert tree.together.share == 1
    assert tree.hours.used_usd == cost.usd_per_accelerator_hour[0]


def test_colocation_stands_in_place_of_the_building() -> None:
    owned, hired = (tree_of(evaluated(economics__building=word)) for word in ("owned", "colocation"))
    assert "colocation" not in {part.part for part in owned.parts}
    ours = {part.part for part in owned.parts} - {part.part for part in hired.parts}
    assert ours == {"facility", "land", "maintenance", "staff", "property_tax"}
    for tree, stated in ((owned, "owned"), (hired, "colocation")):
        case = next(case for case in tree.buildings if case.is_stated)
        assert case.building == stated
        # One is of the hours of a year, the other of the same year in bins.
        assert case.usd_per_accelerator_hour == pytest.approx(
            tree.together.usd_per_accelerator_hour, rel=1e-4
        )
    assert [case.capex_usd for case in owned.buildings] == [case.capex_usd for case in hired.buildings]


def test_colocation_is_paid_for_provisioned_power() -> None:
    found = evaluated(economics__building="colocation", economics__colocation_usd_per_kw_month=130)
    provisioned_kw = found.evaluation.sections.power.it_power_design_w[0] / 1e3
    part = next(part for part in tree_of(found).parts if part.part == "colocation")
    assert part.usd_per_year == pytest.approx(12 * 130 * provisioned_kw)
    assert part.basis == "scenario"
    assert part.price_usd is None


@pytest.mark.slow
def test_a_discount_is_taken_off_the_catalog_and_not_off_a_stated_price() -> None:
    def prices(**changes: Any) -> dict[str, float | None]:
        return {part.part: part.price_usd for part in tree_of(evaluated(**changes)).parts}

    listed, cheaper = prices(), prices(economics__price_discount=0.25)
    stated = prices(economics__price_discount=0.25, economics__supernode_price_usd=300_000)
    for part in ("servers", "spares", "network"):
        assert cheaper[part] == pytest.approx(0.75 * listed[part])
    assert cheaper["storage"] == listed["storage"]
    assert stated["servers"] == 128 * 300_000
    assert stated["network"] == cheaper["network"]


def test_capital_and_use_decide_and_energy_hardly_does() -> None:
    tree = tree_of(evaluate_example(FLAGSHIP, ready_catalog()))
    order = [lever.lever for lever in tree.levers]
    # a shorter life leaves more to sell, so that it moves an hour less than at a fixed resale value
    assert set(order[:3]) == {"utilisation", "price", "wacc"}
    assert set(order[3:]) == {"life_years", "electricity", "pue"}
    assert order[-1] == "pue"
    swings = [lever.swing_usd for lever in tree.levers]
    assert swings == sorted(swings, reverse=True)
    assert swings[0] > 100 * swings[-1]
    here = tree.together.usd_per_accelerator_hour
    for lever in tree.levers:
        ends = sorted((lever.usd_per_accelerator_hour_low, lever.usd_per_accelerator_hour_high))
        if lever.low <= lever.value <= lever.high:
            assert ends[0] <= here * (1 + 1e-4)
            assert here <= ends[1] * (1 + 1e-4)


@pytest.mark.slow
def test_levers_are_the_evaluation_of_the_changed_scenario() -> None:
    """A design evaluated alone, hour by hour, against its row of the block."""
    tree = tree_of(evaluated())
    for lever, field in (
        ("utilisation", "economics__utilisation"),
        ("life_years", "economics__life_years"),
        ("electricity", "economics__electricity_price_usd_per_kwh"),
        ("price", "economics__supernode_price_usd"),
    ):
        one = next(found for found in tree.levers if found.lever == lever)
        alone = evaluated(**{field: one.high}).evaluation.sections.cost.usd_per_accelerator_hour[0]
        assert one.usd_per_accelerator_hour_high == pytest.approx(alone, rel=1e-4), lever


def test_a_price_without_a_range_is_not_tried_and_that_is_said() -> None:
    tree = tree_of(evaluated(supernode__system="dgx_a100_320", pod__supernodes=8))
    assert "price" not in {lever.lever for lever in tree.levers}
    assert len(tree.notes) == 1


def test_every_part_says_where_its_price_comes_from() -> None:
    for part in tree_of(evaluated(supernode__system="gb200_nvl72", pod__supernodes=8)).parts:
        assert part.source
        assert part.basis in ("vendor", "measured", "third_party", "derived", "assumption", "scenario")
    tree = tree_of(evaluated(supernode__system="gb200_nvl72", pod__supernodes=8))
    network = next(part for part in tree.parts if part.part == "network")
    assert network.price_usd > 0  # the price of the SuperNodes is of the bare system


@pytest.mark.slow
def test_an_unknown_price_stays_unknown() -> None:
    own = {"custom": {"name": "Own", "accelerator": "nvidia_h100_nvl", "accelerators": 8, "max_power_w": 2e5}}
    tree = tree_of(evaluated(supernode=own, pod__supernodes=1, parallelism="auto"))
    answer = report_json(tree)
    servers = next(
        part for branch in answer["branches"] for part in branch["parts"] if part["part"] == "servers"
    )
    assert servers["price_usd"] is None
    assert servers["basis"] == "unknown"
    assert answer["together"]["tco_usd"] is None


@pytest.mark.slow
def test_a_mixed_pod_has_a_tree() -> None:
    found = evaluated(pod__also=[{"supernode": {"system": "dgx_h200"}, "supernodes": 64}])
    tree = tree_of(found)
    assert tree.together.tco_usd > 0
    assert "price" not in {lever.lever for lever in tree.levers}
    cheaper = tree_of(
        evaluated(
            pod__also=[{"supernode": {"system": "dgx_h200"}, "supernodes": 64}], economics__price_discount=0.2
        )
    )
    servers, less = (next(p.price_usd for p in one.parts if p.part == "servers") for one in (tree, cheaper))
    assert less == pytest.approx(0.8 * servers)
