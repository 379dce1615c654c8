"""podwright serving: text, cells of CSV, and exit codes."""

from __future__ import annotations

import csv
import io

import pytest

KEY = "deepseek_r1_on_8_h200"
SAYS = {
    "latency": "most that meets the SLO: ",
    "simulate": " meet the SLO, 95 % are asked",
    "roofline": "ridge at ",
    "memory": " sequences fit into ",
    "sizing": "The pod: 8 accelerators = 1 replica of TP 8",
    "cost": "DGX H200, current design",
    "edge": "light in fibre goes 1,999 km and back",
}


@pytest.mark.parametrize(("command", "words"), SAYS.items())
def test_every_view_as_text(run, command, words) -> None:
    code, out, err = run("serving", command, KEY)
    assert (code, err) == (0, "")
    assert out.startswith("DeepSeek-R1 on 8 H200\n")
    assert words in out


@pytest.mark.parametrize("command", SAYS)
def test_a_job_that_runs_and_ends_exits_2(run, command) -> None:
    code, out, err = run("serving", command, "edge_node")
    assert (code, out) == (2, "")
    assert "models that answer requests" in err


def test_parts_are_columns_and_unknown_cells_are_empty(run) -> None:
    _, out, _ = run("serving", "memory", KEY, "--csv")
    assert "parts_bytes.weights" in out.splitlines()[0]
    _, out, _ = run("serving", "cost", KEY, "--system", "dgx_b200", "--format", "nvfp4", "--csv")
    refused = next(row for row in csv.DictReader(io.StringIO(out)) if row["refused"] == "True")
    assert refused["usd_per_million_tokens"] == ""
