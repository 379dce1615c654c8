"""Counterflow exchangers: textbook values, limits, and that both formulas undo each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.cooling.loops.cdus import (
    approach_off_design_k,
    design_effectiveness,
    exchanger_capacity_ratio,
    exchanger_effectiveness,
    exchanger_ntu,
)
from tests.support import number


@pytest.mark.parametrize(
    ("ntu", "ratio", "effectiveness"),
    [(1, 1, 0.5), (3, 1, 0.75), (2, 0, 1 - np.exp(-2)), (2, 0.5, 0.7746), (5, 0.75, 0.9088)],
)
def test_effectiveness_is_that_of_kays_and_london(ntu, ratio, effectiveness):
    found = exchanger_effectiveness(ntu=number(ntu), capacity_ratio=number(ratio))
    assert found[0] == pytest.approx(effectiveness, abs=1e-4)


@given(ntu=st.floats(0.01, 8), ratio=st.floats(0, 1))
def test_ntu_undoes_effectiveness(ntu, ratio):
    effectiveness = exchanger_effectiveness(ntu=number(ntu), capacity_ratio=number(ratio))
    back = exchanger_ntu(effectiveness=effectiveness, capacity_ratio=number(ratio))
    assert 0 < effectiveness[0] < 1
    assert back[0] == pytest.approx(ntu, rel=1e-3)


def _approach(load, flow, hot=10.0, cold=10.0, design=4.0):
    ranges = {"hot_range_k": number(hot), "cold_range_k": number(cold)}
    ratio = exchanger_capacity_ratio(**ranges)
    effectiveness = design_effectiveness(approach_k=number(design), **ranges)
    return approach_off_design_k(
        load_share=number(load),
        flow_share=number(flow),
        design_ntu=exchanger_ntu(effectiveness=effectiveness, capacity_ratio=ratio),
        capacity_ratio=ratio,
        flow_exponent=number(0.8),
        **ranges,
    )[0]


@pytest.mark.parametrize(("hot", "cold"), [(10, 10), (10, 6), (7.5, 11)])
def test_design_gives_back_its_approach(hot, cold):
    assert _approach(1, 1, hot, cold) == pytest.approx(4)


@given(load=st.floats(0.05, 1))
def test_approach_follows_the_load_at_unchanged_flow(load):
    assert _approach(load, 1) == pytest.approx(4 * load)
    assert _approach(load, 1) <= _approach(load, load) <= 4 + 1e-9


def test_half_load_and_flow_by_hand():
    """NTU 2.5 grows by 0.5^-0.2 to 2.872: effectiveness 0.7417, 10 / 0.7417 - 10 = 3.48 K."""
    assert _approach(0.5, 0.5) == pytest.approx(10 / (2.8717 / 3.8717) - 10, abs=1e-3)


def test_water_cannot_leave_warmer_than_the_coolant_comes():
    """Coolant that gives 7.5 K with an approach of 4 K cannot warm water by 12 K."""
    assert np.isnan(_approach(1, 1, 7.5, 12))
