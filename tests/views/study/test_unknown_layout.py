"""A kept column for which no layout was found is a row of unknown figures, and no error."""

from __future__ import annotations

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluated
from app.scenarios.load import build_scenario
from app.views.study.evaluating import pods_of
from tests.scenarios.support import scenario


def test_a_design_without_a_layout_is_a_pod_of_unknown_figures() -> None:
    values = scenario(supernode={"system": "aws_rainier"}, pod__supernodes=1)
    found = evaluated(build_scenario(values), ready_catalog())
    assert found.as_json["performance"]["step_time_s"] is None
    pods = pods_of(found, "own", ())
    assert pods.counts.tolist() == [1]
