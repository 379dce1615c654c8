"""podwright facility savings: text, JSON, and what cannot be."""

from __future__ import annotations

import json


def test_steps_and_verdict_as_text(run) -> None:
    code, out, err = run("facility", "savings", "edge_node", "--step", "liquid_cooling", "--step", "power_cap",
                         "--set", "power_cap=0.7")  # fmt: skip
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Baseline        The same job on the same servers cooled by air")
    assert lines[4].startswith("Liquid cooling")
    assert lines[5].startswith("Power cap")
    assert "Not reached, with renewables counted or without." in out


def test_as_json(run) -> None:
    code, out, _ = run("facility", "savings", "edge_node", "--step", "renewables", "--json")
    assert code == 0
    assert json.loads(out)["steps"][0]["energy_kwh"] == 0


def test_bad_input(run) -> None:
    code, _, err = run("facility", "savings", "edge_node", "--step", "solar", "--set", "battery_h=-1")
    assert code == 2
    assert "'renewables'" in err
    assert "battery_h: -1.0 must be at least 0." in err
    code, _, err = run("facility", "savings", "edge_node", "--set", "battery_h")
    assert code == 2
    assert "Write NAME=VALUE." in err
