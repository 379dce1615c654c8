"""Counts next to refused ones: they are feasible, none that was tried is nearer, and a sweep by doubling meets none."""

from __future__ import annotations

import math

import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.axes import planned_axis, scenario_with
from app.scenarios.sweeping.document import AxisDocument
from app.scenarios.sweeping.nearest import candidates, nearest_feasible
from tests.support import read_example

META = read_example("llama_3_1_405b_on_2048_dgx_h100").as_dict()
PODS = "pod.supernodes"


def feasible(fields: dict[str, int]) -> bool:
    try:
        design = resolve(scenario_with(META, fields), ready_catalog()).design
    except ScenarioError:
        return False
    return not any(problem.kind == "infeasible" for problem in evaluate(design).problems)


def test_the_nearest_count_that_a_layout_divides() -> None:
    """tp 8 x pp 16 is 128 accelerators, 16 SuperNodes; 2,048 sequences need a power of two of such groups."""
    assert not feasible({PODS: 458})
    assert nearest_feasible(META, {PODS: 458}, PODS, ready_catalog()) == 512
    assert nearest_feasible(META, {PODS: 300}, PODS, ready_catalog()) == 256


@pytest.mark.parametrize("value", [458, 300, 1267])
def test_what_is_offered_is_feasible_and_nearest(value: int) -> None:
    found = nearest_feasible(META, {PODS: value}, PODS, ready_catalog())
    if found is None:
        assert not any(feasible({PODS: one}) for one in candidates(value))
        return
    assert feasible({PODS: found})
    nearer = [one for one in candidates(value) if abs(math.log(one / value)) < abs(math.log(found / value))]
    assert not any(feasible({PODS: one}) for one in nearer)


def test_a_sweep_of_supernodes_by_doubling_meets_no_refusal() -> None:
    """256 to 4,096 in twenty even steps left one design of twenty."""
    document = AxisDocument.model_validate({"field": PODS, "from": 256.0, "to": 4096.0, "scale": "doubling"})
    axis = planned_axis(document, META, 0, sampled=False)
    assert axis.levels == (256, 512, 1024, 2048, 4096)
    assert all(feasible({PODS: level}) for level in axis.levels)


@pytest.mark.parametrize(
    ("first", "last", "levels"), [(3, 25, (3, 6, 12, 24)), (1, 2, (1, 2)), (5, 9.9, (5,))]
)
def test_doubling_stops_below_its_end(first: float, last: float, levels: tuple[int, ...]) -> None:
    document = AxisDocument.model_validate(
        {"field": PODS, "from": float(first), "to": float(last), "scale": "doubling"}
    )
    edge = read_example("edge_node").as_dict()
    assert planned_axis(document, edge, 0, sampled=False).levels == levels


@pytest.mark.parametrize("value", [True, "all", 0.5, 0, -2])
def test_only_counts_have_a_nearest(value: object) -> None:
    assert nearest_feasible(META, {PODS: value}, PODS, ready_catalog()) is None
