"""Present value, rates of return, payback and cover: published vectors, limits, and arrays of samples."""

import numpy as np
import numpy_financial as npf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.cash_flow.section import level_payment_usd_per_year
from app.engine.economics.cash_flow.worth import (
    debt_service_cover,
    internal_rate_of_return,
    least_debt_service_cover,
    levelised_usd_per_used_hour,
    net_present_value_usd,
    payback_years,
)
from tests.support import number

FLOW = np.array([-100.0, 40, 40, 40, 40])
YEARS = np.arange(5.0)


def test_published_vectors() -> None:
    # By numpy-financial 1.0.0, whose conventions spreadsheets share.
    payment = level_payment_usd_per_year(
        borrowed_usd=number(31250), debt_rate=number(0.10), debt_years=number(4)
    )
    assert payment[0] / 8760 == pytest.approx(1.12540, abs=5e-6)
    assert payment[0] == pytest.approx(npf.pmt(0.10, 4, -31250))
    value = net_present_value_usd(flow_usd=FLOW, rate=number(0.1), years=YEARS)
    assert value[0] == pytest.approx(26.7946, abs=5e-5)
    assert value[0] == pytest.approx(npf.npv(0.1, FLOW))
    assert internal_rate_of_return(flow_usd=FLOW)[0] == pytest.approx(0.21862, abs=5e-6)


def test_without_interest_the_present_value_is_the_sum() -> None:
    assert net_present_value_usd(flow_usd=FLOW, rate=number(0), years=YEARS)[0] == 60


@pytest.mark.slow
@given(
    price=st.floats(1, 1e6),
    gains=st.lists(st.floats(0.01, 1e6), min_size=1, max_size=12),
)
def test_present_value_at_the_rate_of_return_is_nothing(price: float, gains: list[float]) -> None:
    flow = np.array([-price, *gains])
    rate = internal_rate_of_return(flow_usd=flow)
    if np.isnan(rate[0]):  # below -90 % a year
        assert np.sum(flow / 0.1 ** np.arange(flow.size)) < 0
        return
    value = net_present_value_usd(flow_usd=flow, rate=rate, years=np.arange(flow.size))
    size = np.sum(np.abs(flow) / (1 + rate[0]) ** np.arange(flow.size))
    assert value[0] == pytest.approx(0, abs=1e-9 * size)
    known = npf.irr(flow)
    if not np.isnan(known) and -0.9 < known < 10:
        assert rate[0] == pytest.approx(known, abs=1e-6)


@pytest.mark.parametrize(
    "flow",
    [
        [-100, -1, -1],  # nothing comes back
        [100, 40, 40],  # nothing is paid
        [-100, 230, -132],  # 10 % and 20 % both fit
        [100, -40, -40, -40],  # a loan, not an investment
        [0, 0, 0],
        [-100, np.nan, 40],
    ],
)
def test_flows_without_one_rate_of_return(flow: list[float]) -> None:
    assert np.isnan(internal_rate_of_return(flow_usd=np.array(flow, dtype=float))[0])


def test_samples_are_rows() -> None:
    flow = np.array([[-100.0, 60, 60], [-100, 110, 0], [-100, 10, 10]])
    rates = internal_rate_of_return(flow_usd=flow)
    assert rates.shape == (3, 1)
    assert rates[:, 0] == pytest.approx([npf.irr(row) for row in flow])
    rate = np.array([[0.0], [0.1], [0.2]])
    value = net_present_value_usd(flow_usd=flow, rate=rate, years=np.arange(3.0))
    assert value[:, 0] == pytest.approx([20, 0, -100 + 10 / 1.2 + 10 / 1.44])
    assert payback_years(flow_usd=flow)[:, 0] == pytest.approx([1 + 40 / 60, 100 / 110, np.inf])


def test_payback() -> None:
    assert payback_years(flow_usd=FLOW)[0] == pytest.approx(2.5)
    assert payback_years(flow_usd=np.array([0.0, 1, 1]))[0] == 0
    assert payback_years(flow_usd=np.array([-100.0, 50, 50]))[0] == 2
    assert payback_years(flow_usd=np.array([-100.0, 50, 40]))[0] == np.inf
    assert np.isnan(payback_years(flow_usd=np.array([-100.0, np.nan, np.nan]))[0])


def test_cover_of_debt() -> None:
    service = np.array([0.0, 50, 50, 0])
    cover = debt_service_cover(
        ebitda_usd=np.array([0.0, 100, 70, 80]), tax_usd=np.array([0.0, 10, 5, 0]), debt_service_usd=service
    )
    assert cover[1:3] == pytest.approx([1.8, 1.3])
    assert np.isnan(cover[[0, 3]]).all()
    assert least_debt_service_cover(debt_service_cover=cover, debt_service_usd=service)[0] == pytest.approx(
        1.3
    )
    nothing = least_debt_service_cover(debt_service_cover=cover, debt_service_usd=np.zeros(4))
    assert np.isnan(nothing[0])


def test_levelised_hour_by_hand() -> None:
    # 1,000 USD for one year at 10 %, 100 USD to run it, 55 got back, 500 hours: (1000 * 1.1 + 100 - 55) / 500.
    hour = levelised_usd_per_used_hour(
        purchase_usd=np.array([1000.0, 0]),
        operating_usd=np.array([0.0, 100]),
        sales_usd=np.array([0.0, 55]),
        used_hours=np.array([0.0, 500]),
        growth=np.ones(2),
        rate=number(0.1),
        years=np.arange(2.0),
    )
    assert hour[0] == pytest.approx(2.29)
