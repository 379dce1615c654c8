"""Owning until a month: cash and level payments, resale, and things that outlive the horizon."""

import numpy as np
import numpy_financial as npf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.renting import owning
from app.engine.economics.renting.bill import worth_of_a_dollar, worth_of_payments, worth_so_far_usd
from app.engine.economics.residual import decline_to_residual_per_year
from tests.support import number

rate = st.floats(0, 0.03)


@pytest.mark.slow
@given(monthly=st.floats(1e-7, 0.03), months=st.integers(1, 240))
def test_payments_against_numpy_financial(monthly: float, months: int) -> None:
    found = worth_of_payments(month=number(months), monthly_rate=number(monthly))[0]
    assert found == pytest.approx(-npf.pv(monthly, months, 1.0), rel=1e-6)


@given(monthly=rate, months=st.integers(1, 240))
def test_payments_one_by_one(monthly: float, months: int) -> None:
    found = worth_of_payments(month=number(months), monthly_rate=number(monthly))[0]
    summed = worth_so_far_usd(
        usd_per_month=np.ones(months), month=np.arange(1.0, months + 1), monthly_rate=number(monthly)
    )
    assert summed[-1] == pytest.approx(found, rel=1e-9)


@pytest.mark.slow
@given(monthly=rate, residual=st.floats(0, 1), life=st.integers(12, 120), lives=st.integers(1, 5))
def test_cash_and_level_payments_meet_at_the_end_of_a_life(
    monthly: float, residual: float, life: int, lives: int
) -> None:
    given = {"life_months": number(life), "monthly_rate": number(monthly)}
    month = number(life * lives)
    decline = decline_to_residual_per_year(residual_value=number(residual), life_years=number(life / 12))
    net = owning.equipment_net_usd(
        equipment_usd=number(1000), used_value_share=number(1), value_decline_per_year=decline, month=month, **given
    )[0]  # fmt: skip
    level = owning.level_usd_per_month(price_usd=number(1000), residual_value=number(residual), **given)[0]
    paid = level * worth_of_payments(month=month, monthly_rate=number(monthly))[0]
    assert net == pytest.approx(paid, rel=1e-6, abs=1e-6)


def test_resale_by_hand() -> None:
    # 21 % less as soon as it is used and 27.6 % a year: the 30 % (25 to 35) that were seen after three years.
    curve = {"used_value_share": number(0.79), "value_decline_per_year": number(0.276)}
    left = owning.resale_by_age_usd(equipment_usd=number(100), age_months=np.array([0, 36, 60.0]), **curve)
    assert left == pytest.approx([79, 30, 15.7], abs=0.1)
    net = owning.equipment_net_usd(
        equipment_usd=number(100), life_months=number(60), month=np.array([36.0, 60, 61]), monthly_rate=number(0),
        **curve,
    )  # fmt: skip
    assert net[:2] == pytest.approx([70, 84.3], abs=0.1)
    assert net[2] == pytest.approx(84.29 + 100 * (1 - 0.79 * 0.724 ** (1 / 12)), abs=0.01)  # a month old


def test_nothing_left_and_nothing_used() -> None:
    given = {"life_months": number(60), "month": np.array([1.0, 59]), "monthly_rate": number(0.01)}

    def net(decline: float) -> np.ndarray:
        return owning.equipment_net_usd(
            equipment_usd=number(100), used_value_share=number(1), value_decline_per_year=number(decline), **given
        )  # fmt: skip

    assert net(1).tolist() == [100, 100]
    assert net(0) == pytest.approx(100 * (1 - 1.01 ** -np.array([1.0, 59])))
    land = owning.land_net_usd(land_usd=number(100), month=number(12), monthly_rate=number(0))
    assert land[0] == 0


@pytest.mark.slow
@given(monthly=st.floats(0.0001, 0.03), months=st.integers(1, 239))
def test_a_building_is_credited_with_what_is_not_paid_off(monthly: float, months: int) -> None:
    net = owning.facility_net_usd(
        facility_usd=number(1000), facility_life_months=number(240), month=number(months),
        monthly_rate=number(monthly),
    )[0]  # fmt: skip
    payment = npf.pmt(monthly, 240, -1000.0)
    left = -npf.pv(monthly, 240 - months, payment)
    credited = left * worth_of_a_dollar(month=number(months), monthly_rate=number(monthly))[0]
    assert net == pytest.approx(1000 - credited, rel=1e-7, abs=1e-6)


def test_cash_counts_what_is_bought_again() -> None:
    given = {"life_months": number(12), "month": np.array([12.0, 13]), "monthly_rate": number(0)}
    replaced = [
        owning.replaced_so_far_usd(price_usd=number(price), residual_value=number(residual), **given)
        for price, residual in ((100, 0.2), (10, 0.0))
    ]
    cash = owning.own_cash_usd(
        capex_usd=number(150), replaced_usd=sum(replaced), running_usd=np.array([12.0, 13])
    )
    assert cash.tolist() == [162, 163 + 80 + 10]
