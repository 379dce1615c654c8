"""Break-even of owning and renting, and what a wrong guess costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.finance import monthly_rate, payback_months
from app.engine.economics.renting.bill import (
    paid_over_used,
    rent_support_usd_per_month,
    rented_hours_per_month,
)
from app.engine.economics.renting.owning import (
    break_even_month,
    break_even_use_over_months,
    usd_per_used_hour,
)
from app.engine.economics.renting.paths import most_regret_usd, regret_usd
from tests.support import number

MONTH = np.arange(1.0, 601)
RENTS = np.array([1.70, 2.35, 3.20, 3.99, 6.88])
# 31,250 USD an accelerator, running at 0.478 USD an hour, 10 % a year; infinite: not in 600 months.
NEVER = np.inf
MONTHS = {
    1.0: [42, 26, 17, 13, 7],
    0.8: [62, 36, 23, 17, 9],
    0.6: [NEVER, 58, 35, 25, 13],
    0.4: [NEVER, NEVER, 70, 46, 21],
}


@pytest.mark.parametrize("use", MONTHS)
def test_break_even_months_month_by_month(use: float) -> None:
    gain = 730 * (RENTS[:, None] * use - 0.478) * np.ones(600)
    found = break_even_month(
        price_usd=number(31250),
        gain_usd_per_month=gain,
        month=MONTH,
        monthly_rate=monthly_rate(yearly_rate=number(0.10)),
    )
    # The published table says "none" to what takes longer than ten years.
    assert np.where(found > 120, NEVER, found).tolist() == MONTHS[use]


@pytest.mark.slow
@given(gain=st.floats(200, 5000), rate=st.floats(0, 0.3))
def test_a_flat_path_pays_back_as_an_annuity(gain: float, rate: float) -> None:
    monthly = monthly_rate(yearly_rate=number(rate))
    found = break_even_month(
        price_usd=number(31250), gain_usd_per_month=np.full(600, gain), month=MONTH, monthly_rate=monthly
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = payback_months(price_usd=number(31250), monthly_gain_usd=number(gain), monthly_rate=monthly)[
            0
        ]
    if closed <= 600:
        assert (
            abs(float(found) - closed) <= 1
        )  # equal but where the last payment falls on a month to the cent
    else:
        assert found == np.inf


def test_a_falling_price_pays_back_later() -> None:
    terms = {"price_usd": number(1000), "month": MONTH, "monthly_rate": number(0)}
    assert break_even_month(gain_usd_per_month=np.full(600, 100.0), **terms) == 10
    assert break_even_month(gain_usd_per_month=100 * 0.95**MONTH, **terms) == 15
    assert break_even_month(gain_usd_per_month=100 * 0.9**MONTH, **terms) == np.inf
    assert np.isnan(break_even_month(gain_usd_per_month=np.full(600, np.nan), **terms))


@pytest.mark.slow
@given(
    fixed=st.floats(0, 10),
    rising=st.floats(0, 2),
    extras=st.floats(0, 3),
    rent=st.floats(0.1, 20),
    most=st.floats(0.2, 1),
)
def test_owning_is_cheaper_from_there_on(
    fixed: float, rising: float, extras: float, rent: float, most: float
) -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        use = break_even_use_over_months(
            own_fixed_usd=number(fixed), own_at_full_use_usd=number(rising), rent_fixed_usd=number(extras),
            rent_at_full_use_usd=number(rent), most_use=number(most),
        )[0]  # fmt: skip
    gap = fixed + rising * most - extras - rent * most  # owning less renting where rent is at its most
    if use == np.inf:
        assert gap > -1e-9 or rent <= rising
    elif not np.isnan(use):
        assert gap <= 1e-9
        assert use == 0 or fixed + rising * use == pytest.approx(extras + rent * use, rel=1e-6, abs=1e-9)


def test_limits_of_break_even_use() -> None:
    def use(fixed: float, rising: float, rent: float, extras: float = 0.0) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(
                break_even_use_over_months(
                    own_fixed_usd=number(fixed), own_at_full_use_usd=number(rising),
                    rent_fixed_usd=number(extras), rent_at_full_use_usd=number(rent), most_use=number(1),
                )[0]
            )  # fmt: skip

    assert use(1, 0, 2) == 0.5
    assert use(3, 0, 2) == np.inf
    assert use(1, 2, 1) == np.inf  # energy alone costs more than rent
    assert use(1, 0, 2, extras=2) == 0  # storage alone costs more than owning
    assert np.isnan(use(np.nan, 0, 2))


def test_a_commitment_is_paid_for_the_peak() -> None:
    given = {"utilisation": number(0.4), "peak_share": number(0.6)}
    assert paid_over_used(pays_booked=number(1), **given)[0] == pytest.approx(1.5)
    assert paid_over_used(pays_booked=number(0), **given)[0] == 1


def test_lost_goodput_and_support_are_paid_for() -> None:
    hours = rented_hours_per_month(
        available_accelerator_hours_per_year=number(12e3), goodput_ratio=number(0.8)
    )
    assert hours[0] == pytest.approx(1250)
    assert rent_support_usd_per_month(rent_usd_per_month=hours, support_share=number(0.04))[
        0
    ] == pytest.approx(50)


def test_the_cost_of_an_hour() -> None:
    found = usd_per_used_hour(
        cost_usd=number(300), used_hours_per_month=number(10), worth_of_payments=number(12)
    )
    assert found[0] == pytest.approx(2.5)


def test_regret_by_hand() -> None:
    # Owning costs 10 whatever happens; renting 8 or 14; both 9 or 11.
    cost = np.array([[10.0, 10.0], [8.0, 14.0], [9.0, 11.0]])
    regret = regret_usd(cost_usd=cost)
    assert regret.tolist() == [[2, 0], [0, 4], [1, 1]]
    assert most_regret_usd(regret_usd=regret).tolist() == [2, 4, 1]


@pytest.mark.slow
@given(st.lists(st.lists(st.floats(0, 100), min_size=3, max_size=3), min_size=1, max_size=5))
def test_on_every_path_someone_regrets_nothing(rows: list[list[float]]) -> None:
    regret = regret_usd(cost_usd=np.array(rows))
    assert (regret >= 0).all()
    assert (regret.min(axis=0) == 0).all()


def test_unknown_costs_take_no_part() -> None:
    regret = regret_usd(cost_usd=np.array([[1.0, 2.0], [np.nan, np.nan]]))
    assert regret[0].tolist() == [0, 0]
    assert np.isnan(most_regret_usd(regret_usd=regret)[1])
