"""podwright validate cost."""

from __future__ import annotations

import json

import pytest

from app.validation.kinds import KINDS, PUBLISHED
from tests.support import SEED_DATA

COSTS = (
    "id,subject,published_value,unit,inputs,check_formula\n"
    '1,A run,200000,USD,"440 A100 x 9.5 d; 2 USD/h",gpu_h*price\n'
    "2,A wonder,3,components,,\n"
    "3,Another,2-3M,USD,10 GPU-h; 2 USD/h,\n"
)


def test_validate_cost(run, tmp_path) -> None:
    file, out_file = tmp_path / "costs.csv", tmp_path / "rows.csv"
    file.write_text(COSTS, encoding="utf-8")
    code, out, err = run("validate", "cost", file, "--json", "--rows", out_file)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["kind"], found["rows"], found["scored"], found["supported"]) == ("cost", 3, 3, 1)
    assert [one["id"] for one in found["unsupported"]] == ["2", "3"]
    assert all(one["reason"] for one in found["unsupported"])
    assert found["groups"]["method"]["rental equivalent"]["rows"] == 1
    assert out_file.read_text().splitlines()[1] == "1,200000,200640,0.0032,,"
    code, out, _ = run("validate", "cost", file)
    assert code == 0
    assert "rental equivalent" in out


@pytest.mark.parametrize("kind", ["cost", "fabric", "reliability"])
def test_without_a_file_the_shipped_one_is_read(run, kind: str) -> None:
    code, without, _ = run("validate", kind, "--json")
    assert code == 0
    assert without == run("validate", kind, SEED_DATA / PUBLISHED[kind], "--json")[1]


def test_every_kind_has_its_measurements() -> None:
    assert PUBLISHED.keys() == KINDS.keys()
    assert all((SEED_DATA / file).is_file() for file in PUBLISHED.values())
