"""Errors with one vote for each family, and intervals of other families."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.validation.serving.report import FEWEST, Score, bounds, coverage_of, score_of, scores_by
from app.validation.study import Prediction


def predicted(ratio: float, family: str = "a") -> Prediction:
    return Prediction(key="1", family=family, groups={"model": family}, measured=2.0, predicted=2.0 * ratio)


def test_a_family_of_many_rows_has_one_vote() -> None:
    found = score_of([predicted(1.1)] * 9 + [predicted(1.5, "b"), predicted(1.5, "b")])
    assert found.rows == 11
    assert found.within_33_pct == pytest.approx(0.5)
    assert found.within_2x == 1
    assert found.bias is not None
    assert 0.1 < found.bias < 0.5


@pytest.mark.parametrize(("ratio", "inside"), [(2.0, 1), (0.5, 1), (2.01, 0), (0.49, 0)])
def test_double_is_either_way(ratio: float, inside: int) -> None:
    assert score_of([predicted(ratio)]).within_2x == inside


def test_a_third() -> None:
    found = score_of([predicted(0.6), predicted(0.7), predicted(1.3), predicted(1.4)])
    assert found.within_33_pct == 0.5


def test_nothing_is_scored_as_nothing() -> None:
    assert score_of([]) == Score(0, None, None, None, None)
    assert scores_by([], lambda one: one.family) == {}


@given(st.lists(st.tuples(st.floats(0.1, 10), st.sampled_from("abc")), min_size=1))
def test_shares_are_shares(rows: list[tuple[float, str]]) -> None:
    found = score_of([predicted(ratio, family) for ratio, family in rows])
    assert found.within_33_pct is not None
    assert found.within_2x is not None
    assert 0 <= found.within_33_pct <= found.within_2x <= 1 + 1e-12


def test_intervals_are_those_of_other_families() -> None:
    ratio = np.concatenate([np.full(FEWEST, 2.0), np.full(FEWEST, 0.5)])
    low, high = bounds(ratio, ["a"] * FEWEST + ["b"] * FEWEST)
    assert low.tolist() == high.tolist()
    assert low[0] == pytest.approx(0.5)
    assert low[-1] == pytest.approx(2.0)


def test_few_others_give_no_interval() -> None:
    low, high = bounds(np.ones(5), list("aabbb"))
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_coverage_has_one_vote_for_each_family() -> None:
    """Nine of ten of one family and the one of another within: 95 %; rows without an interval do not count."""
    inside = dataclasses.replace(predicted(1.0), low=1.9, high=2.1)
    outside = dataclasses.replace(predicted(1.0), low=2.1, high=2.2)
    other = dataclasses.replace(predicted(1.0, "b"), low=1.0, high=3.0)
    assert coverage_of([inside] * 9 + [outside, other, predicted(1.0, "c")]) == pytest.approx(0.95)
    assert coverage_of([predicted(1.0)]) is None
