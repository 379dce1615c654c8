"""Own runs that a scenario states correct its speed, and their bounds are its interval."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.intervals import TIMES
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario

OWN = {"measured_over_predicted": 0.92, "low": 0.86, "high": 0.98, "note": "three runs of July"}


def evaluated(**changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(scenario(**changes)), ready_catalog())


@pytest.mark.parametrize("parallelism", ["auto", {"tp": 8, "pp": 1, "micro_batch": 1, "zero_stage": 1}])
def test_every_figure_of_speed_is_corrected(seeded_data_dir: object, parallelism: Any) -> None:
    """The layout that a search finds stays as well: all are corrected alike."""
    predicted = evaluated(parallelism=parallelism).as_json
    own = evaluated(parallelism=parallelism, workload__calibration=OWN).as_json
    for name in predicted["intervals"]["performance"]:
        share = own["performance"][name] / predicted["performance"][name]
        if name != "elapsed_time_s":  # of the pod, with failures: nearly
            assert share == pytest.approx(1 / 0.92 if name in TIMES else 0.92, rel=1e-9), name
    assert own["performance"]["strategy"] == predicted["performance"]["strategy"]
    parts = own["performance"]["time_breakdown_s"]
    assert sum(parts.values()) == pytest.approx(own["performance"]["step_time_s"])
    assert parts["calibration"] == pytest.approx((1 / 0.92 - 1) * predicted["performance"]["step_time_s"])


def test_a_ratio_of_one_changes_nothing(seeded_data_dir: object) -> None:
    predicted = evaluated().as_json
    same = evaluated(workload__calibration={"measured_over_predicted": 1}).as_json
    for room in ("performance", "cost", "power", "intervals"):
        assert same[room] == predicted[room], room


def test_stated_bounds_are_the_interval(seeded_data_dir: object) -> None:
    own = evaluated(workload__calibration=OWN)
    mfu, bounds = own.as_json["performance"]["mfu"], own.intervals.performance.mfu
    assert (bounds.low, bounds.high) == pytest.approx((mfu * 0.86 / 0.92, mfu * 0.98 / 0.92))
    assert own.intervals.likeness.startswith("The interval comes from own runs")
    assert "three runs of July" in own.intervals.likeness
    assert own.intervals.nearest[0].id in own.intervals.likeness


def test_without_bounds_the_interval_is_that_of_comparable_runs(seeded_data_dir: object) -> None:
    before = evaluated()
    own = evaluated(workload__calibration={"measured_over_predicted": 0.92})
    wide, same = before.intervals.performance.mfu, own.intervals.performance.mfu
    assert same.low == pytest.approx(0.92 * (wide.low or 0))
    assert own.intervals.likeness == before.intervals.likeness


def test_the_explanation_leads_to_the_scenario(seeded_data_dir: object) -> None:
    tree = evaluated(workload__calibration=OWN).explain("performance.time_breakdown_s.calibration")
    assert "workload.calibration.measured_over_predicted" in str(tree)


def test_it_is_written_and_read_the_same(seeded_data_dir: object) -> None:
    document = build_scenario(scenario(workload__calibration=OWN))
    assert document.as_dict()["workload"]["calibration"] == OWN
    assert "calibration" not in build_scenario(scenario()).as_dict()["workload"]


@pytest.mark.parametrize(
    ("calibration", "path", "said"),
    [
        ({"measured_over_predicted": 0}, "measured_over_predicted", "0 must be above 0"),
        ({"measured_over_predicted": 1, "low": 1.1, "high": 1.2}, "low", "1.1 is above measured_over_predicted, 1"),
        ({"measured_over_predicted": 1, "low": 0.8, "high": 0.9}, "high", "0.9 is below measured_over_predicted, 1"),
        ({"measured_over_predicted": 1, "low": 0.9}, "high", "is not stated, but low is"),
        ({"low": 0.9, "high": 1.1}, "measured_over_predicted", "is required"),
        ({"measured_over_predicted": 1, "lo": 0.9}, "lo", "is not a known key"),
    ],
)  # fmt: skip
def test_faults_are_one_message_each(calibration: dict[str, Any], path: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_scenario(scenario(workload__calibration=calibration))
    (error,) = caught.value.errors
    assert error.path == f"workload.calibration.{path}"
    assert said in error.message
