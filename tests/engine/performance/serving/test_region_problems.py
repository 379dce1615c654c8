"""Latency budgets of places: what the network takes is told from what the pod takes on top, and both have a way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.layout_problems import budgets_broken, region_problems
from app.engine.performance.serving.slo import pod_ttft_s, strictest_ttft_s
from app.engine.problems import Problem
from app.engine.specs import Demand, Region
from tests.engine.performance.serving.pods import UNKNOWN, evaluate, level, workload
from tests.support import build, number


def far(round_trip_s: float, latency_budget_s: float = UNKNOWN) -> Region:
    return build(Region, name="Far", share=1, round_trip_s=round_trip_s, latency_budget_s=latency_budget_s)


def asked(*regions: Region) -> Demand:
    return build(
        Demand,
        requests_per_s=1,
        peak_to_mean=1,
        growth_per_year=0,
        years=0,
        regions=regions,
        of_the_day=False,
    )


def found(*regions: Region, **changes: Any) -> list[Problem]:
    given = workload(demand=asked(*regions), **changes)
    return region_problems(workload=given, performance=evaluate(demand=asked(*regions), **changes))


def test_a_budget_that_the_network_takes_up_names_its_floor() -> None:
    near, missed = far(0.01, 60), far(1, 0.5)
    (problem,) = found(near, missed)
    assert (problem.kind, problem.field) == ("infeasible", "workload.demand.regions[1].latency_budget_s")
    assert (problem.value, problem.limit, problem.missed_by, problem.unit) == (1, 0.5, 0.5, "s")
    assert "the network alone takes 1 s" in problem.message
    assert "nearer site or a larger budget" in problem.message


def test_a_budget_as_long_as_the_network_leaves_nothing_to_compute() -> None:
    assert len(found(far(0.5, 0.5))) == 1


@pytest.mark.slow
def test_a_budget_that_the_pod_breaks_on_top_says_what_each_takes_and_what_would_be_kept() -> None:
    region, crowd = far(0.1, 0.1001), number(64)
    (problem,) = found(region, concurrency=crowd)
    pod = float(evaluate(demand=asked(region), concurrency=crowd).ttft_within_s[0])
    assert problem.value == pytest.approx(0.1 + pod)
    assert "the network takes 100 ms" in problem.message
    assert problem.fix is not None
    assert problem.fix.value is not None
    assert found(far(0.1, float(problem.fix.value)), concurrency=crowd) == []


def test_a_place_without_a_budget_or_with_enough_of_it_is_no_problem() -> None:
    assert found(far(1), far(1, 1e3)) == []


def test_the_pod_keeps_the_strictest_of_its_promise_and_what_the_network_leaves() -> None:
    def kept(*regions: Region, ttft_s: float = UNKNOWN) -> float:
        return float(pod_ttft_s(workload(level=level(ttft_s=ttft_s), demand=asked(*regions)))[0])

    assert kept(far(0.5, 0.6), far(0.1, 0.9), ttft_s=5) == pytest.approx(0.1)
    assert kept(far(0.5, 0.6), ttft_s=0.05) == 0.05
    assert kept(far(0.5, 0.6)) == pytest.approx(0.1)
    assert kept(far(0.5), ttft_s=5) == 5
    assert kept(far(0.6, 0.5), ttft_s=5) == 5  # no pod could keep it
    assert np.isnan(kept(far(0.5)))
    assert strictest_ttft_s(promised_s=number(2), allowed_s=()) == 2


@pytest.mark.slow
def test_a_budget_lowers_the_load_as_the_same_promise_does() -> None:
    tight = evaluate(demand=asked(far(0.5, 0.55)))
    same = evaluate(demand=asked(), level=level(ttft_s=0.05))
    assert tight.requests_per_s_limit == pytest.approx(same.requests_per_s_limit)
    assert tight.requests_per_s_limit < evaluate(demand=asked()).requests_per_s_limit


def test_samples_are_told_apart() -> None:
    performance = evaluate(demand=asked(), concurrency=number(1))
    runs = np.array([True])
    for budget, broken in ((0.5, True), (1, True), (60, False), (UNKNOWN, False)):
        given = workload(demand=asked(far(1, budget)))
        assert budgets_broken(given, performance, runs) == [broken]
