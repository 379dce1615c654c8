"""Links added up, and how far light gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.reach import (
    both_ways_bytes_per_s,
    cables_per_pair,
    fibre_reach_km,
    fibre_round_trip_s,
    joint_bandwidth_bytes_per_s,
    units_for_bandwidth,
)
from tests.support import number

PER_KM = number(5e-6)


def test_links_add_up():
    """NDR400: eight ports of 50 GB/s are 3.2 Tbit/s; NVLink 4 has 450 GB/s each way."""
    assert joint_bandwidth_bytes_per_s(links=number(8), bandwidth_bytes_per_s=number(50e9)) * 8 == 3.2e12
    assert both_ways_bytes_per_s(bandwidth_bytes_per_s=number(450e9)) == 900e9
    joint, each = number(10e15), number(1.6e12)
    assert units_for_bandwidth(joint_bandwidth_bytes_per_s=joint, bandwidth_bytes_per_s=each) == 6250
    assert cables_per_pair(cables=number(256), leaves=number(8), spines=number(4)) == 8


def test_a_hundred_milliseconds_are_ten_thousand_kilometres():
    trip = fibre_round_trip_s(distance_km=number(10_000), latency_s_per_km=PER_KM)
    assert trip == pytest.approx(0.1)
    assert fibre_reach_km(round_trip_s=number(0.02), latency_s_per_km=PER_KM) == pytest.approx(2000)


@given(st.floats(0, 4e4))
def test_reach_is_the_trip_reversed(distance):
    trip = fibre_round_trip_s(distance_km=number(distance), latency_s_per_km=PER_KM)
    assert fibre_reach_km(round_trip_s=trip, latency_s_per_km=PER_KM) == pytest.approx(distance)
