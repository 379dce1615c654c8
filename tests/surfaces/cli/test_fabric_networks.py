"""podwright fabric networks: text, JSON, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


def written(folder: Path, **networks: object) -> str:
    file = folder / "pod.yaml"
    file.write_text(build_scenario(scenario(pod__supernodes=128, pod__networks=networks)).as_yaml())
    return str(file)


def test_four_networks_and_their_total(run, tmp_path: Path) -> None:
    own = {"carried_by": "own"}
    code, out, err = run("fabric", "networks", written(tmp_path, storage=own, in_band=own, out_of_band=own))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:6]] == [
        "Compute fabric",
        "Storage network",
        "In-band network",
        "Out-of-band network",
        "Total",
    ]
    assert "2 x 400 Gbit/s" in lines[2]
    assert "InfiniBand: Adaptive routing" in out
    assert "Not built" not in out


def test_what_is_not_built_and_how_to_build_it(run, tmp_path: Path) -> None:
    _, out, _ = run("fabric", "networks", written(tmp_path, storage={"carried_by": "in_band"}))
    assert "Not built: out_of_band. To build them: pod.networks.out_of_band.carried_by: own." in out


def test_as_json(run) -> None:
    code, out, _ = run("fabric", "networks", "edge_node", "--json")
    assert code == 0
    assert [row["carried_by"] for row in json.loads(out)["networks"]] == ["none"] * 4


def test_no_such_design(run) -> None:
    code, _, err = run("fabric", "networks", "nothing_of_the_kind")
    assert code == 2
    assert "nothing_of_the_kind" in err
