"""Depreciation: tables by hand, and every method writes off what it should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.cash_flow.flows import year_share
from app.engine.economics.cash_flow.write_off import (
    WHOLE_PRICE,
    equipment_depreciation_usd,
    facility_depreciation_usd,
)
from tests.support import number

METHODS = ("straight_line", "declining_balance", "macrs", "tax_life")


def written_off(
    method: str,
    *,
    life: float,
    residual: float = 0.0,
    bonus: float = 0.0,
    price: float = 1000,
    law: float = 3,
) -> np.ndarray:
    years = np.arange(np.ceil(life) + 1)
    return equipment_depreciation_usd(
        method=method,
        price_usd=number(price),
        residual_usd=number(residual * price),
        bonus_depreciation=number(bonus),
        life_years=number(life),
        write_off_years=number(law),
        years=years,
        year_share=year_share(life_years=number(life), years=years),
    )


def test_straight_line() -> None:
    assert written_off("straight_line", life=5, residual=0.1) == pytest.approx([0, 180, 180, 180, 180, 180])
    assert written_off("straight_line", life=2.5) == pytest.approx([0, 400, 400, 200])


def test_macrs_table() -> None:
    shares = [0, 200, 320, 192, 115.2, 115.2, 57.6]
    assert written_off("macrs", life=6, residual=0.1) == pytest.approx(shares)
    assert written_off("macrs", life=8) == pytest.approx([*shares, 0, 0])
    assert written_off("macrs", life=3) == pytest.approx(shares[:4])


def test_the_years_that_a_law_gives() -> None:
    # three years for the whole price, whatever it sells for; what a sale comes before is left on the books
    assert written_off("tax_life", life=5, residual=0.1) == pytest.approx(
        [0, 1000 / 3, 1000 / 3, 1000 / 3, 0, 0]
    )
    assert written_off("tax_life", life=5, law=1) == pytest.approx([0, 1000, 0, 0, 0, 0])
    assert written_off("tax_life", life=2, law=5) == pytest.approx([0, 200, 200])


def test_double_declining_balance_turns_to_straight_line() -> None:
    # 40 % of what is left, then evenly: the schedule of every textbook for 5 years.
    assert written_off("declining_balance", life=5) == pytest.approx([0, 400, 240, 144, 108, 108])
    assert written_off("declining_balance", life=5, residual=0.1) == pytest.approx(
        [0, 400, 240, 144, 86.4, 29.6]
    )


def test_bonus_comes_first_and_takes_no_more_than_there_is() -> None:
    assert written_off("straight_line", life=4, bonus=0.6) == pytest.approx([0, 700, 100, 100, 100])
    assert written_off("straight_line", life=4, bonus=1, residual=0.2) == pytest.approx([0, 800, 0, 0, 0])
    assert written_off("macrs", life=6, bonus=0.5)[1:3] == pytest.approx([600, 160])


@pytest.mark.slow
@given(
    method=st.sampled_from(METHODS),
    life=st.floats(0.2, 15),
    residual=st.floats(0, 1),
    bonus=st.floats(0, 1),
)
def test_what_is_written_off_is_the_price_less_what_is_kept(
    method: str, life: float, residual: float, bonus: float
) -> None:
    parts = written_off(method, life=life, residual=residual, bonus=bonus)
    assert (parts >= -1e-9).all()
    if method not in WHOLE_PRICE:
        assert parts.sum() == pytest.approx(1000 * (1 - residual), abs=1e-6)
    elif life > 5:
        assert parts.sum() == pytest.approx(1000)
    else:
        assert parts.sum() <= 1000


@pytest.mark.parametrize("method", METHODS)
def test_samples_have_lives_of_their_own(method: str) -> None:
    lives, years = np.array([[3.0], [6.5]]), np.arange(8.0)
    together = equipment_depreciation_usd(
        method=method,
        price_usd=np.array([[1000.0], [500.0]]),
        residual_usd=np.array([[100.0], [0.0]]),
        bonus_depreciation=number(0.2),
        life_years=lives,
        write_off_years=number(3),
        years=years,
        year_share=year_share(life_years=lives, years=years),
    )
    assert together.shape == (2, 8)
    first = written_off(method, life=3, residual=0.1, bonus=0.2)
    assert together[0] == pytest.approx([*first, 0, 0, 0, 0])
    assert together[1] == pytest.approx(written_off(method, life=6.5, bonus=0.2, price=500))


def test_a_facility_by_the_law_of_the_place() -> None:
    years = np.arange(6.0)
    share = year_share(life_years=number(5), years=years)

    def parts(a_year: float) -> np.ndarray:
        return facility_depreciation_usd(
            facility_usd=number(200), write_off_share_per_year=number(a_year), years=years, year_share=share
        )

    assert parts(1 / 39) == pytest.approx([0, *[200 / 39] * 5])
    assert parts(0.3) == pytest.approx([0, 60, 60, 60, 20, 0])
    assert parts(0.0) == pytest.approx([0] * 6)
