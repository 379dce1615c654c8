"""The ledger is whole, and a cell that cannot be used is named."""

from __future__ import annotations

import csv
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.surfaces.pages.catalog.sources import is_web_address
from app.validation.claims.ledger import KINDS, TOPICS, ledger, read_ledger
from tests.support import SEED_DATA


def test_all_claims_are_there_and_none_is_blank():
    claims = ledger().claims.values()
    assert len(claims) == 127
    assert Counter(claim.verdict for claim in claims) == {
        "right": 63, "imprecise": 38, "wrong": 15, "unverifiable": 11,
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
