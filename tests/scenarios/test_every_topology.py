"""Every topology is evaluated and explained, the layout being left to the search."""

from __future__ import annotations

import math

import pytest

from app.catalog.ready import ready_catalog
from app.engine.fabric.topologies import TOPOLOGIES
from app.scenarios.evaluation.service import evaluate_scenario
from tests.scenarios.support import document


@pytest.mark.parametrize("topology", sorted(TOPOLOGIES))
def test_a_step_on_every_topology_is_explained(topology: str) -> None:
    found = evaluate_scenario(
        document(supernode={"system": "dgx_h100"}, pod__supernodes=64, pod__fabric={"topology": topology}),
        ready_catalog(),
    )
    step_s = found.as_json["performance"]["step_time_s"]
    assert step_s > 0
    assert math.isfinite(step_s)
    assert found.explain("performance.step_time_s")["value"] == pytest.approx(step_s)
