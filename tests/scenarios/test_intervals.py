"""Every evaluation says how far its figures may be off, and by which measured runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.catalog.validated import validated_runs
from app.scenarios.evaluation.intervals import NEAREST, TIMES, Intervals
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario

Evaluate = Callable[..., EvaluatedScenario]


@pytest.fixture
def evaluated(seeded_data_dir: object) -> Evaluate:
    """The smallest scenario with values put at dotted places, evaluated."""

    def evaluate(**changes: Any) -> EvaluatedScenario:
        return evaluate_scenario(build_scenario(scenario(**changes)), ready_catalog())

    return evaluate


def width(intervals: Intervals) -> float:
    bounds = intervals.performance.mfu
    assert bounds.low is not None
    assert bounds.high is not None
    return bounds.high / bounds.low


def test_every_figure_of_speed_has_its_interval(evaluated: Evaluate) -> None:
    found = evaluated().as_json
    assert found["intervals"]["probability"] == pytest.approx(0.8)
    for room in ("performance", "cost"):
        for name, bounds in found["intervals"][room].items():
            assert bounds["low"] < found[room][name] < bounds["high"], name


def test_times_and_rates_share_one_doubt(evaluated: Evaluate) -> None:
    """The slowest run that is to be expected has the lowest rate and the longest times."""
    scenario = evaluated()
    found, bounds = scenario.as_json["performance"], scenario.as_json["intervals"]["performance"]
    slowest = bounds["mfu"]["low"] / found["mfu"]
    for name in bounds:
        share = bounds[name]["high" if name in TIMES else "low"] / found[name]
        assert share == pytest.approx(1 / slowest if name in TIMES else slowest), name


def test_costs_follow_their_hours(evaluated: Evaluate) -> None:
    """Why they have an interval: software that is slower changes both in the same proportion."""
    fast = evaluated().as_json
    slow = evaluated(assumptions={"performance.software_efficiency": 0.6}).as_json
    longer = slow["performance"]["elapsed_time_s"] / fast["performance"]["elapsed_time_s"]
    assert longer > 1.1
    for name in fast["intervals"]["cost"]:
        assert slow["cost"][name] / fast["cost"][name] == pytest.approx(longer, rel=1e-9), name


def test_nearest_runs_are_named_in_order(evaluated: Evaluate) -> None:
    found = evaluated().intervals
    assert len(found.nearest) == NEAREST
    distances = [run.distance for run in found.nearest]
    assert distances == sorted(distances)
    assert found.nearest_distance == distances[0]
    shipped = {run.id: run for run in validated_runs()}
    for near in found.nearest:
        run = shipped[near.id]
        assert (near.error, near.left_out_error, near.source) == (run.error, run.left_out_error, run.source)
    assert found.nearest[0].id in found.likeness


def test_a_design_unlike_all_runs_has_a_wider_interval(evaluated: Evaluate) -> None:
    near = evaluated().intervals
    far = evaluated(
        supernode__system="aws_trn2_ultraserver", workload__sequence_length=1_000_000,
        workload__global_batch_sequences=64, workload__software={"framework": "deepspeed"},
    ).intervals  # fmt: skip
    assert far.nearest_distance > near.nearest_distance + 1
    assert far.likeness.startswith("Far from what was measured")
    assert "another" in far.likeness
    assert width(far) > width(near)


def test_a_measured_run_is_much_like_itself(seeded_data_dir: object) -> None:
    found = evaluate_example("gpt_3_175b_on_128_dgx_a100", ready_catalog()).intervals
    assert found.likeness.startswith("Much like what was measured")
    assert "same kind of model, chip generation, framework and precision" in found.likeness


def test_unknown_figures_have_no_bounds(seeded_data_dir: object) -> None:
    scenario = evaluate_example("dense_128b_on_tpu_v5p", ready_catalog())
    assert scenario.as_json["cost"]["usd_per_run"] is None
    assert scenario.as_json["intervals"]["cost"]["usd_per_run"] == {"low": None, "high": None}
    assert "interval" not in scenario.explain("cost.usd_per_run")


def test_an_explanation_names_the_runs(evaluated: Evaluate) -> None:
    scenario = evaluated()
    interval = scenario.explain("performance.mfu")["interval"]
    bounds = scenario.intervals.performance.mfu
    assert (interval["low"], interval["high"]) == (bounds.low, bounds.high)
    assert [run["id"] for run in interval["nearest"]] == [run.id for run in scenario.intervals.nearest]
    assert "interval" not in scenario.explain("power.utility_peak_w")
    assert "interval" not in scenario.explain("performance.model_flop_per_token")
