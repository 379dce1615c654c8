"""A loan: level payments, interest and principal, limits of rate and time."""

import numpy as np
import numpy_financial as npf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.cash_flow.section import (
    agreed_debt_usd,
    debt_usd,
    interest_usd,
    principal_usd,
    year_before,
)
from tests.support import number


def plan(
    rate: float, years: float, *, life: int = 12, borrowed: float = 1000
) -> tuple[np.ndarray, np.ndarray]:
    """Interest and principal of each year of a life."""
    calendar = np.arange(life + 1.0)
    agreed = agreed_debt_usd(
        borrowed_usd=number(borrowed), debt_rate=number(rate), debt_years=number(years), years=calendar
    )
    owed = debt_usd(agreed_debt_usd=agreed, years=calendar, last_year=number(life))
    before = year_before(owed)
    interest = interest_usd(debt_before_usd=before, debt_rate=number(rate))
    return interest[1:], principal_usd(debt_before_usd=before, debt_after_usd=owed)[1:]


def test_interest_and_principal_as_spreadsheets_have_them() -> None:
    interest, principal = plan(0.09, 5)
    for year in range(5):
        assert interest[year] == pytest.approx(-npf.ipmt(0.09, year + 1, 5, 1000))
        assert principal[year] == pytest.approx(-npf.ppmt(0.09, year + 1, 5, 1000))
    assert interest[5:] == pytest.approx(0)


def test_without_interest_the_loan_is_paid_in_equal_parts() -> None:
    interest, principal = plan(0.0, 4)
    assert interest == pytest.approx(0)
    assert principal[:4] == pytest.approx(250)


def test_a_loan_that_outlives_the_equipment_is_paid_back_at_its_end() -> None:
    _, principal = plan(0.09, 10, life=4)
    assert principal[-1] > 2 * principal[-2]
    assert principal.sum() == pytest.approx(1000)


def test_a_last_part_of_a_year_is_paid_at_its_end() -> None:
    interest, principal = plan(0.1, 2.5)
    payments = interest + principal
    level = -npf.pmt(0.1, 2.5, 1000)
    assert payments[:2] == pytest.approx(level)
    assert 0 < payments[2] < level
    assert payments[3:] == pytest.approx(0)


@pytest.mark.slow
@given(rate=st.floats(0, 1), years=st.floats(0.25, 30), life=st.integers(1, 20))
def test_every_dollar_is_paid_back(rate: float, years: float, life: int) -> None:
    interest, principal = plan(rate, years, life=life)
    assert principal.sum() == pytest.approx(1000)
    assert (principal >= -1e-9).all()
    assert (interest >= 0).all()
    worth = np.sum((interest + principal) / (1 + rate) ** np.arange(1, life + 1))
    assert worth == pytest.approx(1000)
