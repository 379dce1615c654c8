"""podwright facility it: text, JSON, and what cannot be."""

from __future__ import annotations

import json

import pytest


def test_components_caps_and_swing(run) -> None:
    code, out, err = run("facility", "it", "llama_3_1_405b_on_2048_dgx_h100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(
        "Load profile    auto, 0.70 of the rating without a cap; accelerators compute 70%"
    )
    (together,) = [line for line in lines if line.startswith("Together")]
    idle, at_work, peak, rated = (float(cell.replace(",", "")) for cell in together.split()[1:])
    assert at_work == pytest.approx(16_910, rel=5e-3)
    assert idle < at_work < peak < rated
    assert any(line.startswith("80%") for line in lines)
    assert "secondary source, low confidence" in out
    assert lines[-1].startswith("Steps ")


def test_as_json(run) -> None:
    code, out, _ = run("facility", "it", "edge_node", "--json", "--ramp", "100")
    assert code == 0
    found = json.loads(out)
    assert found["swing"]["ramp_limit_w_per_s"] == 100
    assert found["parts"][0]["key"] == "accelerators"


def test_a_ramp_that_cannot_be(run) -> None:
    code, _, err = run("facility", "it", "edge_node", "--ramp", "-1")
    assert code == 2
    assert "ramp_limit_w_per_s" in err
