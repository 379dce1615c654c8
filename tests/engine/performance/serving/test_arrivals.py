"""When requests come: one as another ends, at random times, or all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving import arrivals
from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import Arrivals, Requests, ServingLayout
from tests.engine.performance.serving.pods import demand, evaluate, instance, level, plan
from tests.support import build, number

STEADY, RANDOM = Arrivals(kind="steady"), Arrivals(kind="random")


def requests(variation: float = 0, **changes: float) -> Requests:
    values = {"input_tokens": 8192, "output_tokens": 256, "cached_share": 0} | changes
    return build(Requests, input_variation=variation, output_variation=variation, **values)


def at(concurrency: float | None, kind: Arrivals, variation: float = 0, **changes: Any) -> ServingPerformance:
    """One instance of two H100 with Llama 3.1 8B."""
    given = {"plan": plan(instance(2), decode_instances=number(1)), "requests": requests(variation)} | changes
    load = None if concurrency is None else number(concurrency)
    return evaluate(concurrency=load, arrivals=kind, **given)


def queued(requests_per_s: float, *, turn_s: float, servers: float = 1, variation: float = 0) -> Latency:
    """A replica that has room for all, with a steady wait of 5 ms."""
    none = np.zeros(1)
    steady = Latency(
        ttft_s=number(0.1), tpot_s=number(0.01), ttft_parts_s={"prefill_wait": number(0.005)}, tpot_parts_s={},
        decode_step_s=none, prefill_s=none, prefill_cost_s=none, running=none,
        requests_per_s=number(requests_per_s), output_tokens_per_s=none,
    )  # fmt: skip
    return arrivals.with_queue(
        steady,
        requests=requests(variation),
        turn_s=number(turn_s),
        servers=number(servers),
        places=number(1e6),
    )


def test_a_queue_by_hand() -> None:
    """Two prompts a second of 100 ms each: 0.2 x 0.1 / (2 x 0.8) = 12.5 ms, twice that where lengths are exponential."""
    alike = queued(2, turn_s=0.1)
    assert alike.ttft_parts_s["queue_wait"][0] == pytest.approx(0.0125 - 0.005)
    assert alike.ttft_s[0] == pytest.approx(0.1 + 0.0075)
    assert queued(2, turn_s=0.1, variation=1).ttft_parts_s["queue_wait"][0] == pytest.approx(0.025 - 0.005)
    assert alike.queue_spread_s[0] == pytest.approx(0.0125 * np.sqrt(2 / 0.2 - 1))
    assert alike.tpot_s[0] == 0.01
    assert alike.requests_per_s[0] == 2


def test_a_place_by_hand() -> None:
    """One place that an answer of 256 tokens keeps for 2.56 s, busy for half of the time: it is waited for as long."""
    found = arrivals.with_queue(
        queued(0.5 / 2.56, turn_s=0),
        requests=requests(1),
        turn_s=number(0),
        servers=number(1),
        places=number(1),
    )
    assert found.ttft_parts_s["queue_wait"][0] == pytest.approx(2.56)


def test_limits_of_a_queue() -> None:
    assert queued(1e-9, turn_s=0.1).ttft_parts_s["queue_wait"][0] == pytest.approx(0, abs=1e-9)
    assert queued(5, turn_s=0.1, servers=1e6).ttft_parts_s["queue_wait"][0] == 0
    crowded = queued(50, turn_s=0.1).ttft_parts_s["queue_wait"][0]  # as at 99 %
    assert crowded == pytest.approx(0.99 * 0.1 / (2 * 0.01) - 0.005)


@pytest.mark.slow
@pytest.mark.parametrize("layout", [instance(8), instance(1, dp=8)])
def test_more_demand_waits_longer_and_is_answered(layout: ServingLayout) -> None:
    waits = []
    for asked in (0.01, 0.1, 0.5, 1, 2, 3, 5, 10):
        found = at(
            None,
            RANDOM,
            1,
            plan=plan(layout, decode_instances=number(1)),
            requests=requests(1, input_tokens=1024, output_tokens=8),
            demand=demand(asked),
        )
        assert found.requests_per_s[0] == pytest.approx(asked, rel=0.01)
        waits.append(float(found.ttft_s[0]))
    assert waits == sorted(waits)


@pytest.mark.slow
def test_random_arrivals_wait_longer() -> None:
    """At the same number in service: prompts queue, and an answer meets those left behind by its own."""
    waits, rates = [], []
    for load in (1, 4, 16, 64):
        steady, random = at(load, STEADY), at(load, RANDOM)
        assert "queue_wait" not in steady.ttft_breakdown_s
        assert random.ttft_breakdown_s["queue_wait"][0] >= 0
        assert random.ttft_s[0] == pytest.approx(
            sum(float(part[0]) for part in random.ttft_breakdown_s.values())
        )
        assert random.tpot_s[0] == pytest.approx(
            sum(float(part[0]) for part in random.time_breakdown_s.values())
        )
        assert random.tpot_s[0] > steady.tpot_s[0]
        assert random.concurrency[0] == load
        assert random.ttft_percentiles_s["p99"][0] >= steady.ttft_percentiles_s["p99"][0]
        waits.append(float(random.ttft_s[0]))
        rates.append(float(random.requests_per_s[0]))
    assert waits == sorted(waits)
    assert rates == sorted(rates)


def test_one_request_by_itself_is_served_as_in_steady_traffic() -> None:
    steady, random = at(1, STEADY), at(None, RANDOM, demand=demand(1e-6))
    assert random.ttft_s[0] == pytest.approx(steady.ttft_s[0], rel=0.01)  # a step with nobody beside
    assert random.tpot_s[0] == pytest.approx(steady.tpot_s[0], rel=0.01)


def test_random_arrivals_need_more() -> None:
    promised = {"level": level(ttft_s=2.0), "demand": demand(40.0)}
    steady, random = (at(None, kind, 1, **promised) for kind in (STEADY, RANDOM))
    assert 0 < random.requests_per_s_limit[0] < steady.requests_per_s_limit[0]
    assert random.ttft_within_s[0] <= 2.0
    assert random.supernodes_needed is not None
    assert steady.supernodes_needed is not None
    assert random.supernodes_needed[0] >= steady.supernodes_needed[0]


@pytest.mark.slow
def test_what_is_promised_to_random_arrivals_leaves_time_between_them() -> None:
    """Nothing is promised: in a closed loop prefill instances may always be busy, at random times they may not."""
    groups = plan(instance(4), prefill=instance(1), decode_instances=number(1), prefill_instances=number(1))
    steady, random = (at(None, kind, plan=groups, demand=demand(1e4)) for kind in (STEADY, RANDOM))
    capacity = steady.requests_per_s_limit[0]
    assert 0.9 * capacity < random.requests_per_s_limit[0] <= 0.99 * capacity
    assert np.isfinite(random.ttft_s[0])


def test_a_small_demand_mostly_finds_nobody() -> None:
    found = at(None, RANDOM, 1, demand=demand(1e-3), level=level(ttft_s=2.0))
    assert found.requests_per_s[0] == pytest.approx(1e-3, rel=0.01)
    assert found.ttft_breakdown_s["queue_wait"][0] < 0.001


@pytest.mark.slow
def test_more_prefill_instances_shorten_the_queue() -> None:
    def group(instances: float) -> float:
        found = at(
            16,
            RANDOM,
            plan=plan(
                instance(2),
                prefill=instance(1),
                decode_instances=number(1),
                prefill_instances=number(instances),
            ),
        )
        return float(found.ttft_breakdown_s["queue_wait"][0])

    assert group(1) > group(2) > group(4) >= 0


def test_a_burst() -> None:
    def found(waves: float) -> ServingPerformance:
        return at(64, Arrivals(kind="burst", waves=number(waves)))

    steady, first, ten = at(64, STEADY), found(1), found(10)
    assert steady.ttft_breakdown_s["burst_wait"][0] == 0
    wait = float(ten.ttft_breakdown_s["burst_wait"][0])
    assert wait > 0
    assert first.ttft_breakdown_s["burst_wait"][0] == pytest.approx(10 * wait)
    assert first.ttft_s[0] > ten.ttft_s[0] > steady.ttft_s[0]
    assert (
        ten.ttft_percentiles_s["p99"][0] / ten.ttft_s[0]
        > first.ttft_percentiles_s["p99"][0] / first.ttft_s[0]
    )


@pytest.mark.slow
@pytest.mark.parametrize("tokens_out", [1, 1024])
@pytest.mark.parametrize("asked", [1e-4, 0.01, 0.3])
def test_a_group_answers_what_is_asked_however_little(asked: float, tokens_out: float) -> None:
    found = at(
        None,
        RANDOM,
        plan=plan(instance(2), prefill=instance(2), decode_instances=number(1), prefill_instances=number(1)),
        requests=requests(1, input_tokens=1024, output_tokens=tokens_out),
        demand=demand(asked),
    )
    assert found.requests_per_s[0] == pytest.approx(asked, rel=0.01)
