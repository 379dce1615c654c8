"""podwright economics uncertainty: text, JSON, samples as CSV, and what cannot be."""

from __future__ import annotations

import csv
import json


def test_as_text(run) -> None:
    code, out, err = run("economics", "uncertainty", "edge_node", "--samples", "128", "--no-sobol")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert "make most of its spread" in lines[0]
    assert lines[2].split() == ["Figure", "current", "P10", "P50", "P90"]
    assert "128 samples by latin hypercube, seed 0" in out
    assert "no limit  No limit is stated; state uncertainty.budget_usd." in out


def test_as_json(run) -> None:
    words = ("--samples", "64", "--no-sobol", "--seed", "7", "--figure", "cost.usd_per_run", "--json")
    code, out, _ = run("economics", "uncertainty", "edge_node", *words)
    assert code == 0
    found = json.loads(out)
    assert found["seed"] == 7
    assert [one["path"] for one in found["figures"]] == ["cost.usd_per_run"]


def test_samples_as_csv(run, tmp_path) -> None:
    file = tmp_path / "samples.csv"
    words = ("economics", "uncertainty", "edge_node", "--samples", "16", "--no-sobol")
    code, out, err = run(*words, "--csv", file)
    assert (code, out) == (0, "")
    assert "16 samples" in err
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 16
    assert 0 < float(rows[0]["economics.utilisation"]) <= 1


def test_bad_input(run) -> None:
    code, _, err = run("economics", "uncertainty", "edge_node", "--samples", "1")
    assert code == 2
    assert "samples" in err
    code, _, err = run("economics", "uncertainty", "edge_node", "--figure", "cost.tco")
    assert code == 2
    assert "Nearest: cost.tco_usd" in err
