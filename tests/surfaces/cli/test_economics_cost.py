"""podwright economics cost: text, files, and options that cannot be used together."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path


def test_the_tree_as_text(run) -> None:
    code, out, err = run("economics", "cost", "edge_node")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[3].startswith("IT equipment")
    together = next(line for line in lines if line.startswith("Together"))
    assert together.endswith("100.0%")
    assert any(line.startswith("Owned (this design)") for line in lines)


def test_files(run, tmp_path: Path) -> None:
    code, out, _ = run("economics", "cost", "edge_node", "--json")
    assert code == 0
    answer = json.loads(out)
    code, out, _ = run("economics", "cost", "edge_node", "--csv")
    assert code == 0
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0][0] == "Branch"
    whole = next(row for row in rows if row[0] == "All")
    assert float(whole[rows[0].index("A year, USD")]) == answer["together"]["usd_per_year"]
    book = tmp_path / "cost.xlsx"
    code, out, _ = run("economics", "cost", "edge_node", "--xlsx", str(book))
    assert (code, out) == (0, "")
    assert book.read_bytes().startswith(b"PK")


def test_one_kind_of_file_at_a_time(run) -> None:
    code, _, err = run("economics", "cost", "edge_node", "--json", "--csv")
    assert code == 2
    assert "one of --json, --csv and --xlsx" in err
