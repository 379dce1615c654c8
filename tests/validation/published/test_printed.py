"""A published run as the scenario that it is predicted by."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.catalog.validated import validated_runs
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.training.case import case_of
from app.validation.training.fit import Batch
from app.validation.training.study import printed_runs, scenario_of_run


def test_every_predicted_run_is_printed() -> None:
    assert {run.id for run in validated_runs()} <= set(printed_runs())


def ids() -> list[str]:
    """One run of each framework, and one of each way to recompute what its source does not say."""
    found: dict[str, str] = {}
    for run in validated_runs():
        found.setdefault(run.framework, run.id)
        for line in run.assumed:
            if line.startswith(("recompute", "layout")):
                found.setdefault(line, run.id)
    return sorted(set(found.values()))


@pytest.mark.parametrize("key", ids())
def test_scenario_is_evaluated_as_the_run_is_predicted(catalog: Catalog, key: str) -> None:
    row = printed_runs()[key]
    predicted = Batch([case_of(row, catalog)]).tokens_per_s()
    document = build_scenario(scenario_of_run(row, "A run", catalog))
    assert document.name == "A run"
    evaluation = evaluate_scenario(document, catalog).as_json
    speed = evaluation["performance"]["tokens_per_s_per_accelerator"]
    assert np.allclose(predicted, speed, rtol=1e-6)
