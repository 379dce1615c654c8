"""podwright economics decide: text, JSON, and what cannot be asked."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow


def test_the_summing_up_and_five_questions(run) -> None:
    code, out, err = run("economics", "decide", "edge_node", "--months-of-work", "36")
    assert (code, err) == (0, "")
    for title in (
        "1. Compute:",
        "2. Privacy:",
        "3. Utilisation:",
        "4. Cost of owning:",
        "5. Start in the cloud:",
    ):
        assert title in out
    assert "What would turn it:" in out
    assert "over 36 months" in out
    assert "for you to say" in out


def test_data_that_must_stay(run) -> None:
    code, out, _ = run("economics", "decide", "edge_node", "--data-must-stay", "--json")
    assert code == 0
    assert json.loads(out)["summing_up"]["choice"] == "own"


def test_what_is_missing_is_listed(run) -> None:
    out = run("economics", "decide", "dense_128b_on_tpu_v5p")[1]
    assert "What is missing:" in out
    assert "state supernode.custom.price_usd" in out


def test_what_cannot_be_asked(run) -> None:
    code, _, err = run("economics", "decide", "edge_node", "--months-of-work", "0")
    assert code == 2
    assert "months_of_work" in err
