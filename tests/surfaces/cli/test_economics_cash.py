"""podwright economics cash: text, JSON, the years as CSV, the workbook, and a life that cannot be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook


def test_the_table_as_text(run) -> None:
    code, out, err = run("economics", "cash", "edge_node")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Against rent on demand at ")
    for label in ("Net present value", "Rate of return", "Payback", "Levelised cost of a used hour"):
        assert any(line.startswith(label) for line in lines), label
    assert any(line.startswith("k USD") and line.endswith("total") for line in lines)


def test_as_json_and_csv(run) -> None:
    code, out, _ = run("economics", "cash", "edge_node", "--json")
    assert code == 0
    found = json.loads(out)
    code, out, _ = run("economics", "cash", "edge_node", "--csv", "-")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["year"] for row in rows] == ["0", "1", "2", "3", "4", "5", "total"]
    for row, year in zip(rows, found["years"], strict=False):
        assert float(row["flow_usd"]) == year["flow_usd"]
        assert float(row["operating_support_usd"]) == year["operating_usd"]["support"]
    assert float(rows[-1]["flow_usd"]) == pytest.approx(found["totals"]["flow_usd"])
    assert rows[-1]["cumulative_flow_usd"] == rows[0]["debt_service_cover"] == ""


def test_files(run, tmp_path: Path) -> None:
    table, book = tmp_path / "cash.csv", tmp_path / "cash.xlsx"
    code, out, err = run("economics", "cash", "edge_node", "--csv", table, "--xlsx", book)
    assert (code, out) == (0, "")
    assert err.count("bytes") == 2
    assert table.read_text().startswith("year,used_hours,revenue_usd")
    assert load_workbook(book).sheetnames == ["Inputs", "Cash flow"]
    code, _, err = run("economics", "cash", "edge_node", "--xlsx", tmp_path / "nowhere" / "cash.xlsx")
    assert code == 2
    assert "cannot be written" in err


def test_a_life_that_cannot_be(run, changed) -> None:
    code, _, err = run("economics", "cash", changed("life_years: 5", "life_years: 0"))
    assert code == 2
    assert "life_years" in err
