"""`podwright study`: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.paths import docs

pytestmark = pytest.mark.slow

STUDY: dict[str, Any] = {
    "name": "A small study",
    "workload": {
        "training": {
            "kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192,
            "global_batch_sequences": 512,
        }
    },
    "limits": {"finish_within_days": 30},
    "candidates": {"systems": ["dgx_h100"], "supernodes": {"from": 6, "to": 8}, "sites": ["ashburn"]},
}  # fmt: skip


@pytest.fixture
def study(tmp_path: Path):
    """The file of a study with some of its parts put otherwise."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "study.json"
        path.write_text(json.dumps(STUDY | changes), encoding="utf-8")
        return path

    return write


def test_a_study_is_answered_and_written(run, study, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    code, said, err = run("study", study(), "--workers", 1, "--out", out)
    assert code == 0, err
    assert "DGX H100" in said
    assert "Total cost of ownership" in said
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert rows[0]["rank"] == "1"
    assert rows[0]["system"] == "dgx_h100"
    code, said, _ = run("study", study(), "--workers", 1, "--json")
    assert code == 0
    found = json.loads(said)
    assert found["answered"]
    assert found["searched"]["exact"]
    assert found["searched"]["designs"] == 3


def test_a_study_without_an_answer_ends_with_3_where_one_is_required(run, study) -> None:
    path = study(limits={"finish_within_days": 30, "capex_usd": 1000})
    code, said, _ = run("study", path, "--workers", 1)
    assert code == 0
    assert "No candidate" in said
    assert run("study", path, "--workers", 1, "--require-answer")[0] == 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"limits": {"finish_within_days": -3}}, "limits.finish_within_days"),
        ({"candidates": {"systems": ["dgx_h1000"]}}, "candidates.systems"),
        ({"workload": {}}, "workload"),
    ],
    ids=["a limit below 0", "an unknown system", "nothing to do"],
)
def test_bad_input_ends_with_2_and_names_the_field(run, study, changes: dict[str, Any], words: str) -> None:
    code, _, err = run("study", study(**changes))
    assert code == 2
    assert words in err


def test_a_file_that_is_not_there_ends_with_2(run, tmp_path: Path) -> None:
    code, _, err = run("study", tmp_path / "none.yaml")
    assert code == 2
    assert "none.yaml" in err


def test_the_example_of_the_documentation_is_answered(run, tmp_path: Path) -> None:
    """As it is written there, on three of its seven systems: all of them take a minute."""
    text = (docs() / "study.md").read_text(encoding="utf-8")
    block = next(part.split("```")[0] for part in text.split("```yaml\n")[1:] if "200B-A20B" in part)
    whole = yaml.safe_load(block)
    assert len(whole["candidates"]["systems"]) == 7
    few = block.replace(
        "systems: [" + ", ".join(whole["candidates"]["systems"]) + "]", "systems: [gb200_nvl72, gb300_nvl72]"
    )
    assert few != block
    path = tmp_path / "example.yaml"
    path.write_text(few, encoding="utf-8")
    code, said, err = run("study", path, "--workers", 1, "--json")
    assert code == 0, err
    found = json.loads(said)
    assert found["answered"]
    assert found["searched"]["exact"]
    best = found["rows"][0]
    assert best["system"] == "gb200_nvl72"
    assert best["figures"]["capex_usd"]["value"] <= 60e6
    assert best["figures"]["meter_power_w"]["value"] <= 8e6
    # the system whose price is not published is ruled out, and said to be
    assert any("GB300" in words for words in found["refusals"])
