"""Growth and sizes of a scenario: what is usual, where prices come from, what cannot be asked."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document
from app.views.fabric.growth import GrowthOptions, fabric_growth
from app.views.fabric.sizes import SizesOptions, fabric_sizes, usual_sizes
from tests.scenarios.support import document


@pytest.fixture(scope="module")
def pod() -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=128), ready_catalog())


def refused(kind: Any, values: dict[str, Any], pod: EvaluatedScenario) -> tuple[str, str]:
    run = fabric_growth if kind is GrowthOptions else fabric_sizes
    with pytest.raises(ScenarioError) as caught:
        run(pod, build_document(kind, values))
    return caught.value.errors[0].path, caught.value.errors[0].rule


@pytest.mark.slow
def test_a_pod_grows_in_four_steps_unless_told(pod: EvaluatedScenario) -> None:
    found = fabric_growth(pod, GrowthOptions())
    each, final = found.plans
    assert [stage.supernodes for stage in each.stages] == [32, 64, 96, 128]
    assert (each.layout, final.layout) == ("each_stage", "final_size")
    assert final.moved_links == 0
    assert each.moved_links is not None
    assert each.moved_links > 0
    last = each.stages[-1]
    assert last.nics == 1024
    assert [tier.switches for tier in last.tiers] == [32, 16]
    assert last.price_so_far_usd == each.price_usd


def test_the_sum_of_the_stages_is_the_price_of_the_fabric(pod: EvaluatedScenario) -> None:
    found = fabric_growth(pod, GrowthOptions())
    fabric = float(pod.evaluation.sections.fabric.network_price_usd[0])
    for plan in found.plans:
        assert plan.price_usd.typical == pytest.approx(fabric)
        assert plan.price_usd.low is not None
        assert plan.price_usd.high is not None
        assert plan.price_usd.low < fabric < plan.price_usd.high


def test_sizes_have_the_pod_of_the_scenario(pod: EvaluatedScenario) -> None:
    found = fabric_sizes(pod, SizesOptions())
    assert found.here == 1024
    assert found.accelerators[-1] == 2048 * 8
    here = found.accelerators.index(1024)
    own = next(one for one in found.topologies if one.here)
    assert own.topology == "rail_fat_tree"
    fabric = pod.evaluation.sections.fabric
    assert own.points[here].price_usd.typical == pytest.approx(float(fabric.network_price_usd[0]))
    assert own.points[here].power_w == pytest.approx(float(fabric.network_power_w[0]))
    assert {one.metric for one in found.crossings} <= {"price_usd", "power_w"}
    assert {96.0, 100.0} <= set(usual_sizes(100))


def test_what_is_asked_is_what_is_compared(pod: EvaluatedScenario) -> None:
    asked = build_document(
        SizesOptions, {"topologies": ["dragonfly", "fat_tree", "dragonfly"], "supernodes": [4, 64]}
    )
    found = fabric_sizes(pod, asked)
    assert [one.topology for one in found.topologies] == ["dragonfly", "fat_tree"]
    assert found.supernodes == (4, 64)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        (GrowthOptions, {"stages": [64, 32]}, ("stages", "rising")),
        (GrowthOptions, {"stages": [64]}, ("stages", "two_stages")),
        (GrowthOptions, {"stages": [64, 900_000]}, ("stages[1]", "too_many_links")),
        (SizesOptions, {"topologies": ["clos"]}, ("topologies[0]", "unknown_topology")),
        (SizesOptions, {"supernodes": [64, 64]}, ("supernodes", "rising")),
        (SizesOptions, {"supernodes": [64]}, ("supernodes", "two_sizes")),
    ],
)
def test_what_cannot_be_asked(
    kind: Any, values: dict[str, Any], expected: tuple[str, str], pod: EvaluatedScenario
) -> None:
    assert refused(kind, values, pod) == expected


def test_a_pod_of_one_has_no_fabric_to_size() -> None:
    alone = evaluate_scenario(document(pod__supernodes=1), ready_catalog())
    place = "scenario.pod.fabric.topology", "no_fabric"
    assert refused(GrowthOptions, {"stages": [1, 2]}, alone) == place
    assert refused(SizesOptions, {}, alone) == place


@pytest.mark.slow
@pytest.mark.parametrize("topology", ["fat_tree", "rail_only", "dual_tor", "dragonfly", "dragonfly_plus"])
def test_every_way_to_join_can_be_written_in_a_scenario(topology: str) -> None:
    found = evaluate_scenario(
        document(pod__supernodes=64, pod__fabric={"topology": topology}), ready_catalog()
    )
    assert found.evaluation.sections.fabric.topology == topology
    assert [each for each in found.problems if each.kind == "infeasible" and "fabric" in each.field] == []


@pytest.mark.slow
def test_a_fabric_that_cannot_be_built_does_not_grow() -> None:
    lattice = evaluate_scenario(
        document(pod__supernodes=100, pod__fabric={"topology": "torus_2d", "shape": "4 x 4"}), ready_catalog()
    )
    with pytest.raises(ScenarioError) as caught:
        fabric_growth(lattice, GrowthOptions())
    assert caught.value.errors[0].rule == "cannot_be_built"
    assert "A lattice of 4 x 4 holds" in caught.value.errors[0].message
