"""What a power cap does to a step: the clock by hand and by measured parts, and what it leaves alone."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.busy import COMPUTING, busy_share_of
from app.engine.performance.power_cap import clock_share_under_cap
from tests.engine.performance import cases
from tests.support import dgx_h100, llama_405b_training, number

META = cases.layout(tp=8, pp=16, vpp=8, zero=2)
ASSUMED = cases.assumed(llama_405b_training(), dgx_h100())
EXCHANGED = ("tp", "cp", "ep", "pp_transfer", "optimizer")


def clock(cap):
    return clock_share_under_cap(
        power_cap=number(cap),
        power_cap_loss=ASSUMED.power_cap_loss,
        power_cap_knee=ASSUMED.power_cap_knee,
        power_exponent=ASSUMED.power_exponent,
    )[0]


def capped(cap):
    node = dgx_h100()
    chip = dataclasses.replace(node.accelerator, power_cap=None if cap is None else number(cap))
    return dataclasses.replace(node, accelerator=chip)


def evaluated(cap):
    return cases.evaluated(llama_405b_training(), META, 16384, capped(cap))


@pytest.mark.parametrize(
    ("cap", "share"), [(1, 1), (0.9, 0.97), (0.8, 0.94), (0.5, 0.94 * 0.625**0.56), (0.3, 0.94 * 0.375**0.56)]
)
def test_clock_by_hand(cap, share):
    assert clock(cap) == pytest.approx(share)


@given(st.floats(0.3, 1), st.floats(0.3, 1))
def test_more_power_is_never_slower_and_a_cap_costs_less_speed_than_power(one, other):
    less, more = sorted((one, other))
    assert less <= clock(less) <= clock(more) <= 1


def test_a_cap_below_the_knee_costs_more_than_one_above():
    assert clock(0.8) - clock(0.75) > 1.5 * (clock(0.9) - clock(0.85))


def test_no_cap_and_one_at_tdp_are_todays_step():
    free = evaluated(None)
    assert evaluated(1).step_time_s[0] == free.step_time_s[0]


def test_products_slow_down_and_nothing_else_does():
    free, slow = evaluated(None).time_breakdown_s, evaluated(0.8).time_breakdown_s
    assert slow["attention"][0] == pytest.approx(free["attention"][0] / 0.94)
    # operands come through memory as fast as before, beside the products
    assert free["gemm"][0] < slow["gemm"][0] < free["gemm"][0] / 0.94
    assert slow["memory_bound"][0] == free["memory_bound"][0]
    for name in EXCHANGED:
        assert slow[name][0] == pytest.approx(free[name][0], rel=1e-9), name


def test_a_published_operators_loss_lies_within_the_range_of_the_assumption():
    """10 to 15 % of the step for 600 of 700 W (factryze.ai, power capping): the upper end of k."""
    at_the_upper_end = 1 - 0.9 * (1 - 600 / 700)
    assert 1 / 1.15 <= at_the_upper_end <= 1 / 1.10
    assert evaluated(600 / 700).step_time_s[0] < 1.10 * evaluated(None).step_time_s[0]


def test_many_caps_at_once():
    caps = np.array([[1.0], [0.8], [0.5]])
    node = capped(1)
    together = dataclasses.replace(node, accelerator=dataclasses.replace(node.accelerator, power_cap=caps))
    steps = cases.evaluated(llama_405b_training(), META, 16384, together).step_time_s
    assert steps.ravel() == pytest.approx([evaluated(cap).step_time_s[0] for cap in caps.ravel()])


def test_busy_share_is_what_the_step_computes():
    performance = evaluated(None)
    parts = performance.time_breakdown_s
    computing = sum(parts[name][0] for name in COMPUTING)
    assert busy_share_of(performance)[0] == pytest.approx(computing / performance.step_time_s[0])
    assert 0.6 < busy_share_of(performance)[0] < 0.9


def test_a_cap_makes_the_job_wait_for_less_of_its_step():
    assert busy_share_of(evaluated(0.5))[0] > busy_share_of(evaluated(None))[0]
