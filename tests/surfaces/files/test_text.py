"""What the terminal shows."""

import json

import pytest

from app.catalog.ready import ready_catalog
from app.charts.key_figures import key_figures
from app.scenarios.evaluation.service import evaluate_example, evaluate_scenario
from app.surfaces.files.text import evaluation_text, explanation_text, value_at
from tests.support import without_estimates


@pytest.fixture
def flagship(seeded_data_dir):
    return evaluate_example("llama_3_1_405b_on_2048_dgx_h100", ready_catalog())


def test_key_figures_are_figures_of_the_evaluation(flagship):
    for path in key_figures(flagship.as_json):
        assert value_at(flagship.as_json, path) is not None, path


def test_text_names_every_key_figure_and_the_verdict(flagship):
    text = evaluation_text(flagship.as_json)
    assert "feasible" in text
    assert text.count("\n") > len(key_figures(flagship.as_json))


def test_unknown_figures_are_called_unknown_and_what_is_missing_is_named(seeded_data_dir):
    scenario = evaluate_scenario(without_estimates("dense_128b_on_tpu_v5p"), ready_catalog())
    text = evaluation_text(scenario.as_json)
    assert "not published" in text
    assert "supernode.custom.max_power_w" in text


def test_explanation_shows_formula_values_and_sources(flagship):
    tree = flagship.explain("performance.tokens_per_s_per_accelerator")
    text = explanation_text(tree)
    assert "source:" in text
    assert "catalog accelerators/nvidia_h100_sxm" in text
    assert json.dumps(tree)


def test_the_interval_stands_beside_the_figure(flagship):
    bounds = flagship.as_json["intervals"]["performance"]["mfu"]
    (line,) = [
        line for line in evaluation_text(flagship.as_json).splitlines() if "Model FLOPs utilisation" in line
    ]
    low, high = (f"{100 * bounds[name]:.1f}" for name in ("low", "high"))
    assert f"{low} to {high}" in line
    assert flagship.intervals.likeness in evaluation_text(flagship.as_json)


def test_an_explanation_ends_with_the_nearest_runs(flagship):
    text = explanation_text(flagship.explain("performance.mfu"))
    assert "80\u202f% interval from comparable runs" in text
    for run in flagship.intervals.nearest:
        assert run.id in text
    assert "Nearest measured runs" not in explanation_text(flagship.explain("cooling.pue"))
