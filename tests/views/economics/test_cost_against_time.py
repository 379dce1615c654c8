"""The job on several systems: points are evaluations, the front is a front, and what is unknown stays so."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.economics.cost_against_time import (
    CostAgainstTime,
    CostAgainstTimeOptions,
    cost_against_time_answer,
)
from app.views.economics.pod_points import PodPoint
from app.views.economics.systems_compared import on_system, usual_systems
from tests.scenarios.support import scenario
from tests.support import read_example

pytestmark = pytest.mark.slow

DAY_S = 86_400.0


@functools.cache
def evaluated(**changes: Any) -> EvaluatedScenario:
    values = scenario(pod__supernodes=8, **changes)
    return evaluate_scenario(build_scenario(values), ready_catalog())


def compared(own: EvaluatedScenario, **asked: Any) -> CostAgainstTime:
    return cost_against_time_answer(own, ready_catalog(), build_document(CostAgainstTimeOptions, asked))


@functools.cache
def answer() -> CostAgainstTime:
    return compared(evaluated(), systems=["dgx_b200", "dgx_b300", "gb200_nvl72"])


def points(found: CostAgainstTime) -> list[PodPoint]:
    return [point for curve in found.curves for point in curve.points]


def refused(own: EvaluatedScenario, **asked: Any) -> InputError:
    with pytest.raises(ScenarioError) as caught:
        compared(own, **asked)
    return caught.value.errors[0]


def test_own_system_first_at_a_quarter_to_four_times() -> None:
    assert [curve.key for curve in answer().curves] == [None, "dgx_b200", "dgx_b300", "gb200_nvl72"]
    for curve in answer().curves:
        assert [point.accelerators for point in curve.points] == [16, 32, 64, 128, 256]
    assert [point.supernodes for point in answer().curves[0].points] == [2, 4, 8, 16, 32]
    assert [point.supernodes for point in answer().curves[3].points] == [1, 1, 1, 2, 4]  # whole racks of 72


def test_the_point_of_the_scenario_s_size_is_its_evaluation() -> None:
    sections = evaluated().evaluation.sections  # parallelism: auto
    (own,) = (point for point in answer().curves[0].points if point.accelerators == 64)
    assert own.elapsed_time_s == sections.performance.elapsed_time_s[0]
    assert own.usd_per_run["owned"] == sections.cost.usd_per_run[0]
    assert own.usd_per_run["on_demand"] == sections.cost.usd_per_run_rented_on_demand[0]
    assert own.usd_per_run["reserved"] == sections.cost.usd_per_run_rented_reserved[0]
    assert own.picked  # the same number of accelerators of each


def test_a_point_of_another_system_is_the_scenario_with_it() -> None:
    values = scenario(pod__supernodes=16, pod__accelerators_used=128, supernode__system="dgx_b200")
    whole = evaluate_scenario(build_scenario(values), ready_catalog()).evaluation.sections
    (found,) = (point for point in answer().curves[1].points if point.accelerators == 128)
    assert found.elapsed_time_s == whole.performance.elapsed_time_s[0]
    assert found.usd_per_run["owned"] == whole.cost.usd_per_run[0]


def test_no_point_beats_one_of_the_front() -> None:
    def beats(one: PodPoint, other: PodPoint) -> bool:
        as_good = (
            one.elapsed_time_s <= other.elapsed_time_s
            and one.usd_per_run["owned"] <= other.usd_per_run["owned"]
        )
        return as_good and one != other

    able = [
        point for point in points(answer()) if point.feasible and not math.isnan(point.usd_per_run["owned"])
    ]
    assert any(point.on_front for point in able)
    for point in able:
        assert point.on_front == (not any(beats(other, point) for other in able))


def test_an_unknown_price_is_listed_and_never_on_the_front() -> None:
    b300 = answer().curves[2]
    own_cost = [point.usd_per_run["owned"] for point in b300.points]
    assert all(math.isnan(usd) for usd in own_cost) == any("owned" in one.hides for one in b300.unknown)
    stated = build_scenario(scenario(workload__model="llama_3_1_70b", supernode__system="tpu_v5p_pod"))
    found = compared(evaluated(), systems=["tpu_v5p_pod"]).curves[1]
    assert stated.supernode.system == found.key
    assert all(math.isnan(point.usd_per_run["owned"]) for point in found.points)
    assert not any(point.on_front for point in found.points)
    assert any("price" in one.label and "owned" in one.hides for one in found.unknown)
    assert not any(math.isnan(point.usd_per_run["on_demand"]) for point in found.points)


def test_a_system_that_cannot_do_the_job_says_why() -> None:
    (curve,) = (one for one in compared(evaluated(), systems=["dgx2_v100"]).curves if one.key)
    assert curve.points == ()
    assert "no published peak at bf16" in curve.refused


def test_memory_that_is_too_small_is_a_reason() -> None:
    own = evaluate_scenario(
        build_scenario(scenario(workload__model="llama_3_1_405b", pod__supernodes=8)), ready_catalog()
    )
    smallest = compared(own, systems=["dgx_h200"]).curves[0].points[0]
    assert not smallest.feasible
    assert smallest.reason
    assert not smallest.on_front


@pytest.mark.parametrize("shared", ["deadline", "budget"])
def test_one_pod_of_each_within_the_limit(shared: str) -> None:
    own = answer().curves[0].points
    limit = {"deadline_days": own[2].elapsed_time_s * 1.0001 / DAY_S} if shared == "deadline" else {
        "budget_usd": own[1].usd_per_run["owned"] * 1.0001
    }  # fmt: skip
    found = compared(evaluated(), systems=["dgx_b200"], shared=shared, **limit)
    for curve in found.curves:
        able = [
            point
            for point in curve.points
            if point.feasible
            and (
                point.elapsed_time_s <= limit["deadline_days"] * DAY_S
                if shared == "deadline"
                else point.usd_per_run["owned"] <= limit["budget_usd"]
            )
        ]
        picked = [point for point in curve.points if point.picked]
        assert len(picked) == bool(able)
        for point in picked:
            best = min(
                able, key=lambda one: one.usd_per_run["owned"] if shared == "deadline" else one.elapsed_time_s
            )
            assert point is best


def test_the_scenario_s_own_deadline_counts() -> None:
    own = evaluated(uncertainty__deadline_days=30.0)
    found = compared(own, systems=["dgx_b200"], shared="deadline")
    assert found.deadline_days == 30.0
    assert compared(own, systems=["dgx_b200"], deadline_days=10).deadline_days == 10


def test_usual_systems_are_on_sale_and_of_different_accelerators() -> None:
    catalog = ready_catalog()
    parts = [catalog.part("systems", key) for key in usual_systems(catalog)]
    assert len(parts) == 8
    assert {part.attributes["status"] for part in parts} <= {"shipping", "cloud"}
    accelerators = [part.attributes["accelerator_key"] for part in parts]
    assert len(set(accelerators)) == len(accelerators)
    known = [
        sum(price is not None for price in (
            catalog.price(part.key),
            *(catalog.rental(part.attributes["accelerator_key"], kind) for kind in ("on_demand", "reserved")),
        ))
        for part in parts
    ]  # fmt: skip
    assert known == sorted(known, reverse=True)


def test_what_was_stated_of_the_own_system_is_not_used_for_another() -> None:
    document = build_scenario(
        scenario(
            economics__supernode_price_usd=1.0,
            economics__rental_on_demand_usd_per_accelerator_hour=0.01,
            economics__renting={"spot_usd_per_accelerator_hour": 0.01, "support_share": 0.07},
            economics__utilisation=0.5,
            facility__cooling="air",
            parallelism={"tp": 8},
        )
    )
    there = build_scenario(on_system(document, "gb200_nvl72", 100, 72))
    assert there.economics.supernode_price_usd is None
    assert there.economics.rental_on_demand_usd_per_accelerator_hour is None
    assert there.economics.renting.spot_usd_per_accelerator_hour is None
    assert there.economics.renting.support_share == 0.07
    assert there.economics.utilisation == 0.5
    assert (there.pod.supernodes, there.pod.accelerators_used) == (2, 100)
    assert (there.facility.cooling, there.parallelism) == ("auto", "auto")
    own = build_scenario(on_system(document, None, 16, 8))
    assert own.economics == document.economics
    assert own.facility == document.facility


def test_the_own_pod_keeps_its_share_in_reserve() -> None:
    document = build_scenario(
        scenario(supernode__system="gb200_nvl72", pod__supernodes=4, pod__accelerators_used=256)
    )
    sizes = {size: on_system(document, None, size, 72)["pod"]["supernodes"] for size in (64, 128, 256, 1024)}
    assert sizes == {64: 1, 128: 2, 256: 4, 1024: 16}  # 64 of each 72 at work


def test_a_generic_job_is_compared_too() -> None:
    own = evaluate_scenario(read_example("seismic_stencil_on_8_gb200_nvl72"), ready_catalog())
    found = compared(own, systems=["dgx_h100"])
    times = [point.elapsed_time_s for point in found.curves[0].points]
    assert all(slow > fast for slow, fast in itertools.pairwise(times))
    assert {point.mfu for point in points(found)} == {None}


def test_what_cannot_be_asked_is_named_with_a_way_out() -> None:
    unknown = refused(evaluated(), systems=["dgx_h101"])
    assert unknown.path == "systems[0]"
    assert "dgx_h100" in unknown.hint
    assert refused(evaluated(), systems=["dgx_b200", "dgx_b200"]).path == "systems"
    assert "uncertainty.deadline_days" in refused(evaluated(), shared="deadline").hint
    assert refused(evaluated(), shared="budget").path == "budget_usd"
    assert refused(evaluated(), paid="stolen").path == "paid"
    assert refused(evaluated(), systems=["dgx_h100"] * 13).path == "systems"
    values = scenario(pod__also=[{"supernode": {"system": "dgx_b200"}, "supernodes": 2}])
    mixed = evaluate_scenario(build_scenario(values), ready_catalog())
    assert refused(mixed).path == "pod.also"
