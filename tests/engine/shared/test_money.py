"""What each workload pays of a pod, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.shared import parts

SHARE = st.floats(min_value=0.01, max_value=0.99)


def one(value: float) -> np.ndarray:
    return np.array([float(value)])


def paid(annual: float, by_energy: float, share: float, energy_share: float) -> float:
    found = parts.usd_per_year_of_workload(
        annual_cost_usd_per_year=one(annual),
        by_energy_usd_per_year=one(by_energy),
        share=one(share),
        energy_share=one(energy_share),
    )
    return float(found[0])


def test_energy_is_paid_by_energy_and_the_rest_by_hours() -> None:
    # 90 of 100 by hours, a quarter; 10 by energy, a half
    assert paid(100, 10, 0.25, 0.5) == 22.5 + 5
    assert paid(100, 10, 1, 1) == 100
    assert paid(100, 10, 0, 0) == 0


@given(share=SHARE, energy_share=SHARE, by_energy=st.floats(min_value=0, max_value=100))
def test_two_workloads_pay_the_whole(share: float, energy_share: float, by_energy: float) -> None:
    both = paid(100, by_energy, share, energy_share) + paid(100, by_energy, 1 - share, 1 - energy_share)
    assert both == pytest.approx(100)


def test_an_hour_of_a_workload_that_takes_more_energy_costs_more() -> None:
    hours = [
        parts.usd_per_accelerator_hour_of_workload(
            usd_per_year=one(paid(100, 10, 0.5, energy_share)),
            used_accelerator_hours_per_year=one(1000),
            share=one(0.5),
        )[0]
        for energy_share in (0.4, 0.6)
    ]
    assert hours[0] == pytest.approx((45 + 4) / 500)
    assert hours[1] == pytest.approx((45 + 6) / 500)


def test_a_run_that_works_half_the_day_takes_twice_as_long_by_the_calendar() -> None:
    assert parts.elapsed_by_the_calendar_s(elapsed_time_s=one(100), working_share=one(0.5))[0] == 200
    assert parts.tokens_per_s_mean(tokens_per_s=one(100), working_share=one(0.5))[0] == 50
