"""podwright fabric cables and diff: files, and what differs from a design."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow

POD = "gpt_3_175b_on_128_dgx_a100"


def test_the_schedule_is_printed_or_written(run, tmp_path):
    code, out, err = run("fabric", "cables", POD)
    assert (code, err) == (0, "")
    assert out.count("\n") == 1 + 3264
    file = tmp_path / "pod.topo"
    code, out, err = run("fabric", "cables", POD, "-o", file)
    assert (code, out) == (0, "")
    assert "pod.topo" in err
    assert file.read_text().startswith("# compute network\n\nHCA_8 node-0001\n")


def test_what_is_written_has_no_differences(run, tmp_path):
    file = tmp_path / "pod.xlsx"
    assert run("fabric", "cables", POD, "--format", "xlsx", "-o", file)[0] == 0
    code, out, _ = run("fabric", "diff", POD, file, "--require-same")
    assert code == 0
    assert "Nothing differs." in out


def test_differences_are_counted_told_and_written(run, tmp_path):
    file, out_file = tmp_path / "laid.csv", tmp_path / "differences.csv"
    rows = run("fabric", "cables", POD)[1].splitlines()
    del rows[7]
    file.write_text("\n".join(rows))
    code, out, _ = run("fabric", "diff", POD, file, "--out", out_file, "--require-same")
    assert code == 3
    assert "1  missing" in out
    assert out_file.read_text().count("\n") == 2
    code, out, _ = run("fabric", "diff", POD, file, "--json")
    assert code == 0
    assert json.loads(out)["counts"]["missing"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cables", POD, "--format", "pdf"), "Formats: csv, xlsx, topo, dot"),
        (("cables", POD, "--network", "wan"), "One of: compute"),
        (("cables", "nothing"), "neither a file"),
        (("diff", POD, "none.csv"), "cannot be read"),
    ],
)
def test_what_cannot_be_done_exits_2_with_a_way_out(run, words, said):
    code, out, err = run("fabric", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_a_bad_file_is_told_by_line_and_column(run, tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text("A-Node Name,A-Port,Z-Node Name,Z-Port\nnode-0001,,leaf-01-1,1\n")
    code, _, err = run("fabric", "diff", POD, file)
    assert code == 2
    assert "A-Port (line 2): The cell is empty." in err
