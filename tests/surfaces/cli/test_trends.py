"""podwright trends: text and JSON."""

from __future__ import annotations

import json


def test_trends_as_text(run):
    code, out, err = run("trends")
    assert (code, err) == (0, "")
    line = next(line for line in out.splitlines() if line.startswith("  frontier_compute "))
    assert "doubling in 0.4" in line
    assert "n 70" in line
    assert "inside theirs" in out
    assert "MFU that runs report" in out


def test_trends_as_json(run):
    code, out, _ = run("trends", "--json")
    assert code == 0
    found = {one["key"]: one for one in json.loads(out)["items"]}
    assert 4.39 <= found["frontier_compute"]["fit"]["annual_factor"] <= 4.87
