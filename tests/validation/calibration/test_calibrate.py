"""Own runs and measured points correct a deployment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.calibration.calibrate import Calibration, calibrate
from app.validation.calibration.one_point import remaining_spread
from app.validation.calibration.runs import run_of_speed, run_of_step_time, runs_of_file
from app.validation.calibration.text import calibration_text
from app.validation.study import Row, ValidationFileError
from tests.scenarios.support import scenario as smallest
from tests.validation.calibration.logs import MEGATRON, TORCHTITAN, log

# Own runs correct a scenario, and nothing else.

Written = Callable[[list[dict[str, Any]]], Path]


@pytest.fixture(scope="module")
def scenario(catalog: Catalog) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(smallest()), catalog)


def step_time_s(scenario: EvaluatedScenario) -> float:
    return float(scenario.evaluation.sections.performance.step_time_s[0])


def width(found: Calibration) -> float:
    figure = found.figures["performance.mfu"]
    assert figure.high is not None
    assert figure.low is not None
    return figure.high / figure.low


def test_a_run_of_the_scenario_moves_it_most_of_the_way(scenario: EvaluatedScenario) -> None:
    slow = run_of_step_time(1.1 * step_time_s(scenario), scenario, "typed in")
    assert slow.ratio == pytest.approx(1 / 1.1)
    found = calibrate(scenario, [slow])
    assert 1 / 1.1 < found.correction < 1 / 1.07
    for path, figure in found.figures.items():
        assert figure.low < figure.corrected < figure.high, path
    time, rate = found.figures["performance.step_time_s"], found.figures["performance.tokens_per_s"]
    assert time.corrected == pytest.approx(time.predicted / found.correction)
    assert rate.corrected == pytest.approx(rate.predicted * found.correction)


def test_the_interval_narrows_with_every_run(scenario: EvaluatedScenario) -> None:
    runs = [run_of_step_time(share * step_time_s(scenario), scenario, "") for share in (1.1, 1.12, 1.08)]
    before = scenario.intervals.performance.mfu
    widths = [before.high / before.low, *(width(calibrate(scenario, runs[:count])) for count in (1, 2, 3))]
    assert widths == sorted(widths, reverse=True)


def test_the_scenario_itself_is_evaluated_as_before(scenario: EvaluatedScenario, catalog: Catalog) -> None:
    calibrate(scenario, [run_of_speed(1.0, scenario, "")])
    again = evaluate_scenario(build_scenario(smallest()), catalog)
    assert again.as_json == scenario.as_json


def test_a_log_is_the_scenario_measured(
    scenario: EvaluatedScenario, catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / "run.log"
    path.write_text(log(MEGATRON, seconds=step_time_s(scenario), batch=1024), encoding="utf-8")
    (run,) = runs_of_file(path, scenario, catalog)
    assert run.ratio == pytest.approx(1, abs=1e-4)  # the log rounds
    assert "run.log, Megatron-LM, median of 32 steps after 8 of warm-up" in run.source
    path.write_text(log(TORCHTITAN, speed=4000), encoding="utf-8")
    (run,) = runs_of_file(path, scenario, catalog)
    assert run.measured == 4000


def test_a_log_of_another_batch_is_refused(
    scenario: EvaluatedScenario, catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / "run.log"
    path.write_text(log(MEGATRON, batch=128), encoding="utf-8")
    with pytest.raises(
        ValidationFileError, match="logs a global batch of 128 sequences, the scenario has 1,024"
    ):
        runs_of_file(path, scenario, catalog)


def test_runs_of_a_table_say_less_than_the_scenario_itself(
    scenario: EvaluatedScenario, catalog: Catalog, run: Callable[..., Row], written: Written
) -> None:
    rows = [
        dict(run(id=f"A-{size}", n_accelerators=size, global_batch_seqs=16 * size).cells) for size in (8, 64)
    ]
    path = written([{**row, "scored": "yes"} for row in rows] + [{**rows[0], "id": "B", "scored": "no"}])
    runs = runs_of_file(path, scenario, catalog)
    assert [one.source for one in runs] == ["rows.csv, row A-8", "rows.csv, row A-64"]
    itself = run_of_speed(4000, scenario, "")
    assert itself.job not in {one.job for one in runs}
    of_table, of_itself = calibrate(scenario, runs), calibrate(scenario, [itself])
    assert max(of_table.beliefs) < of_itself.beliefs[0]
    assert width(of_table) > width(of_itself)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (
            {"accelerator_key": "nvidia_a100_sxm_80"},
            "its accelerator is nvidia_a100_sxm_80, that of the scenario",
        ),
        ({"framework": "torchtitan"}, "its framework is fsdp, that of the scenario megatron"),
        ({"precision_class": "fp8"}, "its precision is fp8, that of the scenario bf16"),
        ({"layers": "many"}, "row A-1: layers is 'many', not a number"),
        ({"scored": "no"}, "no row with a measurement"),
    ],
)
def test_runs_that_say_nothing_of_the_scenario(
    scenario: EvaluatedScenario, catalog: Catalog, run: Callable[..., Row], written: Written,
    cells: dict[str, object], reason: str,
) -> None:  # fmt: skip
    path = written([{"scored": "yes", **run(**cells).cells}])
    with pytest.raises(ValidationFileError, match=reason):
        runs_of_file(path, scenario, catalog)


def test_the_document_of_a_row_is_predicted_as_the_row(
    scenario: EvaluatedScenario, catalog: Catalog, run: Callable[..., Row], written: Written
) -> None:
    """Also where recomputation follows from the memory, and where the layout is searched."""
    tight = run(id="tight", params_b=70.6, layers=80, hidden=8192, heads=64, ffn_hidden=28672, tp=8,
                n_accelerators=64, global_batch_seqs=128)  # fmt: skip
    auto = run(id="auto", tp="", pp="", n_accelerators=64)
    for own in runs_of_file(
        written([{"scored": "yes", **row.cells} for row in (tight, auto)]), scenario, catalog
    ):
        again = evaluate_scenario(build_scenario(own.document), catalog)
        assert run_of_speed(1.0, again, "").predicted == pytest.approx(own.predicted, rel=1e-9), own.source


def test_tokens_make_no_other_job(scenario: EvaluatedScenario, catalog: Catalog) -> None:
    longer = evaluate_scenario(build_scenario(smallest(workload__tokens=9e12)), catalog)
    larger = evaluate_scenario(build_scenario(smallest(pod__supernodes=2)), catalog)
    jobs = [run_of_speed(1.0, one, "").job for one in (scenario, longer, larger)]
    assert jobs[0] == jobs[1] != jobs[2]


def test_text_and_json_say_the_same(scenario: EvaluatedScenario) -> None:
    found = calibrate(scenario, [run_of_step_time(1.1 * step_time_s(scenario), scenario, "typed in")])
    text, content = calibration_text(found), found.as_json()
    assert f"corrected by {found.correction:.3f}" in text
    assert "typed in" in text
    assert content["correction"] == found.correction
    assert content["runs"][0]["ratio"] == found.runs[0].ratio
    assert set(content["figures"]) >= {"performance.step_time_s", "performance.mfu", "cost.usd_per_run"}


# What one measured point leaves unknown of a deployment, on points made up by hand.


def test_what_all_points_share_is_gone() -> None:
    found = remaining_spread(np.log([1.5, 1.5, 1.5]), ["a"] * 3)
    assert found is not None
    assert (found.low, found.high, found.median_abs_error) == pytest.approx((1, 1, 0))
    assert (found.deployments, found.points) == (1, 3)


def test_what_they_differ_by_stays() -> None:
    """Of 1, 1 and 2 two thirds of the pairs differ by a factor of two, one way as often as the other."""
    found = remaining_spread(np.log([1.0, 1.0, 2.0]), ["a"] * 3)
    assert found is not None
    assert found.low == pytest.approx(1 / found.high)
    assert found.high == pytest.approx(2)


def test_every_deployment_has_one_vote() -> None:
    many = remaining_spread(np.concatenate([np.zeros(60), np.log([1, 4, 16])]), ["calm"] * 60 + ["wild"] * 3)
    few = remaining_spread(np.concatenate([np.zeros(6), np.log([1, 4, 16])]), ["calm"] * 6 + ["wild"] * 3)
    assert many is not None
    assert few is not None
    assert many.high == pytest.approx(few.high)


def test_small_deployments_and_unknown_points_say_nothing() -> None:
    assert remaining_spread(np.zeros(2), ["a", "a"]) is None
    assert remaining_spread(np.array([0.0, np.nan, 0.0]), ["a"] * 3) is None
    assert remaining_spread(np.zeros(0), []) is None


@given(st.lists(st.floats(-2, 2), min_size=3, max_size=12), st.floats(-3, 3))
def test_a_bias_of_the_deployment_changes_nothing(errors: list[float], bias: float) -> None:
    found = remaining_spread(np.array(errors), ["a"] * len(errors))
    moved = remaining_spread(np.array(errors) + bias, ["a"] * len(errors))
    assert found is not None
    assert moved is not None
    assert (moved.low, moved.high) == pytest.approx((found.low, found.high), rel=1e-6)
    assert found.low <= 1 <= found.high or found.low == pytest.approx(1)
