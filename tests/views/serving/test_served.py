"""What has no view: jobs that run and end, several kinds of SuperNode, and unpublished inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.engine.design import evaluate
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.edge import EdgeOptions, edge_view
from app.views.serving.latency import latency_view
from app.views.serving.memory import memory_view
from app.views.serving.roofline import roofline_view
from app.views.serving.served import served
from app.views.serving.sizing import sizing_view
from app.views.serving.token_cost import TokenCostOptions, token_cost_view
from tests.support import read_example
from tests.views.serving.cases import catalog, evaluated, example

VIEWS: tuple[Callable[[EvaluatedScenario], Any], ...] = (
    latency_view,
    roofline_view,
    sizing_view,
    lambda scenario: edge_view(scenario, catalog(), EdgeOptions(), evaluated),
)


def without(field: str) -> EvaluatedScenario:
    """The example on an accelerator of which a figure is unknown."""
    known = example()
    design = known.resolved.design
    accelerator = replace(design.supernode.accelerator, **{field: np.full(1, np.nan)})
    changed = replace(design, supernode=replace(design.supernode, accelerator=accelerator))
    return EvaluatedScenario(
        document=known.document,
        resolved=replace(known.resolved, design=changed),
        evaluation=evaluate(changed),
    )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "field", ["memory_bandwidth_bytes_per_s", "scale_up_bandwidth_bytes_per_s", "memory_bytes"]
)
def test_what_rests_on_an_unknown_input_is_refused_in_words(view: Any, field: str) -> None:
    with pytest.raises(ScenarioError, match="is unknown, not published:"):
        view(without(field))


def test_memory_needs_no_bandwidth_and_costs_stay_unknown() -> None:
    assert memory_view(without("memory_bandwidth_bytes_per_s")).batch_limit > 0
    costs = token_cost_view(
        without("memory_bandwidth_bytes_per_s"), catalog(), TokenCostOptions(systems=("dgx_b200",)), evaluated
    )
    assert np.isnan(costs.systems[0].usd_per_million_tokens)
    assert costs.systems[-1].usd_per_million_tokens > 0


def test_a_job_that_runs_and_ends_has_none() -> None:
    with pytest.raises(ScenarioError, match="Sizing is of models that answer requests"):
        served(evaluated(read_example("seismic_stencil_on_8_gb200_nvl72")), "Sizing")
