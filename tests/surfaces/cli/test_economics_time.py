"""podwright economics time: text, JSON, and what cannot be asked."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow


def test_a_block_a_system(run) -> None:
    code, out, err = run("economics", "time", "edge_node", "--system", "dgx_h100", "--system", "tpu_v5p_pod")
    assert (code, err) == (0, "")
    assert "(the scenario's own)" in out
    assert "DGX H100 (dgx_h100)" in out
    assert "unknown: TPU v5p pod, price (rent only: " in out
    assert any(line.rstrip().endswith("*+") or "*" in line for line in out.splitlines()[3:9])


def test_as_json(run) -> None:
    code, out, _ = run(
        "economics", "time", "edge_node", "--system", "dgx_h100", "--paid", "on_demand", "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert found["paid"] == "on_demand"
    assert [len(curve["points"]) for curve in found["curves"]] == [4, 4]  # 1, 2, 4 and 8 accelerators


def test_what_cannot_be_asked(run) -> None:
    code, _, err = run("economics", "time", "edge_node", "--system", "dgx_h101")
    assert code == 2
    assert "Nearest: dgx_h100" in err
    assert "deadline_days is needed" in run("economics", "time", "edge_node", "--shared", "deadline")[2]
