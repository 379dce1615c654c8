"""podwright facility electrical: text, JSON, and what cannot be."""

from __future__ import annotations

import json


def test_blocks_and_what_losing_one_does(run) -> None:
    code, out, err = run("facility", "electrical", "llama_3_1_405b_on_2048_dgx_h100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Sized on        rating, NEC; 2N, ac_415, double_conversion"
    assert any(line.startswith("Rack feed") and "4 a rack" in line for line in lines)
    assert sum(line.startswith("UPS of pumps") for line in lines) == 2
    assert any(line.split()[0] == "distribution" for line in lines if line)


def test_as_json(run) -> None:
    code, out, _ = run("facility", "electrical", "edge_node", "--json", "--standard", "iec")
    assert code == 0
    found = json.loads(out)
    assert found["standard"] == "iec"
    assert found["lost"][0]["carried_by"] == "generators"


def test_a_standard_that_is_none(run) -> None:
    code, _, err = run("facility", "electrical", "edge_node", "--standard", "bs")
    assert code == 2
    assert "standard" in err


def test_what_is_unknown_is_said(run) -> None:
    code, out, _ = run("facility", "electrical", "dense_128b_on_tpu_v5p")
    assert code == 0
    assert "Fuel            unknown L" in out
    assert "unknown kW " not in out
