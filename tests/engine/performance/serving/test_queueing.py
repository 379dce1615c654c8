"""Waits: exact cases, limits, order in load; a simulated queue where no formula is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving import queueing
from app.engine.trace import Array
from tests.support import number


def waits(
    requests: float, service: float, servers: float = 1, variation: float = 1, arrivals: float = 1
) -> float:
    busy = number(requests * service / servers)
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


def chance(utilisation: float, servers: float) -> float:
    return float(queueing.waiting_probability(utilisation=number(utilisation), servers=number(servers))[0])


def test_one_server_exactly() -> None:
    """M/M/1 at half load waits as long as it serves; M/D/1 half of that (Kleinrock 1975)."""
    assert waits(0.5, 1) == pytest.approx(1)
    assert waits(0.5, 1, variation=0) == pytest.approx(0.5)
    assert waits(0.8, 1, variation=0.5) == pytest.approx(0.8 * 1.25 / (2 * 0.2))


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
    assert np.isnan(waits(np.nan, 1))
    assert 0 < chance(0.999, 3000) < 1


@pytest.mark.slow
@given(
    load=st.floats(0.01, 0.98), more=st.floats(0, 0.01), servers=st.integers(1, 64), variation=st.floats(0, 3)
)
def test_more_load_waits_longer(load: float, more: float, servers: int, variation: float) -> None:
    before = waits(load * servers, 1, servers, variation)
    assert waits((load + more) * servers, 1, servers, variation) >= before
    assert waits(load * servers, 1, servers, variation + 0.5) > before or before == 0
    assert waits(load * (servers + 1), 1, servers + 1, variation) <= before  # sharing a queue never hurts


def test_a_server_is_never_taken_to_be_busy_all_the_time() -> None:
    def asked(requests: float) -> Array:
        return queueing.utilisation(requests_per_s=number(requests), service_s=number(2), servers=number(4))

    def busy(requests: float) -> float:
        return float(queueing.steady_utilisation(utilisation=asked(requests))[0])

    assert busy(1) == asked(1)[0] == 0.5
    assert asked(9)[0] == 4.5
    assert busy(2) == busy(9) == queueing.MOST_UTILISED


def test_spread_of_one_server_exactly() -> None:
    """M/M/1: P(wait > t) = u exp(-(1 - u) t / s), so that its variance is (2 u - u^2) (s / (1 - u))^2."""
    spread = queueing.wait_spread_s(mean_wait_s=number(0.8 / 0.2), waiting_probability=number(0.8))[0]
    assert spread**2 == pytest.approx((2 * 0.8 - 0.8**2) / 0.2**2)
    assert queueing.wait_spread_s(mean_wait_s=number(0), waiting_probability=number(0))[0] == 0


@pytest.mark.slow
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
    chance_of_it = queueing.waiting_probability(utilisation=number(0.8), servers=number(4))
    spread = queueing.wait_spread_s(mean_wait_s=number(waited.mean()), waiting_probability=chance_of_it)
    assert spread[0] == pytest.approx(waited.std(), rel=0.10)


def test_a_line_and_a_burst() -> None:
    places = np.linspace(0, 2, 100_001)
    assert queueing.wave_spread_s(span_s=number(2))[0] == pytest.approx(places.std(), rel=1e-4)

    def burst(waves: float) -> float:
        return float(
            queueing.burst_spread_s(wait_s=number(places.sum() / (places.size * waves)), waves=number(waves))[
                0
            ]
        )

    assert burst(1) == pytest.approx(places.std(), rel=1e-4)
    later = np.concatenate([places, np.zeros(9 * places.size)])  # nine of ten requests find no line
    assert burst(10) == pytest.approx(later.std(), rel=1e-4)
