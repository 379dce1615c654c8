"""What turns a decision, by hand and at its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics import build_up, deciding
from app.engine.workload.flops import training_accelerator_days

MONEY = st.floats(1.0, 1e10)


def of(value: float) -> np.ndarray:
    return np.array([value])


def test_the_price_at_which_both_cost_the_same_by_hand() -> None:
    # 100 owned; 20 of storage and setup, 160 of hours at 4 an hour: 80 are left for hours, half of today's
    found = deciding.break_even_rent_usd_per_hour(
        own_usd=of(100.0), rent_fixed_usd=of(20.0), rent_of_hours_usd=of(160.0), usd_per_hour=of(4.0)
    )
    assert found.tolist() == [2.0]


@pytest.mark.slow
@given(own=MONEY, fixed=MONEY, hours=MONEY, price=st.floats(0.1, 50.0))
def test_at_that_price_renting_costs_what_owning_does(
    own: float, fixed: float, hours: float, price: float
) -> None:
    at = deciding.break_even_rent_usd_per_hour(
        own_usd=of(own), rent_fixed_usd=of(fixed), rent_of_hours_usd=of(hours), usd_per_hour=of(price)
    )
    rented = fixed + hours * at[0] / price
    assert rented == pytest.approx(own, rel=1e-9, abs=1e-6 * (own + fixed))


def test_unknown_costs_give_unknown_prices() -> None:
    found = deciding.break_even_rent_usd_per_hour(
        own_usd=of(np.nan), rent_fixed_usd=of(0.0), rent_of_hours_usd=of(1.0), usd_per_hour=of(1.0)
    )
    assert np.isnan(found).all()


def test_shares_runs_and_thousands_by_hand() -> None:
    assert deciding.more_than_the_least_usd(usd=of(7.0), least_usd=of(9.0)).tolist() == [-2.0]
    assert build_up.cost_share(part_usd_per_year=of(25.0), annual_cost_usd_per_year=of(100.0)).tolist() == [
        0.25
    ]
    assert deciding.usd_per_thousand_accelerators(usd=of(8e6), accelerators=of(250.0)).tolist() == [32e6]
    year = {"used_accelerator_hours_per_year": of(8760.0)}
    assert deciding.runs_per_year(**year, run_accelerator_hours=of(876.0)).tolist() == [10.0]


def test_the_rule_of_thumb_on_the_article_s_own_example() -> None:
    # 7B parameters on 1T tokens at 300 TFLOP/s: 1,620 days, 12.5 times the 130 that the article prints
    days = training_accelerator_days(parameters=of(7e9), tokens=of(1e12), achieved_flop_per_s=of(300e12))
    assert days[0] == pytest.approx(1620.4, rel=1e-4)
    assert days[0] / 130 == pytest.approx(12.5, rel=0.01)
