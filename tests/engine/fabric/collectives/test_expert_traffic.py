"""Expert dispatch and combine: copies by hand, limits, and published kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.collectives import expert_traffic
from app.engine.fabric.collectives.network import Group, Network
from tests.engine.fabric.collectives.networks import group, network, shipped
from tests.support import number


def reached(places: float, experts: float, most: float = np.inf) -> float:
    return float(
        expert_traffic.places_reached(
            places=number(places), experts_per_token=number(experts), most=number(most)
        )[0]
    )


def kernel_s(
    place: Group, net: Network, *, tokens: float = 1000, up: float = 0, out: float = 0, token_s: float = 0
) -> float:
    paths = expert_traffic.expert_paths(
        tokens=number(tokens),
        scale_up_copies=number(up),
        scale_out_copies=number(out),
        group=place,
        network=net,
    )
    time = expert_traffic.expert_time_s(
        paths, copy_bytes=number(1e4), memory_time_s_per_byte=number(0), launch_s=number(10e-6),
        token_s=number(token_s),
    )  # fmt: skip
    return float(time[0])


def test_places_reached_by_hand() -> None:
    assert reached(1, 8) == 1
    assert reached(8, 1) == pytest.approx(1)
    assert reached(8, 8) == pytest.approx(8 * (1 - (7 / 8) ** 8))  # 5.25 of 8 nodes
    assert reached(8, 8, most=4) == 4  # node-limited routing


def test_copies_that_leave_are_those_for_other_places() -> None:
    sent = expert_traffic.copies_sent(places=np.array([1.0, 2, 8]), copies=number(4))
    np.testing.assert_allclose(sent, [0, 2, 3.5])


def test_a_dispatch_by_hand() -> None:
    # 1,000 tokens of 10 kB: 4 copies at 100 GB/s inside beside 1 copy at 10 GB/s across; log2 hops of each.
    fill = (1 + 3) * 1e-6 + 2 * 1 * 10e-6
    assert kernel_s(group(8, 2), network(), up=4, out=1) == pytest.approx(10e-6 + fill + 1e7 / 10e9)
    assert kernel_s(group(8, 2), network(), up=40, out=1) == pytest.approx(10e-6 + fill + 40e7 / 100e9)
    handled = kernel_s(group(8, 2), network(), up=4, out=1, token_s=20e-9)
    assert handled == pytest.approx(10e-6 + fill + 1e7 / 10e9 + 20e-6)


def test_results_pass_through_memory_twice() -> None:
    time = expert_traffic.combine_memory_time_s_per_byte(
        experts_per_token=number(8), memory_bandwidth_bytes_per_s=number(3.2e12)
    )
    assert float(time[0]) == pytest.approx(16 / 3.2e12)


def test_nothing_is_sent_to_oneself() -> None:
    assert kernel_s(group(1), network(scale_up_bandwidth_bytes_per_s=np.nan)) == 0
    assert kernel_s(group(8), network(), tokens=0, up=7) == 0


@given(st.floats(1, 64), st.floats(1, 64), st.floats(1, 64))
def test_routing_reaches_no_more_places_than_there_are(places: float, experts: float, most: float) -> None:
    found = reached(places, experts, most)
    assert found <= min(places, experts, most) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("nodes", "dispatch_us", "combine_us"), [(2, 118, 195), (4, 155, 273), (8, 173, 314), (16, 192, 369)]
)
def test_published_low_latency_kernels(nodes: int, dispatch_us: float, combine_us: float) -> None:
    """DeepEP on H800: 128 tokens of 7,168 to 8 experts, one copy for each expert, FP8 out and 16 bit back."""
    net = shipped("hopper", 200e9, 50e9)
    place = group(8, nodes)
    paths = expert_traffic.expert_paths(
        tokens=number(128),
        scale_up_copies=number(8 * 7 / (8 * nodes)),
        scale_out_copies=number(8 * (nodes - 1) / nodes),
        group=place,
        network=net,
    )
    for element_bytes, measured_us in ((1 + 4 / 128, dispatch_us), (2, combine_us)):
        time = expert_traffic.expert_time_s(
            paths,
            copy_bytes=number(7168 * element_bytes),
            memory_time_s_per_byte=number(0),
            launch_s=number(9.5e-6),
            token_s=number(20e-9),
        )
        assert float(time[0]) * 1e6 == pytest.approx(measured_us, rel=0.16)
