"""Waits: exact cases, limits, order in load; a simulated queue where no formula is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving import queueing
from tests.support import number


def waits(
    requests: float, service: float, servers: float = 1, variation: float = 1, arrivals: float = 1
) -> float:
    busy = queueing.utilisation(
        requests_per_s=number(requests), service_s=number(service), servers=number(servers)
    )
    return float(
        queueing.mean_wait_s(
            utilisation=busy,
            waiting_probability=queueing.waiting_probability(utilisation=busy, servers=number(servers)),
            service_s=number(service),
            service_variation=number(variation),
            servers=number(servers),
            arrival_variation=number(arrivals),
        )[0]
    )


def single(requests: float, service: float, variation: float) -> float:
    return float(
        queueing.single_wait_s(
            requests_per_s=number(requests), service_s=number(service), service_variation=number(variation)
        )[0]
    )


def chance(utilisation: float, servers: float) -> float:
    return float(queueing.waiting_probability(utilisation=number(utilisation), servers=number(servers))[0])


def test_one_server_exactly() -> None:
    """M/M/1 at half load waits as long as it serves; M/D/1 half of that (Kleinrock 1975)."""
    assert waits(0.5, 1) == pytest.approx(1)
    assert single(0.5, 1, 1) == pytest.approx(1)
    assert single(0.5, 1, 0) == pytest.approx(0.5)
    assert single(0.8, 1, 0.5) == pytest.approx(0.8 * 1.25 / (2 * 0.2))
    assert waits(0.8, 1, variation=0.5) == pytest.approx(single(0.8, 1, 0.5))


@pytest.mark.parametrize(
    ("utilisation", "servers", "expected"),
    [(0.5, 1, 0.5), (0.5, 2, 1 / 3), (0.8, 2, 32 / 45), (0.75, 4, 27 / 53)],
)
def test_erlang_c_by_hand(utilisation: float, servers: float, expected: float) -> None:
    """Two servers: C = 2 u^2 / (1 + u). Four at 3 Erlang: (27/8) x 4 / (1 + 3 + 9/2 + 9/2 + 27/2) = 27/53."""
    assert chance(utilisation, servers) == pytest.approx(expected)


def test_limits_of_load() -> None:
    assert waits(0, 1) == 0
    assert chance(0, 8) == 0
    assert chance(1, 8) == chance(2, 8) == chance(50, 3000) == 1
    assert np.isinf(waits(1, 1))
    assert np.isinf(waits(9, 1, servers=8))
    assert np.isinf(single(1, 1, 0))
    assert np.isnan(waits(np.nan, 1))
    assert np.isnan(single(np.nan, 1, 1))
    assert 0 < chance(0.999, 3000) < 1


@given(
    load=st.floats(0.01, 0.98), more=st.floats(0, 0.01), servers=st.integers(1, 64), variation=st.floats(0, 3)
)
def test_more_load_waits_longer(load: float, more: float, servers: int, variation: float) -> None:
    before = waits(load * servers, 1, servers, variation)
    assert waits((load + more) * servers, 1, servers, variation) >= before
    assert waits(load * servers, 1, servers, variation + 0.5) > before or before == 0
    assert waits(load * (servers + 1), 1, servers + 1, variation) <= before  # sharing a queue never hurts


def test_percentiles_of_one_server_exactly() -> None:
    """M/M/1: P(wait > t) = u exp(-(1 - u) t / s)."""
    mean, busy = number(0.8 / 0.2), number(0.8)
    for share in (0.1, 0.5, 0.9, 0.99):
        within = queueing.wait_percentile_s(mean_wait_s=mean, waiting_probability=busy, share=number(share))[
            0
        ]
        expected = max(np.log(0.8 / (1 - share)) / 0.2, 0)
        assert within == pytest.approx(expected)
    spread = queueing.wait_spread_s(mean_wait_s=mean, waiting_probability=busy)[0]
    assert spread**2 == pytest.approx((2 * 0.8 - 0.8**2) / 0.2**2)
    overloaded = queueing.wait_percentile_s(
        mean_wait_s=number(np.inf), waiting_probability=number(1), share=number(0.5)
    )
    assert np.isinf(overloaded[0])
    idle = {"mean_wait_s": number(0), "waiting_probability": number(0)}
    assert queueing.wait_percentile_s(**idle, share=number(0.99))[0] == 0
    assert queueing.wait_spread_s(**idle)[0] == 0


def test_a_simulated_queue() -> None:
    """Four servers at 80 %, service times of a gamma law with variation 0.5: the approximation is within 5 %."""
    random = np.random.default_rng(7)
    count = 200_000
    arrivals = np.cumsum(random.exponential(1 / 3.2, count))
    services = random.gamma(4, 1 / 4, count)
    free = [0.0] * 4
    waited = np.empty(count)
    for place in range(count):
        first = min(range(4), key=free.__getitem__)
        start = max(arrivals[place], free[first])
        waited[place] = start - arrivals[place]
        free[first] = start + services[place]
    assert waits(3.2, 1, servers=4, variation=0.5) == pytest.approx(waited.mean(), rel=0.05)
    busy = number(0.8)
    probability = queueing.waiting_probability(utilisation=busy, servers=number(4))
    tail = queueing.wait_percentile_s(
        mean_wait_s=number(waits(3.2, 1, servers=4, variation=0.5)),
        waiting_probability=probability,
        share=number(0.95),
    )
    assert tail[0] == pytest.approx(np.quantile(waited, 0.95), rel=0.10)


def test_variation_of_prefill() -> None:
    parts = {"length_variation": number(0.5)}
    assert queueing.service_variation(**parts, fixed_s=number(0), linear_s=number(1), quadratic_s=number(0))[
        0
    ] == pytest.approx(0.5)
    assert queueing.service_variation(**parts, fixed_s=number(1), linear_s=number(0), quadratic_s=number(1))[
        0
    ] == pytest.approx(0.5)


def test_burst() -> None:
    span = queueing.wave_span_s(requests=number(11), service_s=number(0.2))
    assert span[0] == pytest.approx(2)
    assert queueing.wave_wait_s(span_s=span, share=number(0.5))[0] == pytest.approx(1)
    assert queueing.wave_wait_s(span_s=span, share=number(1))[0] == pytest.approx(2)
    assert queueing.wave_span_s(requests=number(0), service_s=number(0.2))[0] == 0
    places = np.linspace(0, 2, 100_001)
    assert queueing.wave_spread_s(span_s=span)[0] == pytest.approx(places.std(), rel=1e-4)
