"""Edge against cloud: parts that sum up, light that cannot be beaten, and the twenty milliseconds of the articles."""

from __future__ import annotations

from typing import Any

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.edge import EdgeOptions, EdgeView, edge_view
from tests.views.serving.cases import RACK, catalog, changed, evaluated, example


def compared(scenario: EvaluatedScenario, **options: Any) -> EdgeView:
    return edge_view(scenario, catalog(), EdgeOptions.model_validate(options), evaluated)


def test_parts_sum_to_what_users_wait_for() -> None:
    for place in compared(example(RACK)).places:
        parts = place.round_trip_s + place.queue_s + place.prefill_s + place.other_s
        assert parts == pytest.approx(place.user_ttft_s)
        assert place.left_s == pytest.approx(place.budget_s - place.user_ttft_within_s)
        assert place.keeps == (place.left_s >= 0)


def test_every_region_is_served_from_both_sites() -> None:
    view = compared(example(RACK))
    assert [(place.place, place.site) for place in view.places] == [
        ("North America", "cloud"), ("North America", "edge"), ("Europe", "cloud"), ("Europe", "edge"),
    ]  # fmt: skip
    assert [place.round_trip_s for place in view.places if place.site == "cloud"] == [0.06, 0.12]


def test_twenty_milliseconds_of_light() -> None:
    """20 ms are 1,999 km there and back; 2,000 km leave nothing, 300 km 17 ms; a large model needs more than all of it."""
    view = compared(example())
    assert view.budget_s == 0.02
    assert view.farthest_without_computing_km == pytest.approx(1998.6, abs=0.1)
    left = {one.distance_km: one for one in view.distances}
    assert left[2_000].left_s == 0
    assert left[300].left_s == pytest.approx(0.017, abs=1e-5)
    assert not any(one.cloud_keeps for one in view.distances)
    assert all(place.left_s < 0 for place in view.places)


def test_no_edge_is_farther_than_the_cloud_and_no_network_faster_than_light() -> None:
    view = compared(example(), edge_distance_km=9_000, cloud_distance_km=1_000)
    cloud, edge = view.places
    assert edge.round_trip_s == cloud.round_trip_s
    stated = compared(example(), edge_distance_km=100, edge_round_trip_s=0).places[1]
    assert stated.round_trip_s == pytest.approx(1.0007e-3, rel=1e-3)


def test_the_gain_is_the_difference_of_the_two() -> None:
    cloud, edge = compared(example(), edge_round_trip_s=0.004, cloud_distance_km=3_000).places
    assert cloud.edge_gain_s is None
    assert edge.edge_gain_s == pytest.approx(cloud.user_ttft_s - edge.user_ttft_s)


def test_shares_within_budget() -> None:
    regions = [
        {"name": "Near", "share": 0.75, "round_trip_s": 0.01, "latency_budget_s": 60},
        {"name": "Far", "share": 0.25, "round_trip_s": 0.3, "latency_budget_s": 0.1},
    ]
    view = compared(changed(demand={"requests_per_s": 0.5, "regions": regions}))
    assert view.share_within_cloud == pytest.approx(0.75)


def test_an_edge_that_cannot_be_is_refused_with_a_way_out() -> None:
    with pytest.raises(ScenarioError, match="edge_system"):
        compared(example(), edge_system="no_such_system")
    with pytest.raises(ScenarioError, match="The edge site cannot serve this model"):
        compared(example("deepseek_r1_on_gb200_nvl72"), edge_system="dgx_h100")


def test_a_budget_between_the_mean_and_the_promised_share_is_not_kept() -> None:
    cloud = compared(example(RACK)).places[0]
    assert cloud.user_ttft_s < cloud.user_ttft_within_s
    between = (cloud.user_ttft_s + cloud.user_ttft_within_s) / 2
    regions = [{"name": "Here", "round_trip_s": cloud.round_trip_s, "latency_budget_s": between}]
    concurrency = float(example(RACK).evaluation.sections.performance.concurrency[0])
    view = compared(changed(RACK, concurrency=concurrency, demand={"requests_per_s": 1, "regions": regions}))
    here = view.places[0]
    assert here.user_ttft_s < between < here.user_ttft_within_s
    assert not here.keeps
    assert view.share_within_cloud == 0
