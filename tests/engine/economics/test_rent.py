"""Owning against renting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.operating import run_accelerator_hours, usd_per_run
from app.engine.economics.rent import break_even_utilisation
from tests.engine.economics.pods import economics, evaluate, pod
from tests.support import number


@pytest.mark.parametrize(("rent", "use"), [(2.35, 0.72), (3.20, 0.53), (3.99, 0.42), (6.88, 0.25)])
def test_break_even_of_a_neocloud(rent: float, use: float) -> None:
    # Own cost 1.69 USD per hour at full use (SemiAnalysis AI Cloud TCO, 2026-05), no use-dependent part.
    found = break_even_utilisation(
        idle_cost_usd_per_year=number(1.69 * 8760),
        use_dependent_usd_per_year=number(0),
        available_accelerator_hours_per_year=number(8760),
        rent_usd_per_hour=number(rent),
    )
    assert found[0] == pytest.approx(use, abs=0.006)


@pytest.mark.slow
@given(rent=st.floats(2.0, 20), utilisation=st.floats(0.1, 1))
def test_at_break_even_both_cost_the_same(rent: float, utilisation: float) -> None:
    terms = {"rental_on_demand_usd_per_accelerator_hour": rent}
    needed = evaluate(economics=economics(utilisation=utilisation, **terms)).break_even_utilisation[0]
    there = evaluate(economics=economics(utilisation=needed, **terms))
    assert there.usd_per_accelerator_hour[0] == pytest.approx(rent, rel=1e-9)
    assert there.usd_per_run[0] == pytest.approx(there.usd_per_run_rented_on_demand[0], rel=1e-9)


def test_energy_alone_above_rent() -> None:
    cost = evaluate(economics=economics(rental_on_demand_usd_per_accelerator_hour=0.01))
    assert cost.break_even_utilisation[0] == np.inf
    assert cost.break_even_months[0] == np.inf


def test_deepseek_v3_rented() -> None:
    # 2.788 million H800 hours at 2 USD is the printed 5.576 million USD (arXiv 2412.19437).
    hours = run_accelerator_hours(
        accelerators_used=number(2048), powered_time_s=number(2.788e6 / 2048 * 3600)
    )
    cost = usd_per_run(run_accelerator_hours=hours, usd_per_accelerator_hour=number(2.0))
    assert cost[0] == pytest.approx(5.576e6)


def test_seven_billion_on_a_trillion_tokens() -> None:
    # 6 x 7e9 x 1e12 FLOP at 300 TFLOP/s is 1,620 accelerator-days, about 97,000 USD at 2.50.
    hours = run_accelerator_hours(accelerators_used=number(1), powered_time_s=number(4.2e22 / 300e12))
    assert hours[0] / 24 == pytest.approx(1620, abs=1)
    assert usd_per_run(run_accelerator_hours=hours, usd_per_accelerator_hour=number(2.50))[
        0
    ] == pytest.approx(97e3, rel=0.01)


def test_no_rental_price_leaves_owning_known() -> None:
    cost = evaluate(economics=economics(rental_on_demand_usd_per_accelerator_hour=np.nan))
    assert np.isnan(cost.usd_per_run_rented_on_demand[0])
    assert np.isnan(cost.break_even_utilisation[0])
    assert cost.usd_per_run[0] > 0
    assert cost.usd_per_run_rented_reserved[0] == pytest.approx(16384 * 78 * 24 * 2.72)
    assert pod()["economics"].utilisation[0] == 0.8
