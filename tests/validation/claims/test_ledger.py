"""Claims: the ledger, the rules, and which were asked for."""

from __future__ import annotations

import csv
import math
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.errors import SeedError
from app.surfaces.pages.catalog.sources import is_web_address
from app.validation.claims.judge import LONGEST_SEARCH, Claims, facets, read_asked
from app.validation.claims.ledger import (
    KINDS,
    TOPICS,
    VERDICTS,
    about,
    at_least,
    at_most,
    between,
    exactly,
    joint_verdict,
    ledger,
    order_of,
    printed,
    read_ledger,
)
from tests.support import SEED_DATA

# Rules turn a figure into a verdict: inside, near, far, unknown.


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


# The ledger is whole, and a cell that cannot be used is named.


def test_all_claims_are_there_and_none_is_blank():
    claims = ledger().claims.values()
    assert len(claims) == 127
    assert Counter(claim.verdict for claim in claims) == {
        "right": 61, "imprecise": 39, "wrong": 13, "unverifiable": 14,
    }  # fmt: skip
    for claim in claims:
        said = (claim.claim, claim.correction, claim.reason, claim.source)
        assert all(len(text.strip()) >= 5 for text in said), claim.id
        assert not claim.url or is_web_address(claim.url), claim.id
        assert claim.id.startswith(f"{claim.article}-")


def test_every_topic_and_kind_is_used():
    claims = ledger().claims.values()
    assert {claim.topic for claim in claims} == set(TOPICS)
    assert {claim.kind for claim in claims} == set(KINDS)


def test_what_is_right_says_so():
    for claim in ledger().claims.values():
        says_true = claim.correction.startswith("True")
        assert says_true == (claim.verdict == "right"), claim.id


def test_what_is_out_of_scope_is_said():
    said = " ".join(one.subject.lower() for one in ledger().out_of_scope)
    assert all(word in said for word in ("quantum", "blockchain", "homomorphic encryption", "emergent"))


def test_a_figure_of_another_source_has_one():
    for figure in ledger().published.values():
        assert figure.source
        assert figure.url or re.search("recalled|second hand|Huawei", figure.source), figure.key


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(SEED_DATA / "claims", tmp_path / "claims")
    return tmp_path


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("correction", " ", "is empty"),
        ("source", "", "is empty"),
        ("verdict", "true", "none of wrong, imprecise, right, unverifiable"),
        ("article", "S9", "none of S0"),
        ("topic", "networks", "none of scaling"),
        ("id", "S0-01", "stands here twice"),
    ],
)
def test_a_bad_cell_is_named(copy: Path, column: str, cell: str, reason: str):
    path = copy / "claims" / "claims.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[4][column] = cell
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(SeedError, match=reason) as caught:
        read_ledger(copy)
    assert f"claims/claims.csv:6: {column}" in str(caught.value) or column in str(caught.value)


# Claims narrowed by words and choices; what cannot be used is said and narrows nothing.


def found(claims: Claims, **given: str) -> list[str]:
    asked = read_asked(given)
    assert not asked.faults
    return [one.claim.id for one in claims.all() if asked.holds(one)]


@pytest.mark.parametrize("name", facets())
def test_choices_part_the_claims(claims: Claims, name: str):
    parts = [found(claims, **{name: word}) for word in facets()[name]]
    assert sorted(key for part in parts for key in part) == sorted(found(claims))
    assert all(parts)


def test_words_are_looked_for_in_corrections_too(claims: Claims):
    assert "S2-12" in found(claims, q="3d TORUS")
    assert found(claims, q="3d torus", verdict="right") == ["S0-33"] or not found(
        claims, q="3d torus", verdict="right"
    )
    assert found(claims, q="zzzz") == []


def test_a_bad_choice_names_the_nearest_and_narrows_nothing(claims: Claims):
    asked = read_asked({"verdict": "wrnog"})
    assert [str(fault) for fault in asked.faults] == [
        "verdict cannot be 'wrnog'. Nearest: wrong. Known: wrong, imprecise, right, unverifiable."
    ]
    assert not asked.narrows


def test_a_search_has_an_end():
    (fault,) = read_asked({"q": "x" * (LONGEST_SEARCH + 1)}).faults
    assert fault.name == "q"
    assert "201" in fault.message
