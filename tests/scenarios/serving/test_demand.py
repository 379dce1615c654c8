"""Limits of a demand, and what its places do to an evaluation and its explanation."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.load import build_scenario
from app.scenarios.service import EvaluatedScenario, evaluate_scenario
from tests.scenarios.serving.cases import faults, values


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"growth_per_year": 101}, "growth_per_year"),
        ({"growth_per_year": -1}, "growth_per_year"),
        ({"years": 31}, "years"),
    ],
)
def test_growth_beyond_what_can_be_meant_is_refused(asked: dict[str, float], field: str) -> None:
    (told,) = faults(demand={"requests_per_s": 1, **asked})
    assert f"workload.demand.{field}" in told


def evaluated(**workload: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values(**workload)), ready_catalog())


def test_a_place_that_the_network_alone_keeps_from_its_budget_is_infeasible() -> None:
    regions = [{"name": "X", "round_trip_s": 1, "latency_budget_s": 0.5}]
    found = evaluated(demand={"requests_per_s": 1, "regions": regions}, service_level={"ttft_s": 0.6})
    assert not found.evaluation.feasible
    told = [one for one in found.evaluation.problems if one.constraint == "latency_budget"]
    assert [one.field for one in told] == ["workload.demand.regions[0].latency_budget_s"]
    assert "network alone takes 1 s" in told[0].message


def test_an_evaluation_with_places_can_be_explained() -> None:
    regions = [{"name": "X", "round_trip_s": 0.1, "latency_budget_s": 5}]
    found = evaluated(demand={"requests_per_s": 1, "regions": regions})
    assert found.explain("performance.requests_per_s_limit")["value"] > 0
    assert found.explain("performance.ttft_s")["value"] == found.as_json["performance"]["ttft_s"]
