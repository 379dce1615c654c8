"""podwright economics difference: text, JSON, and what cannot be."""

from __future__ import annotations

import json


def test_views_as_text(run) -> None:
    code, out, err = run("economics", "difference", "gpt_3_175b_on_128_dgx_a100", "fft_3d_on_512_dgx_a100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Cost of a run"
    assert lines[1].startswith("First ")
    for words in ("By cause", "By category", "By factor", "are taken together", "100.0%"):
        assert words in out


def test_as_json(run) -> None:
    code, out, _ = run("economics", "difference", "edge_node", "edge_node", "--figure", "carbon", "--json")
    assert code == 0
    assert json.loads(out)["difference"] == 0


def test_bad_input(run) -> None:
    code, _, err = run("economics", "difference", "edge_node", "edge_node", "--figure", "speed")
    assert code == 2
    assert "usd_per_run" in err
    code, _, err = run("economics", "difference", "edge_node", "nowhere")
    assert code == 2
    assert "nowhere" in err
