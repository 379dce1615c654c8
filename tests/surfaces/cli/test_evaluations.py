"""evaluate, explain and export: output, exit codes, and one clear message for bad input."""

from __future__ import annotations

import json

import pytest

from app.saved.imports import import_file, import_scenario
from app.surfaces.files.formats import FORMATS
from tests.surfaces.cli.conftest import EDGE_NODE, FLAGSHIP

pytestmark = pytest.mark.slow


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
        ("kind: training", "kind: rendering", "workload.kind"),
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


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: f"{one.name}-{one.what}")
def test_export_writes_every_format(run, tmp_path, one):
    path = tmp_path / f"edge{one.suffix}"
    code, out, err = run("export", "edge_node", "--output", path, "--what", one.what)
    assert (code, out) == (0, "")
    assert f"{path}: " in err
    if one.name == "csv":
        assert path.read_text(encoding="utf-8").startswith("path,label,value")
    else:
        assert import_file(path) == import_file(EDGE_NODE)


def test_export_goes_to_standard_output_without_a_file(run):
    code, out, err = run("export", EDGE_NODE)
    assert (code, err) == (0, "")
    assert import_scenario(out.encode()) == import_file(EDGE_NODE)
    assert json.loads(run("export", EDGE_NODE, "--format", "json", "--what", "evaluation")[1])["scenario"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "pdf"], "Formats: yaml, json, csv, xlsx."),
        (["--what", "scenario", "--format", "csv"], "Formats of the scenario: yaml, json."),
        (["--output", "/nowhere/at/all.yaml"], "cannot be written"),
        (["--revision", "1"], "Only saved scenarios have them."),
    ],
)
def test_what_cannot_be_exported_is_one_clear_message(run, words, said):
    code, out, err = run("export", EDGE_NODE, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_a_workbook_is_not_poured_onto_a_screen(run, monkeypatch):
    monkeypatch.setattr("app.surfaces.files.write.is_screen", lambda: True)
    code, out, err = run("export", EDGE_NODE, "--format", "xlsx")
    assert (code, out) == (2, "")
    assert "--output" in err


def test_a_picture_is_written_as_svg_and_names_are_listed(run, tmp_path):
    code, out, _ = run("picture", "edge_node")
    assert code == 0
    assert {"step_time", "tco", "floor", "rack"} <= {*out.split()}
    file = tmp_path / "step_time.svg"
    assert run("picture", "edge_node", "step_time", "--theme", "dark", "-o", file)[0] == 0
    assert 'width="1920"' in file.read_text(encoding="utf-8")
    for words, said in (
        (("step_tme", "-o", file), "step_time"),
        (("step_time",), "--output"),
        (("step_time", "-o", tmp_path / "x.gif"), ".svg or a .png"),
        (("step_time", "--theme", "blue", "-o", file), "light, dark"),
    ):
        code, out, err = run("picture", "edge_node", *words)
        assert (code, out) == (2, "")
        assert said in err
