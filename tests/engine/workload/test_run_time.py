"""The short formulas of a run: worked by hand, and held against one another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.workload.prediction import (
    compute_of_run_flop,
    productive_time_s,
    time_with_goodput_s,
    time_with_two_efficiencies_s,
)
from tests.support import number


def test_gpt_4_as_published():
    """2.1e25 FLOP on 25,000 A100 at 34 % in 90 to 100 days (Epoch AI, Notable AI Models)."""
    days = (
        productive_time_s(
            flops=number(2.1e25),
            accelerators=number(25_000),
            peak_flop_per_s=number(312e12),
            mfu=number(0.34),
        )
        / 86_400
    )
    assert 90 <= days[0] <= 100


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_second_efficiency_makes_a_run_longer_by_itself(mfu, efficiency):
    run = {"flops": number(1e24), "accelerators": number(1024), "peak_flop_per_s": number(1e15)}
    once = productive_time_s(**run, mfu=number(mfu))
    twice = time_with_two_efficiencies_s(
        **run, acceleration_factor=number(mfu), efficiency=number(efficiency)
    )
    assert twice / once == pytest.approx(1 / efficiency)


def test_compute_and_time_are_one_another_reversed():
    peak = {"accelerators": number(8), "peak_flop_per_s": number(1e15), "mfu": number(0.4)}
    flops = compute_of_run_flop(days=number(10), **peak)
    assert productive_time_s(flops=flops, **peak) == pytest.approx(10 * 86_400)


def test_a_perfect_goodput_changes_nothing():
    time = np.array([1.0, 2.0])
    assert time_with_goodput_s(productive_time_s=time, goodput=number(1)) == pytest.approx(time)
    assert time_with_goodput_s(productive_time_s=time, goodput=number(0.5)) == pytest.approx(2 * time)
