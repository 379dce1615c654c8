"""podwright economics: what its commands print and write."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook


def test_the_tree_as_text(run) -> None:
    code, out, err = run("economics", "cost", "edge_node")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[3].startswith("IT equipment")
    together = next(line for line in lines if line.startswith("Total"))
    assert together.endswith("100.0%")
    assert any(line.startswith("Owned (this design)") for line in lines)


def test_files_of_the_tree(run, tmp_path: Path) -> None:
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


def test_a_cash_flow_as_text(run) -> None:
    code, out, err = run("economics", "cash", "edge_node")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Against renting on demand at ")
    for label in ("Net present value", "Rate of return", "Payback", "Levelised cost per utilised hour"):
        assert any(line.startswith(label) for line in lines), label
    assert any(line.startswith("k USD") and line.endswith("total") for line in lines)


def test_a_cash_flow_as_json_and_csv(run) -> None:
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


def test_files_of_a_cash_flow(run, tmp_path: Path) -> None:
    table, book = tmp_path / "cash.csv", tmp_path / "cash.xlsx"
    code, out, err = run("economics", "cash", "edge_node", "--csv", table, "--xlsx", book)
    assert (code, out) == (0, "")
    assert err.count("bytes") == 2
    assert table.read_text().startswith("year,used_hours,revenue_usd")
    assert load_workbook(book).sheetnames == ["Inputs", "Cash flow"]
    code, _, err = run("economics", "cash", "edge_node", "--xlsx", tmp_path / "nowhere" / "cash.xlsx")
    assert code == 2
    assert "cannot be written" in err


def test_owning_against_renting_as_text(run) -> None:
    code, out, err = run("economics", "rent", "gpt_3_175b_on_128_dgx_a100")
    assert (code, err) == (0, "")
    assert out.startswith("Over 60 months at 80\u202f% use ")
    assert "Reserve         above" in out
    assert "Regret, M USD" in out


@pytest.mark.slow
def test_the_summing_up_and_five_questions(run) -> None:
    code, out, err = run("economics", "decide", "edge_node", "--months-of-work", "36")
    assert (code, err) == (0, "")
    for title in (
        "1. Compute:",
        "2. Privacy:",
        "3. Utilisation:",
        "4. Cost of owning:",
        "5. Start in the cloud:",
    ):
        assert title in out
    assert "Break-even points:" in out
    assert "over 36 months" in out
    assert "for you to say" in out


@pytest.mark.slow
def test_data_that_must_stay(run) -> None:
    code, out, _ = run("economics", "decide", "edge_node", "--data-must-stay", "--json")
    assert code == 0
    assert json.loads(out)["summing_up"]["choice"] == "own"


@pytest.mark.slow
def test_what_is_missing_is_listed(run) -> None:
    out = run("economics", "decide", "dense_128b_on_tpu_v5p")[1]
    assert "Missing inputs:" in out
    assert "state supernode.custom.price_usd" in out


def test_methods_as_text(run) -> None:
    code, out, err = run("economics", "run", "edge_node", "--tokens-per-s", "500")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Edge node, Llama 3.1 8B"
    assert "Amortised by Epoch's method" in out
    assert "500 tokens/s on 2 accelerators, as given" in out


def test_methods_as_json(run) -> None:
    code, out, _ = run("economics", "run", "edge_node", "--json", "--hardware-age", "2")
    found = json.loads(out)
    assert code == 0
    assert [one["key"] for one in found["methods"]][:2] == ["on_demand", "reserved"]
    assert found["serving"] is None


@pytest.mark.slow
def test_a_block_a_system(run) -> None:
    code, out, err = run("economics", "time", "edge_node", "--system", "dgx_h100", "--system", "tpu_v5p_pod")
    assert (code, err) == (0, "")
    assert "(the scenario's own)" in out
    assert "DGX H100 (dgx_h100)" in out
    assert "unknown: TPU v5p pod, price (rent only: " in out
    assert any(line.rstrip().endswith("*+") or "*" in line for line in out.splitlines()[3:9])


@pytest.mark.slow
def test_systems_as_json(run) -> None:
    code, out, _ = run(
        "economics", "time", "edge_node", "--system", "dgx_h100", "--paid", "on_demand", "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert found["paid"] == "on_demand"
    assert [len(curve["points"]) for curve in found["curves"]] == [4, 4]  # 1, 2, 4 and 8 accelerators


def test_boundaries_and_sites_as_text(run) -> None:
    code, out, err = run("economics", "carbon", "edge_node")
    assert (code, err) == (0, "")
    for words in (
        "Accelerators by design power",
        "Total at the meter",
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


def test_a_profile_that_cannot_be(run, tmp_path: Path) -> None:
    profile = tmp_path / "grid.txt"
    profile.write_text("0.1 clean")
    code, _, err = run("economics", "carbon", "edge_node", "--intensity-by-hour", str(profile))
    assert code == 2
    assert "'clean'" in err


def test_a_difference_as_text(run) -> None:
    code, out, err = run("economics", "difference", "gpt_3_175b_on_128_dgx_a100", "fft_3d_on_512_dgx_a100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Cost per run"
    assert lines[1].startswith("First ")
    for words in ("By cause", "By category", "By factor", "are taken together", "100.0%"):
        assert words in out
