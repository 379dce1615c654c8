"""podwright project and podwright validate scaling: text, JSON, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PUBLISHED = Path(__file__).parents[2] / "fixtures" / "scaling_laws.csv"


def test_compute_alone(run):
    code, out, err = run("project", "--flops", "5.76e23")
    assert (code, err) == (0, "")
    assert "18.4 tokens per parameter" in out
    assert "192 times the FLOP" in out


def test_the_best_model_of_a_design(run):
    code, out, _ = run("project", "edge_node", "--deadline-days", "90")
    assert code == 0
    assert "90 days" in out
    assert "deadline_days sets the compute" in out
    _, text, _ = run("project", "edge_node", "--deadline-days", "90", "--json")
    assert json.loads(text)["design"]["days"] == pytest.approx(90)


def test_figures_of_a_model_on_a_design(run):
    _, out, _ = run(
        "project", "edge_node", "--parameters", "1e9", "--tokens", "1e12", "--deadline-days", "30"
    )
    assert "over-trained" in out
    assert "would meet deadline_days" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--law", "moe_routed", "--experts", "64", "--parameters", "1e8"), "dense model of 4.593e+08"),
        (("--law", "precision", "--bits", "8", "--parameters", "1e9", "--tokens", "2e10"), "unverified"),
        (("--flops", "1e22", "--inference-tokens", "1e12"), "over their life"),
        (
            (
                "--law",
                "data_constrained",
                "--unique-tokens",
                "1e10",
                "--parameters",
                "1e9",
                "--tokens",
                "4e10",
            ),
            "4 epochs",
        ),
    ],
)
def test_what_some_laws_say_beside(run, words, said):
    code, out, _ = run("project", *words)
    assert code == 0
    assert said in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--loss", "1.5"), "irreducible term"),
        (("--tokens", "0"), "at least 1"),
        (("--law", "chinchilla_1", "--loss", "2"), "Choose epoch_refit"),
        (("--deadline-days", "90"), "Give a scenario"),
        (("nowhere", "--flops", "1e22"), "neither a file"),
        ((), "Nothing is known"),
    ],
)
def test_what_cannot_be_is_one_message(run, words, said):
    code, out, err = run("project", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_validate_scaling(run, tmp_path):
    code, out, _ = run("validate", "scaling", PUBLISHED, "--json", "--rows", tmp_path / "rows.csv")
    found = json.loads(out)
    assert code == 0
    assert (found["kind"], found["unsupported"], found["unexplained"]) == ("scaling", [], [])
    assert found["within_1_pct_of_computed"] == found["scored"]
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == found["supported"] + 1
