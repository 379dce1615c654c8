"""Steps of the ladder, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric import ladder
from tests.support import number


def test_registers_feed_three_operands_a_multiply_add() -> None:
    """H100 SXM: 66.9 TFLOP/s in FP32 are 33.45e12 multiply-adds on 12 bytes each."""
    found = ladder.register_bandwidth_bytes_per_s(vector_flop_per_s=number(66.9e12))
    assert found == pytest.approx(33.45e12 * 12)


def test_a_byte_of_memory_needs_so_many_operations() -> None:
    """H100 SXM: 989.4 TFLOP/s over 3.35 TB/s, the ridge of its roofline at 295."""
    found = ladder.flop_per_byte(peak_flop_per_s=number(989.4e12), bandwidth_bytes_per_s=number(3.35e12))
    assert found == pytest.approx(295, abs=0.5)


def test_the_slower_of_link_and_memory_counts() -> None:
    both = {"link_bytes_per_s": number(50e9), "memory_bytes_per_s": number(60e9)}
    assert ladder.through_bandwidth_bytes_per_s(**both) == 50e9
    assert np.isnan(
        ladder.through_bandwidth_bytes_per_s(link_bytes_per_s=number(np.nan), memory_bytes_per_s=number(1))
    )


def test_what_all_use_is_shared_and_light_takes_its_time() -> None:
    shared = ladder.shared_bandwidth_bytes_per_s(whole_bytes_per_s=number(1e12), accelerators=number(1000))
    assert shared == 1e9
    away = ladder.one_way_latency_s(distance_km=number(1000), latency_s_per_km=number(5e-6))
    assert away == pytest.approx(5e-3)
    assert ladder.two_nics_latency_s(nic_latency_s=number(600e-9)) == pytest.approx(1.2e-6)
