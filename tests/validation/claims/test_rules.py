"""Rules turn a figure into a verdict: inside, near, far, unknown."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.validation.claims.ledger import (
    VERDICTS,
    about,
    at_least,
    at_most,
    between,
    exactly,
    joint_verdict,
    order_of,
    printed,
)


@pytest.mark.parametrize(
    ("rule", "ours", "verdict"),
    [
        (about(100), 104.9, "right"),
        (about(100), 94, "imprecise"),
        (about(100), 200, "imprecise"),
        (about(100), 50, "imprecise"),
        (about(130), 1620.4, "wrong"),
        (printed(650), 655, "right"),
        (printed(650), 667, "imprecise"),
        (exactly(2), 3, "wrong"),
        (exactly(8960), 8960, "right"),
        (exactly(0), 0, "right"),
        (exactly(0), 18, "wrong"),
        (at_least(5), 5, "right"),
        (at_least(5), 4.66, "imprecise"),
        (at_least(5), 2.4, "wrong"),
        (at_most(1), 0.3, "right"),
        (at_most(1), 1.9, "imprecise"),
        (at_most(1), 2.1, "wrong"),
        (between(90, 100), 91.6, "right"),
        (between(90, 100), 46, "imprecise"),
        (between(90, 100), 201, "wrong"),
        (order_of(10), 18, "right"),
        (order_of(10), 3.2, "right"),
        (order_of(10), 32, "wrong"),
        (about(10), math.nan, "unverifiable"),
    ],
)
def test_a_rule_judges(rule, ours, verdict):
    assert rule.verdict(ours) == verdict


@pytest.mark.parametrize(
    ("rule", "ours", "ratio"),
    [
        (about(130), 1620, 1620 / 130),
        (between(90, 100), 95, 1.0),
        (between(90, 100), 45, 0.5),
        (between(90, 100), 150, 1.5),
        (at_least(5), 10, 2.0),
        (at_most(1), 0.5, 0.5),
        (exactly(0), 18, math.inf),
    ],
)
def test_the_ratio_is_over_the_nearer_end(rule, ours, ratio):
    assert rule.ratio(ours) == pytest.approx(ratio)


@given(st.floats(1e-6, 1e6), st.floats(1.0, 1e3))
def test_further_away_is_never_better(theirs, factor):
    """A figure twice as far off is judged no kinder, above and below alike."""
    worse = ["right", "imprecise", "wrong"]
    rule = about(theirs)
    for near, far in ((theirs * factor, theirs * factor * 2), (theirs / factor, theirs / factor / 2)):
        assert worse.index(rule.verdict(near)) <= worse.index(rule.verdict(far))


@pytest.mark.parametrize("make", [about, printed, exactly, at_least, at_most, order_of])
@given(theirs=st.floats(1e-9, 1e21))
def test_what_is_said_is_right(make, theirs):
    assert make(theirs).verdict(theirs) == "right"


@given(st.lists(st.sampled_from(VERDICTS), min_size=1))
def test_a_claim_is_right_only_where_all_its_figures_are(verdicts):
    found = joint_verdict(verdicts)
    assert (found == "right") == (set(verdicts) == {"right"})
    assert (found == "wrong") == (set(verdicts) == {"wrong"})


def test_nothing_decides_nothing():
    assert joint_verdict([]) is None
