"""Price paths and the history they may replay, by hand and at their limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.renting.paths import (
    committed_over_today,
    decayed_over_today,
    flat_over_today,
    held_usd_per_hour,
    matched_index,
    matched_since,
    replayed_over_today,
    shocked_over_today,
    undoing_share,
)
from tests.support import number

MONTH = np.arange(1.0, 61)


def test_today_holds_in_the_first_month() -> None:
    decayed = decayed_over_today(month=MONTH, price_change_per_year=number(-0.5))
    assert decayed[0] == 1
    assert decayed[12] == pytest.approx(0.5)
    assert decayed[24] == pytest.approx(0.25)
    assert (flat_over_today(month=MONTH) == 1).all()


@pytest.mark.slow
@given(share=st.floats(-0.9, 5), month=st.integers(1, 60))
def test_a_jump_and_the_one_that_undoes_it(share: float, month: int) -> None:
    jumps = {"month": MONTH, "shock_month": number(month)}
    there = shocked_over_today(**jumps, shock_share=number(share))
    back = shocked_over_today(**jumps, shock_share=undoing_share(share=number(share)))
    assert there * back == pytest.approx(np.ones(60))
    assert (there[: month - 1] == 1).all()
    assert (there[month - 1 :] == 1 + share).all()


def test_a_commitment_keeps_its_price_until_it_ends() -> None:
    jump = shocked_over_today(month=MONTH, shock_month=number(6), shock_share=number(0.5))
    committed = committed_over_today(month=MONTH, price_over_today=jump, commitment_months=number(12))
    assert (committed[:12] == 1).all()
    assert (committed[12:] == 1.5).all()
    by_the_month = committed_over_today(month=MONTH, price_over_today=jump, commitment_months=number(1))
    assert (by_the_month == jump).all()


def test_history_is_replayed_and_then_stays() -> None:
    found = replayed_over_today(month=MONTH, history_index=np.array([1.0, 1.2, 0.9]))
    assert found[:4].tolist() == [1.0, 1.2, 0.9, 0.9]
    assert (found[3:] == 0.9).all()


def test_sellers_are_set_against_themselves() -> None:
    # One seller stays at 2 and then asks 4, one stays at 12: the mean move is the root of two. A third that is
    # seen once moves nothing, however cheap it is.
    month = np.arange(0.0, 5)
    held = np.array(
        [
            held_usd_per_hour(
                month=month, offer_month=np.array([0.0, 3.0]), offer_usd_per_hour=np.array([2.0, 4.0])
            ),
            held_usd_per_hour(
                month=month, offer_month=np.array([0.0, 4.0]), offer_usd_per_hour=np.array([12.0, 12.0])
            ),
            held_usd_per_hour(month=month, offer_month=np.array([2.0]), offer_usd_per_hour=np.array([0.5])),
        ]
    )
    assert held[0].tolist()[:4] == [2, 2, 2, 4]
    assert np.isnan(held[0][4])
    assert matched_index(usd_per_hour=held) == pytest.approx([1, 1, 1, 2**0.5, 2**0.5])
    assert matched_since(usd_per_hour=held)[0] == 0


def test_a_gap_is_not_bridged() -> None:
    held = np.array([[1.0, 1.0, np.nan, np.nan, np.nan], [np.nan, np.nan, np.nan, 3.0, 6.0]])
    assert matched_since(usd_per_hour=held)[0] == 3
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = matched_index(usd_per_hour=held)
    assert np.isnan(whole[2:]).all()
    assert matched_index(usd_per_hour=held[:, 3:]) == pytest.approx([1, 2])


@pytest.mark.slow
@given(factor=st.floats(0.1, 10))
def test_an_index_does_not_depend_on_the_level(factor: float) -> None:
    held = np.array([[2.0, 3.0, 3.0], [10.0, 9.0, 12.0]])
    scaled = held * np.array([[factor], [1.0]])
    assert matched_index(usd_per_hour=scaled) == pytest.approx(matched_index(usd_per_hour=held))
