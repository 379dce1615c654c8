"""podwright facility hours: text, JSON, the file of all hours, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_measures_curves_and_part_load(run) -> None:
    code, out, err = run("facility", "hours", "edge_node")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert any(line.startswith("Power usage effectiveness, annual") for line in lines)
    assert any(line.startswith("8,760 h") for line in lines)
    assert any(line.startswith("100%") for line in lines)
    assert lines[-1].startswith("PUE of a first year growing evenly over 12 months: 1.")


def test_as_json(run) -> None:
    code, out, _ = run("facility", "hours", "edge_node", "--json", "--ramp-months", "0")
    assert code == 0
    found = json.loads(out)
    assert found["first_year"]["pue"] == pytest.approx(found["part_load"]["pue"][-1], rel=1e-12)


def test_every_hour_as_a_file(run, tmp_path: Path) -> None:
    file = tmp_path / "hours.csv"
    code, out, err = run("facility", "hours", "edge_node", "--csv", str(file))
    assert (code, out) == (0, "")
    assert "bytes" in err
    lines = file.read_text().splitlines()
    assert len(lines) == 8761
    assert lines[0].startswith("month,day,hour,dry_bulb_c,wet_bulb_c,pue,utility_w")


def test_a_ramp_that_cannot_be(run) -> None:
    code, _, err = run("facility", "hours", "edge_node", "--ramp-months", "99")
    assert code == 2
    assert "ramp_months" in err
