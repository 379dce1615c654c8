"""podwright ask: text, YAML and JSON of an answer, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.views.questions.declared import QUESTIONS
from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.slow
TRAIN = ("ask", "train", "--model", "llama_3_1_8b", "--tokens", "1e12", "--system", "dgx_h100", "--deadline-days", "30")  # fmt: skip


def test_an_answer_has_verdict_figures_and_what_is_assumed(run: Run) -> None:
    code, out, err = run(*TRAIN)
    assert (code, err) == (0, "")
    assert out.startswith("6 × DGX H100 train Llama 3.1 8B")
    assert "Cost per run" in out
    assert "Assumed: BF16" in out


def test_the_scenario_that_answers_can_be_evaluated(run: Run, tmp_path: Path) -> None:
    answer = json.loads(run(*TRAIN, "--json")[1])
    path = tmp_path / "answer.yaml"
    path.write_text(run(*TRAIN, "--yaml")[1], encoding="utf-8")
    evaluation = json.loads(run("evaluate", str(path), "--json")[1])
    cost = next(figure for figure in answer["figures"] if figure["path"] == "cost.usd_per_run")
    assert evaluation["cost"]["usd_per_run"] == pytest.approx(cost["value"])


def test_several_systems_are_given_one_by_one(run: Run) -> None:
    code, out, _ = run(
        "ask", "compare", "--system", "dgx_h100", "--system", "dgx_b200", "--accelerators", "64"
    )
    assert code == 0
    assert "DGX B200" in out
    assert "GB200" not in out


def test_without_an_answer_it_ends_with_3(run: Run) -> None:
    code, out, _ = run("ask", "site", "--power-w", "5e4")
    assert code == 3
    assert "carries none" in out


def test_bad_input_is_one_line_and_ends_with_2(run: Run) -> None:
    code, _, err = run("ask", "train", "--model", "llama_9")
    assert code == 2
    assert err.startswith("podwright: model: 'llama_9' is not in the catalog")
    assert run("ask", "train", "--json", "--yaml")[0] == 2


def test_help_lists_every_question(run: Run) -> None:
    _, out, _ = run("ask", "--help")
    assert all(question.key in out for question in QUESTIONS)
