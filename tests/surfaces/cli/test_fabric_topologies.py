"""podwright fabric topologies: text, JSON, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


def written(folder: Path, **fabric: object) -> str:
    file = folder / "pod.yaml"
    file.write_text(build_scenario(scenario(pod__supernodes=32, pod__fabric=fabric)).as_yaml())
    return str(file)


def test_topologies_side_by_side(run, tmp_path: Path) -> None:
    code, out, err = run("fabric", "topologies", written(tmp_path, topology="torus_2d", shape="4 x 8"))
    assert (code, err) == (0, "")
    lines = {line[:28].strip(): line[28:] for line in out.splitlines()}
    assert lines["* 2D torus"].split()[:2] == ["0", "128"]
    assert lines["* 2D torus"].endswith("4 x 8")
    assert lines["Full mesh"].startswith("A lattice of 9 holds 9 nodes, not 32")


def test_as_json(run, tmp_path: Path) -> None:
    code, out, _ = run("fabric", "topologies", written(tmp_path), "--json")
    assert code == 0
    assert [row["name"] for row in json.loads(out)["topologies"] if row["is_chosen"]] == ["rail_fat_tree"]


def test_one_supernode_alone(run) -> None:
    code, out, _ = run("fabric", "topologies", "edge_node")
    assert (code, out.strip()) == (0, "One SuperNode by itself needs no scale-out fabric.")


def test_no_such_design(run) -> None:
    code, _, err = run("fabric", "topologies", "nothing_of_the_kind")
    assert code == 2
    assert "nothing_of_the_kind" in err
