"""podwright fabric floor: text, JSON, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


def written(folder: Path, **floor: object) -> str:
    file = folder / "pod.yaml"
    file.write_text(build_scenario(scenario(pod__supernodes=64, pod__floor=floor)).as_yaml())
    return str(file)


def test_sums_cables_and_a_rack(run, tmp_path: Path) -> None:
    code, out, err = run("fabric", "floor", written(tmp_path), "--rack", "R01-01")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Racks           20 (17 compute, 3 network) in one row"
    assert lines[5].split() == ["Network", "Tier", "Links", "Mean", "m", "Longest", "m", "km"]
    assert lines[6].split()[:3] == ["compute", "leaf", "512"]
    assert "U25       8 U  node-0004" in out
    assert "warning: Nobody published the weight of QM9700" in out


def test_a_rack_that_cannot_carry_its_load(run, tmp_path: Path) -> None:
    code, out, _ = run("fabric", "floor", written(tmp_path, rack_power_w=10e3))
    assert code == 0
    assert "infeasible: A rack with one DGX H100 draws 10,200 W, and a rack may draw 10,000 W." in out


def test_as_json(run) -> None:
    code, out, _ = run("fabric", "floor", "edge_node", "--json")
    assert code == 0
    assert json.loads(out)["totals"]["racks_total"] == 1


def test_no_such_rack(run) -> None:
    code, _, err = run("fabric", "floor", "edge_node", "--rack", "R77-01")
    assert code == 2
    assert "R01-01" in err
