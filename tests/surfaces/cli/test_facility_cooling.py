"""podwright facility cooling: text, JSON, and what cannot be."""

from __future__ import annotations

import json

LIQUID = "llama_3_1_405b_on_gb200_nvl72"


def test_loops_units_and_plants(run) -> None:
    code, out, err = run("facility", "cooling", LIQUID)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Plant           direct_liquid_dry")
    assert any("1.50 L/min/kW" in line for line in lines)
    assert any(line.startswith("liquid to liquid") and "6 + 1" in line for line in lines)
    assert any(line.startswith("Coolant stops in the racks") and "on the UPS" in line for line in lines)
    assert any(line.startswith("direct_liquid_dry") and line.endswith("chosen") for line in lines)


def test_as_json_with_a_tank(run) -> None:
    code, out, _ = run("facility", "cooling", LIQUID, "--json", "--tank", "500")
    assert code == 0
    found = json.loads(out)
    assert next(one for one in found["lost"] if one["lost"].startswith("Heat rejection"))["holds"]


def test_a_tank_that_cannot_be(run) -> None:
    code, _, err = run("facility", "cooling", "edge_node", "--tank", "-1")
    assert code == 2
    assert "tank_m3" in err
