"""`podwright calibrate`: own runs in, corrected figures out; bad input is one clear message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.conftest import EDGE_NODE, FLAGSHIP, Run
from tests.validation.calibration.logs import MEGATRON, log

SERVED = EDGE_NODE.with_name("deepseek_r1_on_8_h200.yaml")

pytestmark = pytest.mark.slow


def test_a_log_and_typed_figures_together(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    path.write_text(log(MEGATRON, seconds=6.4, batch=2048), encoding="utf-8")
    code, out, _ = run(
        "calibrate", FLAGSHIP, "--run", path, "--step-time", "6.5", "--tokens-per-s", "160", "--json"
    )
    assert code == 0
    found = json.loads(out)
    assert [one["source"] for one in found["runs"]] == [
        "run.log, Megatron-LM, median of 32 steps after 8 of warm-up", "step time 6.5 s", "160 tokens/s"
    ]  # fmt: skip
    assert found["runs"][2]["measured"] == 160
    assert found["deployment"] == {
        "accelerator": "nvidia_h100_sxm",
        "framework": "megatron",
        "precision": "bf16",
    }
    figure = found["figures"]["performance.mfu"]
    assert figure["low"] < figure["corrected"] < figure["high"]


def test_it_is_printed_for_people(run: Run) -> None:
    code, out, _ = run("calibrate", FLAGSHIP, "--step-time", "6.5")
    assert code == 0
    assert "step time 6.5 s" in out
    assert "corrected by" in out
    assert "Model FLOPs utilisation" in out


@pytest.mark.slow
def test_kept_runs_correct_every_scenario_of_their_deployment(run: Run, tmp_path: Path) -> None:
    """Kept with the workspace: another job on the same chip, framework and precision is corrected as well."""
    calibrate = ("calibrate", FLAGSHIP, "--json")
    assert run(*calibrate, "--step-time", "6.5", "--keep")[0] == 0
    assert len(json.loads(run(*calibrate)[1])["runs"]) == 1
    assert len(json.loads(run(*calibrate, "--step-time", "6.5", "--keep")[1])["runs"]) == 1  # it is the same
    other = tmp_path / "other.yaml"
    text = FLAGSHIP.read_text(encoding="utf-8")
    other.write_text(
        text.replace("global_batch_sequences: 2048", "global_batch_sequences: 4096"), encoding="utf-8"
    )
    code, out, _ = run("calibrate", other, "--json")
    assert code == 0
    here, there = json.loads(run(*calibrate)[1]), json.loads(out)
    assert 0 < there["beliefs"][0] < here["beliefs"][0]
    assert there["correction"] != 1
    assert run("calibrate", EDGE_NODE)[0] == 2  # another accelerator has none
    code, _, err = run("calibrate", FLAGSHIP, "--forget")
    assert (code, err.strip()) == (0, "Forgot 1 run of this deployment.")
    assert run(*calibrate)[0] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "no run of this deployment is given or kept"),
        (("--keep",), "there is no run to keep"),
        (("--step-time", "0"), "0 is not above 0"),
        (("--tokens-per-s", "nan"), "nan is not above 0"),
        (("--run", "nowhere.log"), "nowhere.log cannot be read"),
        (("--run", FLAGSHIP), "has no line of a training step"),
    ],
)
def test_what_cannot_be_used_is_said(run: Run, options: tuple[str, ...], said: str) -> None:
    code, _, err = run("calibrate", FLAGSHIP, *options)
    assert code == 2
    assert said in " ".join(err.replace("│", " ").split())


def test_the_scenario_is_written_with_its_correction(run: Run, tmp_path: Path) -> None:
    """What is written evaluates to the corrected figures, and calibrates to the same again."""
    written = tmp_path / "calibrated.yaml"
    code, out, err = run("calibrate", FLAGSHIP, "--step-time", "6.5", "--write", written, "--json")
    assert (code, err.strip()) == (
        0,
        f"{written}: the scenario, corrected by {json.loads(out)['correction']:.3f}.",
    )
    found = json.loads(out)
    evaluation = json.loads(run("evaluate", written, "--json")[1])
    figure = found["figures"]["performance.mfu"]
    assert evaluation["performance"]["mfu"] == pytest.approx(figure["corrected"], rel=1e-3)
    assert evaluation["intervals"]["performance"]["mfu"]["low"] == pytest.approx(figure["low"], rel=1e-3)
    again = json.loads(run("calibrate", written, "--step-time", "6.5", "--json")[1])
    assert again["correction"] == pytest.approx(found["correction"], rel=1e-9)


def test_it_says_how_to_apply_it(run: Run) -> None:
    _, out, _ = run("calibrate", FLAGSHIP, "--step-time", "6.5")
    assert "measured_over_predicted: " in out
    assert "--write FILE" in out


def test_a_place_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    code, _, err = run("calibrate", FLAGSHIP, "--step-time", "6.5", "--write", tmp_path / "no" / "x.yaml")
    assert code == 2
    assert "cannot be written" in " ".join(err.replace("│", " ").split())


def test_a_served_model_is_corrected_by_what_its_users_waited(run: Run, tmp_path: Path) -> None:
    written = tmp_path / "corrected.yaml"
    code, out, _ = run("calibrate", SERVED, "--tpot", "0.05", "--ttft", "0.4", "--write", written)
    assert code == 0
    assert "time per output token 0.05 s" in out
    assert "40 requests in flight" in out
    corrected = json.loads(run("evaluate", written, "--json")[1])["performance"]
    assert corrected["tpot_s"] == pytest.approx(0.05, rel=1e-3)
    assert corrected["ttft_s"] == pytest.approx(0.4, rel=1e-3)
    found = json.loads(run("calibrate", SERVED, "--tpot", "0.05", "--json")[1])
    assert set(found["corrections"]) == {"tpot"}


@pytest.mark.parametrize(
    ("scenario", "options", "said"),
    [
        ("served", (), "nothing measured is given"),
        ("served", ("--tpot", "0"), "is not above 0"),
        ("served", ("--tpot", "50"), "Check its unit"),
        ("served", ("--step-time", "3"), "type --ttft or"),
        ("served", ("--tpot", "0.05", "--keep"), "serves a model"),
        ("trained", ("--tpot", "0.05"), "serves no model"),
    ],
)
def test_each_kind_has_its_own_measurements(
    run: Run, scenario: str, options: tuple[str, ...], said: str
) -> None:
    code, _, err = run("calibrate", SERVED if scenario == "served" else EDGE_NODE, *options)
    assert code == 2
    assert said in " ".join(err.replace("│", " ").split())
