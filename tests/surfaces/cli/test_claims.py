"""podwright claims."""

from __future__ import annotations

import json


def test_claims_are_listed_with_their_figures(run):
    code, out, _ = run("claims", "--verdict", "wrong")
    assert code == 0
    assert out.startswith("127 claims of 5 articles: 61 right, 39 imprecise, 13 wrong, 14 that")
    assert "13 of them are asked for." in out
    assert "S2-37  WRONG" in out
    assert "7B parameters on 1T tokens: 1,620 GPU-days (article: 130 GPU-days)" in out


def test_claims_as_json(run):
    code, out, _ = run("claims", "--json")
    content = json.loads(out)
    assert code == 0
    assert len(content["items"]) == sum(content["counts"].values()) == 127


def test_a_verdict_that_is_none(run):
    code, _, err = run("claims", "--verdict", "false")
    assert code == 2
    assert "imprecise" in err
