"""Rank correlation: by hand, at its limits, and by group."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.validation.power.regions import by_group, rank_correlation


def test_by_hand():
    """Ranks 1..5 against 2, 1, 3, 5, 4: rho = 1 - 6 (1 + 1 + 0 + 1 + 1) / (5 x 24) = 0.8."""
    pairs = list(zip((10, 20, 30, 40, 50), (2.0, 1.0, 3.0, 5.0, 4.0), strict=True))
    assert rank_correlation(pairs).spearman == pytest.approx(0.8)


def test_too_few_or_all_the_same_have_none():
    assert rank_correlation([(1, 1), (2, 2), (3, 3), (4, 4)]).spearman is None
    assert rank_correlation([(1, 1.0)] * 6).spearman is None
    assert rank_correlation([]).pairs == 0


@settings(max_examples=30)
@given(st.lists(st.floats(1, 2), min_size=5, max_size=30, unique=True))
def test_only_the_order_counts(values):
    pairs = [(value, value**3) for value in values]
    assert rank_correlation(pairs).spearman == pytest.approx(1)
    assert rank_correlation([(a, -b) for a, b in pairs]).spearman == pytest.approx(-1)


def test_of_all_and_of_each_group():
    found = by_group([("a", value, value) for value in range(5)] + [("b", 9, 9)])
    assert {name: one.pairs for name, one in found.items()} == {"all": 6, "a": 5, "b": 1}
    assert list(found) == ["all", "a", "b"]
