"""podwright economics rent: text, JSON, and what cannot be."""

from __future__ import annotations

import json


def test_as_text(run) -> None:
    code, out, err = run("economics", "rent", "gpt_3_175b_on_128_dgx_a100")
    assert (code, err) == (0, "")
    assert out.startswith("Over 60 months at 80\u202f% use ")
    assert "Reserve         above" in out
    assert "Regret, M USD" in out


def test_as_json(run) -> None:
    code, out, _ = run("economics", "rent", "gpt_3_175b_on_128_dgx_a100", "--against", "spot", "--json")
    assert code == 0
    assert json.loads(out)["against"] == "spot"


def test_bad_input(run) -> None:
    code, _, err = run("economics", "rent", "edge_node", "--against", "free")
    assert code == 2
    assert "'capacity_block'" in err
