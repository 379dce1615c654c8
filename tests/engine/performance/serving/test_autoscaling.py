"""Replicas that follow the demand: hours worked by hand, and bounds over random shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.autoscaling import (
    Scaled,
    headroom_needed,
    hours_short,
    replicas_of_hours,
    scaled,
)
from app.engine.performance.serving.sizing import Redundancy
from app.engine.trace import Array
from tests.support import number

HOUR = 3600.0
QUIET = np.array([5.0, 5, 5, 35, 35, 15])
"""Requests/s of six hours, on replicas that answer 10: 1, 1, 1, 4, 4 and 2 of them."""


def redundancy(**changes: float) -> Redundancy:
    usual = {"replica_availability": 1.0, "availability": 0.0, "n_plus": 0.0, "replicas_lost": 1.0}
    return Redundancy(**{name: number(value) for name, value in (usual | changes).items()})


def run(hours: Array, rate: float = 10, spares: Redundancy | None = None, **changes: float) -> Scaled:
    kept = redundancy() if spares is None else spares
    most = replicas_of_hours(requests_per_s=hours.max(keepdims=True), requests_per_s_per_replica=number(rate))
    usual: dict[str, Any] = {
        "minimum_instances": 1, "headroom": 0, "scale_down_delay_s": 0, "cold_start_s": 0, "burst": 0,
        "accelerators_per_replica": 1, "unit_accelerators": 1,
    }  # fmt: skip
    beside = np.maximum(kept.by_availability(most), kept.by_redundancy())
    return scaled(
        requests_per_s=hours,
        requests_per_s_per_replica=number(rate),
        replicas=most,
        spare_replicas=beside,
        redundancy=kept,
        **{name: number(value) for name, value in (usual | changes).items()},
    )


def test_at_once_and_without_headroom_replicas_are_those_that_are_needed() -> None:
    found = run(QUIET)
    for hours in (found.needed, found.wanted, found.serving, found.paid):
        assert hours.tolist() == [1, 1, 1, 4, 4, 2]
    assert found.headroom_needed[0] == 0
    assert found.short.sum() == 0


def test_headroom_and_minimum_by_hand() -> None:
    """A fifth idle: 35 on 8 a replica are 5, of which the busiest hour needs 4; 15 are 2."""
    assert run(QUIET, headroom=0.2).wanted.tolist() == [1, 1, 1, 4, 4, 2]
    assert run(QUIET, headroom=0.3).wanted.tolist() == [1, 1, 1, 4, 4, 3]
    assert run(QUIET, minimum_instances=3).wanted.tolist() == [3, 3, 3, 4, 4, 3]
    assert run(QUIET, minimum_instances=9).wanted.tolist() == [4] * 6
    quiet = QUIET * [0, 1, 1, 1, 1, 1]
    assert run(quiet, minimum_instances=0).wanted.tolist() == [0, 1, 1, 4, 4, 2]


def test_a_delay_keeps_replicas_and_a_cold_start_begins_before() -> None:
    """An hour and a half: the hour after has all, half of the next too."""
    late = run(QUIET, scale_down_delay_s=1.5 * HOUR)
    assert late.paid.tolist() == [3, 1.5, 1, 4, 4, 4]
    assert late.serving.tolist() == [2, 1, 1, 4, 4, 4]
    early = run(QUIET, cold_start_s=HOUR / 4)
    assert early.paid.tolist() == [1, 1, 1.75, 4, 4, 2]
    assert early.serving.tolist() == [1, 1, 1, 4, 4, 2]
    both = run(QUIET, scale_down_delay_s=0.75 * HOUR, cold_start_s=0.5 * HOUR)
    # of the hour of 2: three quarters have the 4 before
    assert both.paid.tolist() == [1.75, 1, 2.5, 4, 4, 3.5]


def test_delay_and_start_within_one_hour_do_not_count_twice() -> None:
    """4, 1 and 4: the first 0.75 h are of those before, the last 0.5 h of those after, and together all of it."""
    hours = np.array([35.0, 5, 35])
    found = run(hours, scale_down_delay_s=0.75 * HOUR, cold_start_s=0.5 * HOUR)
    assert found.paid.tolist() == [4, 4, 4]


def test_headroom_that_a_rise_needs_by_hand() -> None:
    """From 20 to 40 in an hour: in half an hour from 20 to 30, with a tenth on top to 33; a third and more."""
    asked = {
        "requests_per_s": np.array([20.0, 40, 40, 20]), "floor_requests_per_s": number(0),
        "most_requests_per_s": number(1e9),
    }  # fmt: skip

    def needed(start_h: float, burst: float = 0, **changes: Any) -> float:
        found = headroom_needed(**asked | changes, cold_start_s=number(start_h * HOUR), burst=number(burst))
        return float(found[0])

    assert needed(0, 0.5) == 0
    assert needed(0.5) == pytest.approx(1 - 20 / 30)
    assert needed(0.5, 0.1) == pytest.approx(1 - 20 / 33)
    assert needed(1) == needed(2) == pytest.approx(0.5)
    assert needed(1e-9, 0.25) == pytest.approx(0.2)
    # just beyond the 30 that the minimum bears, half an hour after 20
    assert needed(0.5, floor_requests_per_s=number(30)) == pytest.approx(1 / 3)
    assert needed(0.5, floor_requests_per_s=number(40)) == 0
    assert needed(0.5, 0.1, most_requests_per_s=number(30)) == pytest.approx(1 / 3)
    assert needed(1, requests_per_s=np.array([0.0, 10, 10, 0])) == 1  # growth from nothing


@pytest.mark.slow
def test_what_headroom_needs_is_enough_and_less_is_not() -> None:
    """200 random days: with as much as is said no hour is short; stated, it is what is kept."""
    draws = np.random.default_rng(11)
    short = 0
    for _ in range(200):
        hours = draws.gamma(2, size=24) * 50 + 1
        start, burst = draws.uniform(0, 3 * HOUR), draws.uniform(0, 0.5)
        found = run(hours, rate=draws.uniform(1, 20), headroom=np.nan, cold_start_s=start, burst=burst)
        assert found.headroom[0] == found.headroom_needed[0]
        assert found.short.sum() == 0
        bare = run(hours, rate=draws.uniform(0.1, 2), headroom=0, cold_start_s=start, burst=burst)
        assert bare.headroom[0] == 0
        short += bare.short.sum() > 0
    assert short > 190


def test_short_hours_by_hand() -> None:
    found = hours_short(
        requests_per_s=np.array([10.0, 20, 10]), serving=np.array([1.0, 2, 1]), requests_per_s_per_replica=number(10),
        cold_start_s=number(HOUR / 2), burst=number(0), most_requests_per_s=number(20),
    )  # fmt: skip
    assert found.tolist() == [1, 0, 0]


def test_nodes_that_are_given_back_are_whole() -> None:
    """Three instances of 2 on nodes of 4 fill one and a half: two nodes."""
    one_by_one = run(QUIET, accelerators_per_replica=2)
    assert one_by_one.accelerators.tolist() == [2, 2, 2, 8, 8, 4]
    whole = run(QUIET, accelerators_per_replica=2, unit_accelerators=4)
    assert whole.accelerators.tolist() == [4, 4, 4, 8, 8, 4]
    late = run(QUIET, accelerators_per_replica=2, unit_accelerators=4, scale_down_delay_s=HOUR / 2)
    assert late.accelerators.tolist() == [4, 4, 4, 8, 8, 6]


def simulated(hours: Array, rate: float, most: float, headroom: float, start_h: float, burst: float) -> float:
    """Demand over capacity at the worst moment of a scaler that sees only what is asked now, on straight lines.

    It orders a replica as soon as the share of what runs is beyond its headroom; an order that is not needed any more is
    taken back at once. So what is up is the least that was wanted at any time within the last cold start.
    """
    steps = 60
    times = np.arange(hours.size * steps) / steps
    asked = np.interp(times, np.arange(hours.size + 1), np.append(hours, hours[0]))
    wanted = np.minimum(np.maximum(np.ceil(asked / (rate * (1 - headroom)) - 1e-9), 1), most)
    before = int(np.ceil(start_h * steps - 1e-9))
    up = np.min([np.roll(wanted, late) for late in range(before + 1)], axis=0)
    return float(np.max(np.minimum(asked * (1 + burst), most * rate) / (up * rate)))


@pytest.mark.slow
def test_a_scaler_that_orders_when_it_must_bears_the_demand_with_the_headroom_needed() -> None:
    """150 random days minute by minute: enough is enough, and a tenth less capacity left is not, for small replicas."""
    draws = np.random.default_rng(23)
    for _ in range(150):
        hours = draws.gamma(3, size=24) * 100 + 5
        start_h, burst = int(draws.integers(1, 150)) / 60, draws.uniform(0, 0.4)
        rate = draws.uniform(0.01, 0.05)
        most = np.ceil(hours.max() / rate)
        needs = headroom_needed(
            requests_per_s=hours, cold_start_s=number(start_h * HOUR), burst=number(burst),
            floor_requests_per_s=number(rate), most_requests_per_s=number(most * rate),
        )[0]  # fmt: skip
        assert simulated(hours, rate, most, needs, start_h, burst) <= 1 + 1e-9
        assert simulated(hours, rate, most, 0.98 * needs - 0.005, start_h, burst) > 1


def test_a_flat_day_saves_nothing() -> None:
    for rate in (1, 7, 40):
        for changes in ({}, {"headroom": np.nan, "cold_start_s": 300.0, "burst": 0.2}):
            found = run(np.full(24, 30.0), rate=rate, **changes)
            assert found.paid.tolist() == [np.ceil(30 / rate)] * 24


@pytest.mark.slow
def test_bounds_and_order_over_random_days_and_weeks() -> None:
    """300 random demands: at least what is needed, at most always on, and more of anything never costs less."""
    draws = np.random.default_rng(5)
    for _ in range(300):
        hours = draws.gamma(draws.uniform(0.3, 4), size=int(draws.choice([24, 168]))) * 10
        hours = np.where(draws.random(hours.size) < draws.choice([0, 0.2]), 0.0, hours)
        rate = draws.uniform(0.2, 30)
        kept = redundancy(
            replica_availability=draws.uniform(0.9, 1), availability=draws.choice([0, 0.9, 0.999]),
            n_plus=draws.integers(0, 3), replicas_lost=draws.integers(1, 4),
        )  # fmt: skip
        usual = {
            "minimum_instances": float(draws.integers(0, 5)), "headroom": draws.uniform(0, 0.9),
            "scale_down_delay_s": draws.uniform(0, 5 * HOUR), "cold_start_s": draws.uniform(0, 3 * HOUR),
            "burst": draws.uniform(0, 0.5),
        }  # fmt: skip
        found = run(hours, rate, kept, **usual)
        most = run(hours, rate, kept, minimum_instances=1e6)  # all of them in all hours
        always = most.paid[0]
        assert (most.paid == always).all()
        assert (found.wanted >= found.needed).all()
        assert (found.serving >= found.wanted).all()
        assert (found.serving * rate >= hours * (1 - 1e-8)).all()
        assert (found.paid <= always + 1e-9).all()
        assert (found.paid >= found.serving - 1e-9).all()
        least = run(hours, rate, kept, minimum_instances=usual["minimum_instances"])
        assert (least.paid <= found.paid + 1e-9).all()
        more = {
            "minimum_instances": usual["minimum_instances"] + 1, "headroom": usual["headroom"] + 0.05,
            "scale_down_delay_s": usual["scale_down_delay_s"] * 1.3, "cold_start_s": usual["cold_start_s"] * 1.3,
        }  # fmt: skip
        for name, value in more.items():
            assert (run(hours, rate, kept, **usual | {name: value}).paid >= found.paid - 1e-9).all()
        slower = run(hours, rate, kept, **usual | {"headroom": np.nan})
        slowest = run(hours, rate, kept, **usual | {"headroom": np.nan, "cold_start_s": more["cold_start_s"]})
        assert slowest.headroom_needed[0] >= slower.headroom_needed[0] - 1e-12
