"""podwright economics run, and podwright validate cost."""

from __future__ import annotations

import json

COSTS = (
    "id,subject,published_value,unit,inputs,check_formula\n"
    '1,A run,200000,USD,"440 A100 x 9.5 d; 2 USD/h",gpu_h*price\n'
    "2,A wonder,3,components,,\n"
    "3,Another,2-3M,USD,10 GPU-h; 2 USD/h,\n"
)


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


def test_bad_input(run) -> None:
    code, _, err = run("economics", "run", "edge_node", "--tokens-per-s", "-1")
    assert code == 2
    assert "tokens_per_s: -1.0 must be above 0." in err


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
