"""The command line as people call it: output, exit codes, and one clear message for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import cli
from tests.support import SEED_DATA

FLAGSHIP = SEED_DATA / "examples" / "llama_3_1_405b_on_2048_dgx_h100.yaml"


@pytest.fixture
def run(monkeypatch, capsys, seeded_data_dir):
    """Calls `podwright` with these words; gives exit code, standard output and standard error."""

    def call(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["podwright", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return call


@pytest.fixture
def changed(tmp_path):
    """The flagship scenario with one piece of its text replaced."""

    def write(old: str, new: str) -> Path:
        text = FLAGSHIP.read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "changed.yaml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    return write


def test_evaluate_prints_the_figures_and_a_verdict(run):
    code, out, _ = run("evaluate", FLAGSHIP)
    assert code == 0
    assert "Llama 3.1 405B on 2,048 DGX H100: feasible" in out
    assert "Model FLOPs utilisation" in out


def test_evaluate_as_json_is_json(run):
    code, out, _ = run("evaluate", FLAGSHIP, "--json")
    assert code == 0
    assert json.loads(out)["feasible"] is True


def test_explain_goes_down_to_sources(run):
    code, out, _ = run("explain", FLAGSHIP, "performance.mfu")
    assert code == 0
    assert "peak" in out
    assert "accelerators/nvidia_h100_sxm" in out


def test_unknown_figure_names_the_nearest(run):
    code, _, err = run("explain", FLAGSHIP, "performance.mfuu")
    assert code == 2
    assert "performance.mfu" in err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tokens: 15.6e12", "token: 15.6e12", "tokens"),
        ("system: dgx_h100", "system: dgx_h10", "dgx_h100"),
        ("model: llama_3_1_405b", "model: llama_405b", "llama_3_1_405b"),
        ("switch: qm9700", "switch: qm970", "qm9700"),
        ("site: ashburn", "site: ashburm", "ashburn"),
        ("tp: 8", "tp: 7", "tp 7"),
        ("pp: 16", "pp: 256", "126 layers"),
        ("supernodes: 2048", "supernodes: 0", "supernodes"),
        ("supernodes: 2048", "supernodes: -4", "supernodes"),
        ("tokens: 15.6e12", "tokens: .nan", "tokens"),
        ("tokens: 15.6e12", "tokens: 1e400", "tokens"),
        ("kind: training", "kind: serving", "serving"),
        ("precision: bf16", "precision: nvfp4", "precision"),
        ("workload:", "workload: [", "line"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_2(run, changed, old, new, said):
    code, out, err = run("evaluate", changed(old, new))
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1


def test_a_model_that_does_not_fit_is_evaluated_and_said(run, changed):
    path = changed("pp: 16, cp: 1, ep: 1, vpp: 8", "pp: 1, cp: 1, ep: 1, vpp: 1")
    code, out, err = run("evaluate", path, "--json")
    assert (code, err) == (0, "")
    evaluation = json.loads(out)
    assert evaluation["feasible"] is False
    problem = next(one for one in evaluation["problems"] if one["constraint"] == "memory")
    assert problem["missed_by"] > 0
    assert run("evaluate", path, "--require-feasible")[0] == 3


def test_catalog_and_version(run):
    assert "nvidia_h100_sxm" in run("catalog", "accelerators")[1]
    assert "989.4" in run("catalog", "accelerators", "nvidia_h100_sxm")[1]
    assert run("catalog", "accelerator")[0] == 2
    assert run("version")[1].strip()
