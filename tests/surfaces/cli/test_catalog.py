"""catalog and version."""

from __future__ import annotations

import pytest


def test_catalog_shows_kinds_rows_and_parts(run):
    assert "nvidia_h100_sxm" in run("catalog", "accelerators")[1]
    assert "989.4" in run("catalog", "accelerators", "nvidia_h100_sxm")[1]
    assert run("catalog", "accelerator")[0] == 2


ROWS = "key,tdp_w,source,as_of,value_kind\nnvidia_h100_sxm,650,Ours,2026-11,measured\n"


@pytest.mark.slow
def test_own_rows_are_imported_and_exported(run, tmp_path):
    file, book = tmp_path / "accelerators.csv", tmp_path / "own.xlsx"
    file.write_text(ROWS)
    assert "Nothing was written" in run("catalog", "import", str(file), "--dry-run")[1]
    assert "tdp_w: 700 -> 650 W" in run("catalog", "import", str(file))[1]
    assert "0.65" not in run("catalog", "accelerators", "nvidia_h100_sxm")[1]
    assert "Ours" in run("catalog", "show", "accelerators", "nvidia_h100_sxm")[1]
    assert run("catalog", "export", str(book), "--own")[0] == 0
    assert '"same": 1' in run("catalog", "import", str(book), "--json")[1]
    assert "needs a review" in run("catalog", "review")[1]


@pytest.mark.slow
def test_bad_rows_are_told_and_not_written(run, tmp_path):
    file = tmp_path / "accelerators.csv"
    file.write_text(ROWS.replace("650", "much"))
    code, out, err = run("catalog", "import", str(file))
    assert code == 2
    assert "'much' is not a number" in out
    assert "--skip-refused" in err
    assert run("catalog", "import", str(tmp_path / "none.csv"))[0] == 2
    assert run("catalog", "export", str(tmp_path / "x.pdf"))[0] == 2
    assert run("catalog", "export", str(tmp_path / "x.csv"))[0] == 2
    assert "Nearest: personal" in run("catalog", "review", "--workspace", "persona")[2]


def test_version(run):
    assert run("version")[1].strip()
