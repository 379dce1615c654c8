"""Percentiles, histograms and shares of samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.uncertainty.summary import BARS, share_within, summary

NUMBERS = st.floats(-1e9, 1e9)


def test_by_hand() -> None:
    found = summary(np.array([5.0, 1.0, 3.0, 2.0, 4.0, np.nan]))
    assert (found.p10, found.p50, found.p90, found.mean) == pytest.approx((1.4, 3, 4.6, 3))
    assert found.unknown_share == pytest.approx(1 / 6)


def test_nothing_known_is_unknown() -> None:
    found = summary(np.full(3, np.nan))
    assert np.isnan([found.p10, found.p50, found.p90, found.mean]).all()
    assert (found.unknown_share, found.edges, found.counts) == (1, (), ())


def test_what_does_not_vary_has_one_bar() -> None:
    assert summary(np.full(100, 7.0)).counts == (100,)


@given(st.lists(st.one_of(NUMBERS, st.just(float("nan"))), min_size=1, max_size=60))
def test_percentiles_are_in_order_and_nothing_is_lost(values: list[float]) -> None:
    found = summary(np.array(values))
    known = int(np.isfinite(values).sum())
    assert 0 <= found.unknown_share <= 1
    assert sum(found.counts) == known
    assert len(found.counts) in (0, 1, BARS)
    if known:
        assert found.p10 <= found.p50 <= found.p90
        assert found.edges[0] <= found.p10
        assert found.p90 <= found.edges[-1]


@given(st.lists(NUMBERS, min_size=1, max_size=40), NUMBERS, NUMBERS)
def test_a_higher_limit_is_met_no_less_often(values: list[float], one: float, other: float) -> None:
    low, high = sorted([one, other])
    less, more = (share_within(np.array(values), limit) for limit in (low, high))
    assert 0 <= less <= more <= 1


def test_unknown_samples_count_for_neither_side() -> None:
    assert share_within(np.array([1.0, 3.0, np.nan]), 2.0) == 0.5
    assert share_within(np.array([1.0, 3.0]), np.array([2.0, np.nan])) == 1
    assert np.isnan(share_within(np.array([np.nan]), 2.0))


def test_samples_far_out_do_not_squeeze_the_bars() -> None:
    values = np.append(np.linspace(0.0, 1.0, 999), 1e6)
    found = summary(values)
    assert sum(found.counts) == 1000
    assert found.edges[-1] < 3
    assert found.counts[-1] == 1  # what lies further out
    assert max(found.counts) < 100
