"""podwright model describe: a configuration as text, as JSON and as part of a scenario, and what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CONFIGS = Path(__file__).parents[2] / "catalog" / "configs"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads((CONFIGS / "deepseek_v3.json").read_text("utf-8"))["config"]))
    return path


def test_a_configuration_is_counted(run, config):
    code, out, _ = run("model", "describe", config)
    assert code == 0
    assert "671,0" in out
    _, text, _ = run("model", "describe", config, "--json")
    counts = json.loads(text)["counts"]
    assert pytest.approx(671e9, rel=0.01) in counts.values()


def test_it_may_stand_in_a_scenario(run, config):
    code, out, _ = run("model", "describe", config, "--scenario")
    assert code == 0
    assert out.startswith("model:\n")
    assert "  hidden: 7168\n" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", ["A configuration is a JSON object"]),
        ('{"model_type": "llama", ', ["The text is not JSON"]),
        ('{"model_type": "x", "hidden_size": "4k"}', ["hidden_size is 4k", "num_hidden_layers is missing"]),
    ],
)
def test_each_fault_is_said_once(run, tmp_path, text, said):
    path = tmp_path / "config.json"
    path.write_text(text)
    code, out, err = run("model", "describe", path)
    assert (code, out) == (2, "")
    assert all(words in err for words in said)
    assert "layers is missing. Fill it in." not in err
    assert "Traceback" not in err
