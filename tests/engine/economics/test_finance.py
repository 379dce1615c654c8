"""Annuities, against numpy-financial and at their limits."""

import numpy as np
import numpy_financial as npf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.finance import (
    capital_recovery_factor,
    monthly_rate,
    payback_months,
    unpaid_share,
    yearly_capital_share,
)
from tests.support import number


def crf(rate: float, years: float) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(capital_recovery_factor(rate=number(rate), years=number(years))[0])


def test_worked_values() -> None:
    assert 31250 * crf(0.10, 4) / 8760 == pytest.approx(1.12540, abs=1e-5)
    assert 40 / crf(0.10, 4) - 100 == pytest.approx(26.7946, abs=1e-4)
    assert npf.irr([-100, 40, 40, 40, 40]) == pytest.approx(0.21862, abs=1e-5)
    assert crf(npf.irr([-100, 40, 40, 40, 40]), 4) == pytest.approx(0.4)


@pytest.mark.slow
@given(rate=st.floats(1e-9, 1.0), years=st.floats(0.5, 60))
def test_against_numpy_financial(rate: float, years: float) -> None:
    assert crf(rate, years) == pytest.approx(-npf.pmt(rate, years, 1.0), rel=1e-6)


def test_limits() -> None:
    assert crf(0.0, 5) == 0.2
    assert crf(1e-12, 5) == pytest.approx(0.2)
    assert crf(0.10, np.inf) == pytest.approx(0.10)
    assert crf(0.0, np.inf) == 0.0
    assert np.isnan(crf(np.nan, 5))


@pytest.mark.slow
@given(rate=st.floats(0, 0.5), residual=st.floats(0, 1), years=st.integers(1, 30))
def test_residual_is_discounted(rate: float, residual: float, years: int) -> None:
    factor = crf(rate, years)
    share = yearly_capital_share(
        capital_recovery_factor=number(factor), rate=number(rate), residual_value=number(residual)
    )
    assert share[0] == pytest.approx((1 - residual * (1 + rate) ** -years) * factor, rel=1e-9, abs=1e-12)


# A price of 31,250 USD an accelerator, running at 0.478 USD an hour, 10 % a year; None: not in ten years.
PAYBACK = {
    1.0: (42, 26, 17, 13, 7),
    0.8: (62, 36, 23, 17, 9),
    0.6: (None, 58, 35, 25, 13),
    0.4: (None, None, 70, 46, 21),
}


@pytest.mark.parametrize("use", PAYBACK)
def test_break_even_months(use: float) -> None:
    rent = np.array([1.70, 2.35, 3.20, 3.99, 6.88])
    with np.errstate(divide="ignore"):  # as during every evaluation
        months = payback_months(
            price_usd=number(31250),
            monthly_gain_usd=730 * (rent * use - 0.478),
            monthly_rate=monthly_rate(yearly_rate=number(0.10)),
        )
    assert [int(m) if m <= 120 else None for m in months] == list(PAYBACK[use])


def test_payback_limits() -> None:
    def months(gain: float, rate: float) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(
                payback_months(
                    price_usd=number(1000), monthly_gain_usd=number(gain), monthly_rate=number(rate)
                )[0]
            )

    assert months(100, 0.0) == 10
    assert months(0, 0.01) == np.inf
    assert months(-5, 0.0) == np.inf
    assert months(10, 0.01) == np.inf  # interest eats the gain
    assert np.isnan(months(np.nan, 0.01))


@pytest.mark.slow
@given(rate=st.floats(1e-6, 0.5), years=st.integers(1, 40), after=st.integers(0, 50))
def test_unpaid_against_numpy_financial(rate: float, years: int, after: int) -> None:
    found = unpaid_share(rate=number(rate), life_years=number(years), after_years=number(after))[0]
    level = -npf.pmt(rate, years, 1.0)
    assert found == pytest.approx(-npf.pv(rate, max(years - after, 0), level), rel=1e-6)


def test_without_interest_the_unpaid_share_falls_evenly() -> None:
    with np.errstate(invalid="ignore", divide="ignore"):
        found = unpaid_share(rate=number(0.0), life_years=number(4.0), after_years=np.arange(6.0))
    assert found.tolist() == [1.0, 0.75, 0.5, 0.25, 0.0, 0.0]
