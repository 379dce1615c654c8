"""podwright timeline: a line a stage, or JSON."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow

TPU = "llama_3_1_70b_on_trn2_ultraserver"


def test_a_line_a_stage(run):
    code, out, err = run("timeline", TPU)
    assert (code, err) == (0, "")
    assert "1F1B, 4 stages of 5 chunks, 16 micro-batches" in out
    assert "closed form" in out
    assert [line.split()[0] for line in out.strip().splitlines()[-4:]] == ["1", "2", "3", "4"]


def test_as_json(run):
    code, out, _ = run("timeline", TPU, "--json")
    found = json.loads(out)
    assert code == 0
    assert len(found["operations"]["stage"]) == 4 * 5 * 16 * 2


def test_a_served_model_has_none(run):
    code, out, err = run("timeline", "deepseek_r1_on_8_h200")
    assert (code, out) == (2, "")
    assert "serves" in err
