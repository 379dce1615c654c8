"""podwright facility racks: text, JSON, exit codes, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


def test_the_first_limit_is_named_and_how_to_pass_it(run) -> None:
    code, out, err = run("facility", "racks", "llama_3_1_405b_on_gb200_nvl72")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("GB200 NVL72 (DGX GB200): the first limit is weight planned for a rack")
    assert lines[1].startswith("Way out: Use racks that carry more (pod.floor.rack_weight_kg)")
    assert any(line.startswith("Feeds") and "4 of 60" in line for line in lines)
    assert any("QM9700" in line for line in lines[-3:])


def test_a_rack_that_does_not_fit_is_exit_3_where_it_must(run, tmp_path: Path) -> None:
    file = tmp_path / "pod.yaml"
    floor = {"nodes_per_rack": 5, "rack_power_w": 60e3}
    file.write_text(build_scenario(scenario(pod__supernodes=5, pod__floor=floor)).as_yaml())
    code, out, _ = run("facility", "racks", str(file))
    assert code == 0
    assert "is past a limit: heat to air" in out
    assert run("facility", "racks", str(file), "--require-fit")[0] == 3
    assert run("facility", "racks", "edge_node", "--require-fit")[0] == 0


def test_as_json_of_a_rack_by_name(run) -> None:
    code, out, _ = run("facility", "racks", "edge_node", "--rack", "R01-01", "--standard", "iec", "--json")
    assert code == 0
    found = json.loads(out)
    assert (found["chosen"], found["standard"]) == ("R01-01", "iec")


def test_what_cannot_be(run) -> None:
    code, _, err = run("facility", "racks", "edge_node", "--rack", "R77-01")
    assert (code, "R01-01" in err) == (2, True)
    code, _, err = run("facility", "racks", "edge_node", "--standard", "ul")
    assert (code, "standard" in err) == (2, True)
