"""Every figure of every example explains itself, down to scenario fields, catalog facts and assumptions."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.leaves import leaves
from app.engine.quantities import quantity_at
from app.engine.trace import Traced, plain
from app.scenarios.evaluation.service import evaluate_example
from app.scenarios.examples import list_examples

pytestmark = pytest.mark.slow

KEYS = [example.key for example in list_examples()]
MOST_GLUE = 0.15  # share of anonymous steps between quantities, of all steps of an explanation


@pytest.fixture
def scenario(request, seeded_data_dir):
    return evaluate_example(request.param, ready_catalog())


every_example = pytest.mark.parametrize("scenario", KEYS, indirect=True)


@every_example
def test_traced_and_bare_evaluation_agree_in_every_figure(scenario):
    bare = dict(leaves(scenario.evaluation.sections))
    assert bare.keys() == scenario.figures.keys()
    for path, figure in scenario.figures.items():
        assert isinstance(figure, Traced), path
        np.testing.assert_array_equal(plain(figure), bare[path], err_msg=path)


@every_example
def test_every_figure_is_a_registered_quantity_at_its_place(scenario):
    for path, figure in scenario.figures.items():
        record = quantity_at(path)
        assert record is not None, path
        room = re.sub(r"^workloads\[\d+\]\.(?=performance|reliability|cost)|(?<=^workloads\[)\d+", "", path)
        assert figure.node.quantity is record or figure.node.quantity.also_at == room, path
        assert record.source, path


@every_example
def test_every_explanation_ends_in_inputs_with_a_source(scenario):
    steps = glue = 0
    for path, figure in scenario.figures.items():
        for node in figure.node.walk():
            steps += 1
            glue += node.kind == "operator"
            if node.inputs:
                continue
            assert node.kind == "input", f"{path} ends in {node.kind} {node.name}"
            assert node.origin is not None
            assert node.origin.kind == "unknown" or node.origin.source or node.origin.kind == "scenario", (
                node.name
            )
            assert node.origin.label, node.name
    assert glue / steps < MOST_GLUE


@every_example
def test_unknown_figures_name_their_missing_inputs(scenario):
    unknown = {
        path for path, value in leaves(scenario.evaluation.sections) if np.isnan(np.asarray(value)).any()
    }
    named = {
        path for problem in scenario.problems if problem.kind == "missing_input" for path in problem.affects
    }
    assert unknown == named


@every_example
def test_json_shape(scenario):
    shown = scenario.as_json
    performance = shown["performance"]
    whole = performance.get("tpot_s", performance["step_time_s"])  # served models break a token down
    assert sum(performance["time_breakdown_s"].values()) == pytest.approx(whole)
    assert "NaN" not in str(shown)
    assert shown["provenance"]["inputs_hash"]
