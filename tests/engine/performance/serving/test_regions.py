"""Latency budgets of users: light in fibre, network and pod, edge against cloud."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.regions import (
    budget_left_s,
    edge_gain_s,
    farthest_m,
    network_floor_s,
    network_round_trip_s,
    share_within_budget,
    ttft_allowed_s,
    user_ttft_s,
)
from tests.support import number


def test_light_in_fibre() -> None:
    """2 x 1,000 km at 199,862 km/s: 10.007 ms."""
    assert network_floor_s(distance_m=number(1e6))[0] == pytest.approx(10.007e-3, rel=1e-4)
    assert network_floor_s(distance_m=number(0))[0] == 0


def test_edge_and_cloud_within_twenty_milliseconds() -> None:
    """An article on SuperNodes has edge and cloud within 20 ms of each other, "real-time".

    Light in fibre goes 1,999 km and back in that time, if the pod needed none: a cloud at 2,000 km cannot
    keep such a budget, whatever it computes with. One at 300 km leaves 17 ms to compute, one at the edge,
    with 2 ms of radio and access, 18 ms.
    """
    budget = number(0.020)
    assert farthest_m(latency_budget_s=budget, ttft_s=number(0))[0] == pytest.approx(1.9986e6, rel=1e-4)
    assert farthest_m(latency_budget_s=budget, ttft_s=number(0.03))[0] == 0
    far = user_ttft_s(round_trip_s=network_floor_s(distance_m=number(2e6)), ttft_s=number(0))
    assert budget_left_s(latency_budget_s=budget, user_ttft_s=far)[0] < 0
    near = network_floor_s(distance_m=number(3e5))
    assert ttft_allowed_s(latency_budget_s=budget, round_trip_s=near)[0] == pytest.approx(0.017, abs=1e-5)
    assert ttft_allowed_s(latency_budget_s=budget, round_trip_s=number(0.002))[0] == pytest.approx(0.018)
    assert ttft_allowed_s(latency_budget_s=budget, round_trip_s=number(0.05))[0] == 0


def test_edge_pays_while_it_saves_more_network_than_prefill() -> None:
    """18 ms of network saved and 10 ms of prefill lost: 8 ms gained. With 40 ms lost, none."""
    cloud = user_ttft_s(round_trip_s=number(0.020), ttft_s=number(0.015))
    edge = user_ttft_s(round_trip_s=number(0.002), ttft_s=number(0.025))
    assert edge_gain_s(edge_s=edge, cloud_s=cloud)[0] == pytest.approx(0.008)
    slow = user_ttft_s(round_trip_s=number(0.002), ttft_s=number(0.055))
    assert edge_gain_s(edge_s=slow, cloud_s=cloud)[0] < 0


@pytest.mark.parametrize(
    ("stated", "floor", "expected"),
    [(0.03, 0.01, 0.03), (0.005, 0.01, 0.01), (np.nan, 0.01, 0.01), (0.03, np.nan, 0.03)],
)
def test_no_network_is_faster_than_light(stated: float, floor: float, expected: float) -> None:
    assert network_round_trip_s(stated_s=number(stated), floor_s=number(floor))[0] == expected


def test_unknown_round_trip() -> None:
    assert np.isnan(network_round_trip_s(stated_s=number(np.nan), floor_s=number(np.nan))[0])


def test_share_of_users_within_budget() -> None:
    """Half at home, a third abroad and too far, a sixth without a budget."""
    share = share_within_budget(
        shares=np.array([3.0, 2.0, 1.0]),
        latency_budget_s=np.array([0.5, 0.5, np.nan]),
        user_ttft_s=np.array([0.4, 0.6, 9.0]),
    )
    assert share == pytest.approx(4 / 6)
    unknown = share_within_budget(
        shares=np.array([1.0]), latency_budget_s=np.array([0.5]), user_ttft_s=np.array([np.nan])
    )
    assert np.isnan(unknown)
