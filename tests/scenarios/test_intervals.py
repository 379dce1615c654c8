"""Every evaluation says how far its figures may be off, and by which measured runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.catalog.validated import validated_runs
from app.scenarios.evaluation.intervals import NEAREST, TIMES, Intervals
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.support import document, scenario
from tests.support import part_of

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
    """The slowest run that is to be expected has the lowest rate and the longest productive times."""
    scenario = evaluated()
    found, bounds = scenario.as_json["performance"], scenario.as_json["intervals"]["performance"]
    slowest = bounds["mfu"]["low"] / found["mfu"]
    for name in bounds:
        if name == "elapsed_time_s":  # has the doubt of failures as well
            assert bounds[name]["high"] / found[name] > 1 / slowest
            continue
        share = bounds[name]["high" if name in TIMES else "low"] / found[name]
        assert share == pytest.approx(1 / slowest if name in TIMES else slowest), name


SYSTEMS = ("dgx_h100", "dgx_b200", "gb200_nvl72", "huawei_cloudmatrix384", "tpu_v5e_pod")


@pytest.mark.parametrize("seed", part_of(range(24)))
def test_failures_have_an_interval_that_holds_their_figures(seed: int) -> None:
    """MTBF goes by the ends of the rate, ETTR lies within 0 and 1, and elapsed time is no surer than the speed."""
    draw = np.random.default_rng(seed)
    changes = {
        "supernode": {"system": str(draw.choice(SYSTEMS))},
        "pod__supernodes": int(draw.integers(1, 300)),
    }
    scenario = evaluate_scenario(
        document(**changes, parallelism={"tp": 1}, workload__global_batch_sequences=131_072), ready_catalog()
    )
    found, bounds = scenario.as_json, scenario.as_json["intervals"]
    for name in ("mtbf_s", "ettr"):
        ends, figure = bounds["reliability"][name], found["reliability"][name]
        assert ends["low"] < figure < ends["high"], name
        assert scenario.explain(f"reliability.{name}")["interval"]["low"] == ends["low"]
    mtbf = bounds["reliability"]["mtbf_s"]
    assert mtbf["high"] / mtbf["low"] == pytest.approx(0.042 / 0.0034)
    assert 0 <= bounds["reliability"]["ettr"]["low"] <= bounds["reliability"]["ettr"]["high"] <= 1
    elapsed, training = (bounds["performance"][name] for name in ("elapsed_time_s", "training_time_s"))
    if elapsed["low"] is None:
        return  # a size that no measured run is compared with
    figures = found["performance"]["elapsed_time_s"], found["performance"]["training_time_s"]
    assert elapsed["low"] <= figures[0] <= elapsed["high"]
    assert elapsed["high"] / figures[0] >= training["high"] / figures[1] * (1 - 1e-9)


def test_a_stated_rate_has_no_interval() -> None:
    stated = document(parallelism={"tp": 1}, assumptions={"operations.failures_per_node_day": 0.01})
    found = evaluate_scenario(stated, ready_catalog()).as_json["intervals"]["reliability"]
    assert found == {name: {"low": None, "high": None} for name in ("mtbf_s", "ettr")}


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
    assert far.likeness.startswith("Outside the range of measurements")
    assert "another" in far.likeness
    assert width(far) > width(near)


def test_a_measured_run_is_much_like_itself(seeded_data_dir: object) -> None:
    found = evaluate_example("gpt_3_175b_on_128_dgx_a100", ready_catalog()).intervals
    assert found.likeness.startswith("Well covered by measurements")
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
