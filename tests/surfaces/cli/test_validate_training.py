"""podwright validate training: a foreign file by the errors that ship, and refits where they are asked for."""

from __future__ import annotations

import json

from tests.validation.conftest import RUNS


def test_a_foreign_file_is_judged_without_a_refit(run, tmp_path):
    out_file = tmp_path / "rows.csv"
    code, out, err = run("validate", "training", RUNS, "--json", "--rows", out_file)
    found = json.loads(out)
    assert (code, err, found["left_out"]) == (0, "", {})
    assert "none of the file was used" in found["interval_basis"]
    assert set(found["interval_coverage_by"]["architecture"]) <= {"dense", "moe"}
    assert all(len(line.split(",")) == 6 and line.split(",")[4] for line in out_file.read_text().splitlines())


def test_a_refit_of_few_runs_is_one_message(run):
    code, out, err = run("validate", "training", RUNS, "--refit")
    assert (code, out) == (2, "")
    assert "without --refit the file is judged by the errors that ship" in err


def test_only_training_refits_when_asked(run):
    code, _, err = run("validate", "cost", RUNS, "--refit")
    assert code == 2
    assert "cost refits nothing when asked" in err
