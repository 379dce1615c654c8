"""Limits of a demand, and what its places do to an evaluation and its explanation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.axes import Axis
from app.scenarios.sweeping.columns import column_place
from tests.scenarios.serving.cases import faults, served, values
from tests.support import number


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


def demand_of(**asked: Any) -> Any:
    return served(demand={"requests_per_s": 1, **asked}).demand


def test_a_shape_says_the_peak_and_its_mean_is_the_demand() -> None:
    found = demand_of(shape="consumer_day")
    assert found.shape == "Consumer day"
    assert found.peak_to_mean == pytest.approx(number(278 / 226.75), rel=1e-3)
    assert np.mean(found.hours) == pytest.approx(1)
    own = demand_of(hourly_weights=[1] * 23 + [2])
    assert own.peak_to_mean == pytest.approx(number(48 / 25))
    flat = demand_of(shape="flat")
    assert (len(flat.hours), flat.peak_to_mean) == (24, pytest.approx(number(1)))
    assert demand_of().hours == ()


def test_a_stated_peak_that_agrees_is_taken_and_another_refused() -> None:
    assert demand_of(shape="consumer_day", peak_to_mean=1.226).peak_to_mean == pytest.approx(
        number(1.226), rel=1e-3
    )
    (told,) = faults(demand={"requests_per_s": 1, "shape": "consumer_day", "peak_to_mean": 1.5})
    assert "workload.demand.peak_to_mean" in told
    assert "1.226 times their mean" in told


def test_clocks_of_places_move_their_hours() -> None:
    places = [
        {"name": "A", "share": 0.5, "round_trip_s": 0.1},
        {"name": "B", "share": 0.5, "round_trip_s": 0.1, "clock_offset_h": 12},
    ]
    weights = [0] * 12 + [2] * 12
    found = demand_of(hourly_weights=weights, regions=places)
    assert found.hours == pytest.approx([1] * 24)
    assert found.peak_to_mean == pytest.approx(number(1))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"shape": "flat", "hourly_weights": [1] * 24}, "twice, as shape and as hourly_weights"),
        ({"hourly_weights": [1] * 25}, "has 25 hours"),
        ({"hourly_weights": [0] * 24}, "no requests in any hour"),
        ({"hourly_weights": [-1] * 24}, "hourly_weights"),
        ({"shape": "busy"}, "shape"),
        ({"autoscaling": {"enabled": True}}, "needs the hours of the demand"),
        ({"shape": "flat", "autoscaling": {"enabled": True, "headroom": 1}}, "headroom"),
        (
            {"regions": [{"name": "A", "round_trip_s": 0.1, "clock_offset_h": 3}]},
            "no hours that it would move",
        ),
    ],
)
def test_hours_that_cannot_be_meant_are_refused(asked: dict[str, Any], told: str) -> None:
    assert told in faults(demand={"requests_per_s": 1, **asked})[0]


def test_autoscaling_is_off_unless_enabled_and_takes_the_start_of_the_engine() -> None:
    assert demand_of(shape="flat", autoscaling={"minimum_instances": 3}).autoscaling is None
    asked = {"requests_per_s": 1, "shape": "flat", "autoscaling": {"enabled": True, "stopped": "off"}}
    found = served(demand=asked, engine={"name": "vllm"}).demand
    assert found is not None
    assert found.autoscaling is not None
    assert (found.autoscaling.engine_start_s, found.autoscaling.stopped) == (145, "off")
    assert np.isnan(found.autoscaling.headroom)


def test_an_evaluation_with_hours_can_be_explained_and_autoscaling_leaves_it_as_it_is() -> None:
    asked = {"requests_per_s": 1, "shape": "campus_day"}
    found = evaluated(demand=asked)
    scaled = evaluated(demand=asked | {"autoscaling": {"enabled": True}})
    assert found.as_json["performance"] == scaled.as_json["performance"]
    told = scaled.explain("performance.supernodes_needed")
    assert told["value"] == found.as_json["performance"]["supernodes_needed"]


def test_a_demand_with_hours_is_swept_and_its_samples_drawn() -> None:
    """Hours are words to a sweep: the same at both ends of an axis that is a column."""
    asked = {"requests_per_s": 5, "shape": "campus_day", "autoscaling": {"enabled": True}}
    scenario = values(demand=asked, layout={"tp": 8})
    axis = Axis(field="economics.wacc", levels=(0.05, 0.1))
    assert column_place(axis, scenario, ready_catalog()) == "economics.wacc"
