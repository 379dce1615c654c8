"""Each claim that can be computed is a regression test of the engine."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from app.validation.claims.judge import CALCULATED, CALCULATIONS, Claims, plain_text, shown_figure
from app.validation.claims.ledger import VERDICTS, ledger

pytestmark = pytest.mark.slow

DAY_S = 86_400.0

WORKED_BY_HAND = {
    "S0-02": 10**0.076,
    "S0-04": 8**0.74,
    "S0-17": 2250 / 125,
    "S0-27": 72 * 5e15,
    "S0-31": 2 * 640e9,
    "S0-32": 16 * 1.299e15,
    "S0-34": 10e15 / (64 * 25e9),
    "S1-01": 16e12 / (8 * 85520809984),
    "S1-10": 10e12 / 3000,
    "S1-11": 10e12 / 4096,
    "S1-12": 31.536,
    "S1-13": 14e12 / 0.2e12,
    "S2-02": 1e18 / 989.4e12,
    "S2-04": 2.1e25 / (25_000 * 312e12 * 0.34),
    "S2-06": 6 * 70e9 * 1.4e12 / 4e14 / DAY_S,
    "S2-07": 989.4e12 / 3.35e12,
    "S2-12": 3,
    "S2-14": 16_000,
    "S2-15": (175 + 46 + 10) * 1e15,
    "S2-20": 8 * 900e9,
    "S2-29": 1.5,
    "S2-32": 1000 * 720 * 2,
    "S2-35": 128 * 720 * 2.5,
    "S2-36": 4.2e22,
    "S2-37": 4.2e22 / 3e14 / DAY_S,
    "S2-39": (30e6 / 4 + 4e6) / (2.5 * 8760 * 1000),
    "S3-02": 8e12 / 900e9,
    "S4-02": 0.75 * 0.35,
    "S4-03": 2 * 4000 * 5e-6,
    "S4-15": 2 * 500 * 5e-6 + 8e-3,
    "S4-17": 1000 * 1.4 * 8760 * 0.08 / 3e6,
    "S4-18": 1 - 1.1 / 1.5,
    "S4-19": (8 * 989.4e12 / 10_200) / (1e15 / 5000),
}
"""Claim -> its first figure, worked by hand."""


@pytest.mark.parametrize("key", CALCULATIONS)
def test_the_verdict_follows_from_what_is_computed(claims: Claims, key: str):
    one = claims.one(key)
    assert one.figures
    assert all(math.isfinite(figure.value) for figure in one.figures)
    assert one.computed_verdict in (one.claim.verdict, None)


@pytest.mark.parametrize(("key", "expected"), WORKED_BY_HAND.items())
def test_a_figure_is_what_a_hand_works_out(claims: Claims, key: str, expected: float):
    assert claims.one(key).figures[0].value == pytest.approx(expected, rel=1e-3)


def test_every_claim_that_counts_is_computed(claims: Claims):
    """Arithmetic and the engine's own figures always are; few verdicts rest on a source although one is there."""
    for claim in ledger().claims.values():
        if claim.kind in ("arithmetic", "engine"):
            assert claim.id in CALCULATIONS, claim.id
    derived = [key for key in CALCULATIONS if claims.one(key).computed_verdict is not None]
    assert len(derived) >= 70
    wrong = [claim.id for claim in ledger().claims.values() if claim.verdict == "wrong"]
    assert [key for key in wrong if key not in derived] == ["S2-13", "S2-16", "S2-22"]


def test_topics_share_no_claim_and_invent_none():
    keys = [key for topic in CALCULATED for key in topic]
    assert len(keys) == len(set(keys))
    assert set(keys) <= set(ledger().claims)


@pytest.mark.parametrize("key", CALCULATIONS)
def test_a_calculation_ends_in_inputs_with_a_source(claims: Claims, key: str):
    for figure in claims.one(key).figures:
        for node in figure.node.walk():
            assert node.inputs or node.kind in ("input", "constant"), f"{key}: {node.name}"
            if node.kind == "input":
                assert node.origin is not None
                assert node.origin.source or node.origin.kind in ("scenario", "unknown"), (
                    f"{key}: {node.name}"
                )


def test_most_calculations_lead_to_the_catalog(claims: Claims):
    rows = {key: claims.one(key).catalog_rows for key in CALCULATIONS}
    assert rows["S2-12"] == ("systems/tpu_v5p_pod", "accelerators/google_tpu_v5p")
    assert "rentals/google_cloud_tpu_v5p_on_demand_2025_us" in rows["S2-33"]
    assert rows["S0-15"] == ()  # the design has them all
    assert sum(bool(found) for found in rows.values()) > 40


def test_the_tree_is_the_calculation(claims: Claims):
    tree: dict[str, Any] = claims.one("S2-37").figures[0].explained()
    assert tree["value"] == pytest.approx(1620.37, rel=1e-5)
    assert "6 * parameters * tokens" in tree["formula"]
    assert [child["role"] for child in tree["inputs"]] == ["parameters", "tokens", "achieved_flop_per_s"]
    assert all(child["origin"]["source"].startswith("the article") for child in tree["inputs"])


def test_the_articles_formula_counts_one_loss_twice(claims: Claims):
    """Its time over ours is one over the MFU, and one with either of its factors left out."""
    productive, _, article, twice, once = claims.one("S0-15").figures
    flops = 6 * 405e9 * 15.6e12
    mfu = flops / (16_384 * 989.4e12 * productive.value)
    assert article.value == pytest.approx(productive.value / mfu)
    assert twice.value == pytest.approx(1 / mfu)
    assert once.value == pytest.approx(1)


def test_what_is_wrong_comes_first(claims: Claims):
    order = [VERDICTS.index(one.claim.verdict) for one in claims.all()]
    assert len(order) == 127
    assert order == sorted(order)


def test_a_claim_that_is_not_there(claims: Claims):
    with pytest.raises(KeyError):
        claims.one("S9-01")


def test_texts_carry_the_figures_of_the_day(claims):
    """A figure that is named in braces is the one beside the claim, and no brace is left."""
    named = 0
    for claim in ledger().claims.values():
        one = claims.one(claim.id)
        shown = {figure.label: plain_text(shown_figure(figure).text) for figure in one.figures}
        for label in re.findall(r"\{([^}]+)\}", claim.correction + claim.reason):
            assert shown[label] in one.claim.correction + one.claim.reason, claim.id
            named += 1
        assert "{" not in one.claim.correction + one.claim.reason, claim.id
    assert named >= 10
