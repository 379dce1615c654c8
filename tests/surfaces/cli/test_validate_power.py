"""podwright validate power: single figures, regions, and files that are neither."""

from __future__ import annotations

import json

from app.paths import seed_data

FIGURES = (
    "id,source,quantity,value,unit,conditions\n"
    '1,Logs,"8xH100 node power, mean",7.0,kW,"ResNet-50, one node"\n'
    "2,Logs,chip temperature,60,C,\n"
)


def test_figures(run, tmp_path):
    file, out_file = tmp_path / "figures.csv", tmp_path / "rows.csv"
    file.write_text(FIGURES, encoding="utf-8")
    code, out, err = run("validate", "power", file, "--json", "--rows", out_file)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["kind"], found["rows"], found["scored"], found["supported"]) == ("power", 2, 2, 1)
    assert [one["id"] for one in found["unsupported"]] == ["2"]
    assert found["fitted_constants"] == 0
    assert out_file.read_text().splitlines()[1].startswith("1,7,7.14,")


def test_regions(run, tmp_path):
    lines = (seed_data() / "cloud_region_pue_wue.csv").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line.startswith(("key,", "gcp_", "aws_eu_west_1_2024"))][:12]
    file = tmp_path / "regions.csv"
    file.write_text("\n".join(wanted) + "\n", encoding="utf-8")
    code, out, _ = run("validate", "power", file)
    assert code == 0
    assert "rank correlation of PUE (Spearman)" in out
    assert "WUE, 1 rows" in out


def test_wrong_columns_are_one_message(run, tmp_path):
    file = tmp_path / "wrong.csv"
    file.write_text("name,watts\nnode,7000\n", encoding="utf-8")
    code, out, err = run("validate", "power", file)
    assert (code, out) == (2, "")
    assert "has no column quantity and no column value" in err
    assert "Traceback" not in err
