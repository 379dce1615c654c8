"""podwright economics carbon: text, JSON, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path


def test_boundaries_and_sites_as_text(run) -> None:
    code, out, err = run("economics", "carbon", "edge_node")
    assert (code, err) == (0, "")
    for words in (
        "Accelerators by design power",
        "All of it at the meter",
        "Restarts (in both)",
        "Cleanest sites",
    ):
        assert words in out
    assert "- The making of storage: no figure of it is published" in out


def test_a_profile_from_a_file_as_json(run, tmp_path: Path) -> None:
    profile = tmp_path / "grid.txt"
    profile.write_text(", ".join(["0.02"] * 24))
    code, out, _ = run("economics", "carbon", "edge_node", "--intensity-by-hour", str(profile), "--json")
    assert code == 0
    found = json.loads(out)
    assert found["hourly"]["mean_kg_per_kwh"] == 0.02
    assert found["hourly"]["over_flat"] == 0


def test_bad_input(run, tmp_path: Path) -> None:
    profile = tmp_path / "grid.txt"
    profile.write_text("0.1 clean")
    code, _, err = run("economics", "carbon", "edge_node", "--intensity-by-hour", str(profile))
    assert code == 2
    assert "'clean'" in err
    code, _, err = run("economics", "carbon", "edge_node", "--intensity-by-hour", str(tmp_path / "none.txt"))
    assert code == 2
    assert "cannot be read" in err
    code, _, err = run("economics", "carbon", "edge_node", "--building-embodied", "-3")
    assert code == 2
    assert "building_embodied_kg: -3.0 must be at least 0." in err
