"""The views of operations: sums, limits, published points, and what is refused."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.charts import FIGURES
from app.engine.operations.failures import posterior_rate
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.operations.calibrate import CalibrateOptions, calibrate_answer
from app.views.operations.checkpoints import checkpoints_answer, checkpoints_text
from app.views.operations.goodput import goodput_answer
from app.views.operations.run import RunOptions, run_answer
from app.views.operations.shared_parts import SharedPartsAnswer, shared_parts_answer
from app.views.operations.size import SizeOptions, published_fleets, size_answer
from app.views.operations.spares import spares_answer
from tests.scenarios.support import document
from tests.support import part_of, read_example

LLAMA = "llama_3_1_405b_on_2048_dgx_h100"
SYSTEMS = ("dgx_h100", "dgx_b200", "gb200_nvl72", "huawei_cloudmatrix384", "tpu_v7_pod", "dgx_a100_640")


def evaluated(**changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(document(**changes), ready_catalog())


@pytest.fixture(scope="module")
def llama() -> EvaluatedScenario:
    return evaluate_scenario(read_example(LLAMA), ready_catalog())


def adds_up(scenario: EvaluatedScenario) -> None:
    """Losses take the scheduled time to the evaluation's own headline."""
    sections, answer = scenario.evaluation.sections, goodput_answer(scenario)
    ettr = first_of(sections.reliability.goodput_breakdown["productive"])
    if math.isnan(ettr) or math.isnan(answer.useful):
        return
    lost = sum(step.share for step in answer.steps if step.kind == "loss")
    assert 1 - lost == pytest.approx(answer.useful, abs=1e-9)
    ettr *= first_of(sections.power.facility_availability)
    assert answer.ettr == pytest.approx(first_of(sections.reliability.ettr_at_site), rel=1e-12)
    mfu = getattr(sections.performance, "mfu", None)
    if mfu is not None:
        assert answer.useful == pytest.approx(ettr * first_of(mfu), rel=1e-12)
    total = next(step for step in answer.steps if step.kind == "total")
    before = answer.steps[answer.steps.index(total) - 1]
    assert before.left == pytest.approx(total.left, abs=1e-9)
    assert answer.steps[-2].left == pytest.approx(answer.useful, abs=1e-9)
    by_name = {step.name: step for step in answer.steps}
    assert not by_name["queue"].known
    assert by_name["queue"].share == 0
    used = first_of(scenario.resolved.whole.pod.accelerators_used)
    elapsed = first_of(sections.performance.elapsed_time_s)
    assert answer.scheduled_accelerator_hours == pytest.approx(elapsed * used / 3600)
    kernels = by_name.get("kernels")
    assert kernels is None or kernels.share >= -1e-9


@pytest.mark.parametrize("seed", part_of(range(60)))
def test_goodput_adds_up_to_the_headline(seed: int) -> None:
    draw = np.random.default_rng(seed)
    system = str(draw.choice(SYSTEMS))
    adds_up(
        evaluated(
            supernode={"system": system},
            pod__supernodes=int(2 ** draw.integers(0, 6)) if system != "tpu_v7_pod" else 1,
            parallelism="auto",
            operations={
                "checkpoint": str(draw.choice(["two_level", "blocking"])),
                "spares": int(draw.integers(0, 2)),
            },
            assumptions={
                "operations.failures_per_node_day": float(10 ** draw.uniform(-3, -1)),
                "operations.elastic_operation": float(draw.integers(2)),
            },
        )
    )


TRAINING = (
    LLAMA,
    "edge_node",
    "dense_128b_on_tpu_v5p",
    "fft_3d_on_512_dgx_a100",
    "deepseek_v3_on_256_hgx_h800",
)


@pytest.mark.slow
@pytest.mark.parametrize("key", TRAINING)
def test_goodput_of_examples(key: str) -> None:
    adds_up(evaluate_scenario(read_example(key), ready_catalog()))


@pytest.mark.parametrize(
    ("key", "rule"),
    [("deepseek_r1_on_8_h200", "workload_kind"), ("training_and_serving_on_8_dgx_h200", "one_workload")],
)
def test_no_run_is_refused(key: str, rule: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        goodput_answer(evaluate_scenario(read_example(key), ready_catalog()))
    assert refused.value.errors[0].rule == rule


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["two_level", "three_level", "blocking"])
def test_curves_go_through_the_evaluation_with_silent_corruption(scheme: str) -> None:
    """The curves of the page and of the studio are the evaluation's closed form at its own interval."""
    values = read_example(LLAMA).as_dict()
    values["operations"] = {**(values.get("operations") or {}), "checkpoint": scheme}
    late = {"operations.corruption_found_at_validation": 1}
    values["assumptions"] = {**(values.get("assumptions") or {}), **late}
    scenario = evaluate_scenario(build_scenario(values), ready_catalog())
    ettr = first_of(scenario.evaluation.sections.reliability.ettr)
    answer = checkpoints_answer(scenario)
    for curve in answer.curves:
        assert 1 - curve.here.lost == pytest.approx(ettr, rel=1e-9)
    assert answer.corruption_share > 0
    assert math.isfinite(answer.node_drain_s) == (scheme == "three_level")
    assert "silent corruption" in checkpoints_text(answer)
    drawn, best = FIGURES["goodput"](scenario.as_json).plot["data"][:2]
    assert drawn["y"][drawn["x"].index(best["x"][0])] == pytest.approx(ettr, abs=1e-6)
    simulated = run_answer(scenario, RunOptions(runs=60, seed=3))
    assert simulated.simulated_ettr == pytest.approx(ettr, abs=0.01)


def shared_parts_of(key: str, **changes: Any) -> SharedPartsAnswer:
    values = read_example(key).as_dict()
    for path, value in changes.items():
        values = with_field(values, path.replace("__", "."), value)
    return shared_parts_answer(evaluate_scenario(build_scenario(values), ready_catalog()))


@pytest.mark.parametrize("key", [LLAMA, "llama_3_1_405b_on_gb200_nvl72", "deepseek_v3_on_256_hgx_h800"])
def test_shared_parts_lose_more_without_redundancy_copies_or_planes(key: str) -> None:
    usual = shared_parts_of(key, facility__redundancy="2N")
    ladder = [shared_parts_of(key, facility__redundancy=scheme).ettr for scheme in ("N", "N+1")]
    assert ladder[0] < ladder[1] < usual.ettr < usual.ettr_without
    lost = sum(one.lost for one in usual.parts)
    assert lost == pytest.approx(usual.ettr_without - usual.ettr, rel=0.05)
    assert usual.simulated == pytest.approx(usual.ettr, abs=0.005)
    alone = shared_parts_of(key, assumptions={"operations.elastic_operation": 0})
    racks = [next(one for one in answer.parts if one.part == "rack") for answer in (usual, alone)]
    assert racks[0].lost_share < racks[1].lost_share == 1
    several = shared_parts_of(key, pod__fabric__planes=2)
    plane, other = (next(one for one in answer.parts if one.part == "plane") for answer in (usual, several))
    assert (plane.effect, other.effect) == ("stops", "slows")
    assert other.lost_share < plane.lost_share == 1
    assert other.lost < plane.lost


def test_size_has_the_design_and_published_fleets(llama: EvaluatedScenario) -> None:
    answer, found = size_answer(llama, SizeOptions()), llama.evaluation.sections.reliability
    assert answer.here.mtbf_s == pytest.approx(first_of(found.mtbf_s))
    assert answer.here.ettr == pytest.approx(first_of(found.ettr))
    bounds = llama.intervals.reliability
    assert (answer.here.mtbf_low_s, answer.here.mtbf_high_s) == pytest.approx(
        (bounds.mtbf_s.low, bounds.mtbf_s.high)
    )
    assert (answer.here.ettr_low, answer.here.ettr_high) == pytest.approx((bounds.ettr.low, bounds.ettr.high))
    assert answer.points[0].accelerators == 8
    assert answer.points[-1].accelerators >= 131_072
    times = [point.mtbf_s for point in answer.points]
    assert times == sorted(times, reverse=True)
    assert all(point.mtbf_low_s < point.mtbf_s < point.mtbf_high_s for point in answer.points)


def test_size_says_what_breaks_first(llama: EvaluatedScenario) -> None:
    at = {
        count: size_answer(llama, SizeOptions(accelerators=count))
        for count in (1_000, 16_384, 100_000, 99_999)
    }
    for count, answer in at.items():
        point = next(one for one in answer.points if one.is_asked)
        assert point.accelerators == 8 * math.ceil(count / 8)  # whole SuperNodes
        rates = [one.failures_per_day for one in answer.components]
        assert rates == sorted(rates, reverse=True)
        assert sum(rates) == pytest.approx(
            86_400 / point.mtbf_s
        )  # the components are all of the interruptions
        assert sum(one.share for one in answer.components) == pytest.approx(1)
        assert all(one.every_s * one.failures_per_day == pytest.approx(86_400) for one in answer.components)
    # 0.012 failures of a host of eight a day, 64 % of them by accelerators: 12,500 hosts fail 150 times a day.
    assert at[100_000].components[0].component == "accelerators"
    assert sum(one.failures_per_day for one in at[100_000].components) == pytest.approx(150, rel=0.01)
    assert at[100_000].verdict.startswith("Accelerators break first: they interrupt 100,000 accelerators")
    ratio = at[100_000].components[0].failures_per_day / at[1_000].components[0].failures_per_day
    assert ratio == pytest.approx(100)


def test_the_verdict_of_goodput_adds_up_to_the_step(llama: EvaluatedScenario) -> None:
    answer = goodput_answer(llama)
    shares = [float(found) for found in re.findall(r"([\d.]+)\s%", answer.verdict)]
    assert shares[0] == pytest.approx(100 * answer.mfu, abs=0.06)
    assert sum(shares) == pytest.approx(100, abs=0.3)
    assert shares[1:4] == sorted(shares[1:4], reverse=True)


def test_published_points_are_those_of_the_sources() -> None:
    by_size = {(one.accelerators, round(one.mtbf_s / 3600, 1)) for one in published_fleets()}
    assert {(16_384, 3.1), (16_384, 1.8), (1_024, 7.9)} <= by_size
    assert [one.accelerators for one in published_fleets() if one.projected] == [16_384, 131_072]
    assert {(992, 13.7), (1_600, 14.3)} <= by_size
    assert any(size == 8 and hours == pytest.approx(47.7 * 24) for size, hours in by_size)


def test_checkpoints_have_the_optimum(llama: EvaluatedScenario) -> None:
    answer = checkpoints_answer(llama)
    snapshot, copy = answer.curves
    assert snapshot.here.lost == pytest.approx(1 - answer.ettr, abs=1e-9)
    assert snapshot.here.lost <= min(point.lost for point in snapshot.points) + 2e-4
    assert copy.here.lost == pytest.approx(1 - answer.ettr, abs=1e-9)
    assert copy.here.lost == min(point.lost for point in copy.points)
    assert [curve.kind for curve in answer.curves] == ["snapshot", "copy"]
    blocking = checkpoints_answer(evaluated(operations={"checkpoint": "blocking"}))
    assert [curve.kind for curve in blocking.curves] == ["blocking"]


def test_simulated_runs_stand_beside_the_formula(llama: EvaluatedScenario) -> None:
    options = RunOptions(runs=100, seed=3, fleets=False)
    answer = run_answer(llama, options)
    assert answer.simulated_ettr == pytest.approx(answer.ettr, abs=0.005)
    assert answer.p10_days < answer.p50_days < answer.p90_days
    assert answer.work_days < answer.p10_days
    assert sum(share.simulated for share in answer.shares) == pytest.approx(1)
    assert answer == run_answer(llama, options)
    assert answer.timeline[0].day < answer.timeline[-1].day <= answer.timeline_days
    wide = run_answer(llama, RunOptions(runs=100, seed=3))
    assert wide.p90_days - wide.p10_days > 10 * (answer.p90_days - answer.p10_days)
    assert wide.shares == answer.shares


@pytest.mark.parametrize(("days", "probability"), [(1.0, 0.0), (10_000.0, 1.0)])
def test_probability_of_a_date(llama: EvaluatedScenario, days: float, probability: float) -> None:
    assert run_answer(llama, RunOptions(runs=20, deadline_days=days)).on_time == probability


@pytest.mark.parametrize(
    ("system", "count", "unit"),
    [
        ("tpu_v7_pod", 1, "cube"),
        ("huawei_cloudmatrix384", 1, "tray"),
        ("gb200_nvl72", 1, "tray"),
        ("dgx_h100", 8, "host"),
    ],
)
def test_spares_by_grain(system: str, count: int, unit: str) -> None:
    answer = spares_answer(evaluated(supernode={"system": system}, pod__supernodes=count, parallelism="auto"))
    assert answer.unit == unit
    assert answer.spare_supernodes < 1.01 if system == "dgx_h100" else answer.spare_supernodes < 0.12
    waits = [point.waiting_s for point in answer.points]
    assert waits == sorted(waits, reverse=True)
    assert answer.waiting_without_s == waits[0]
    assert answer.here.spare_units == answer.recommended
    assert len(answer.components) == 6


def test_posterior_by_hand() -> None:
    """Fleets are worth 1.5 interruptions; many counts leave count over node-days, none leave the prior."""
    fleets = {"middle": 0.012, "low": 0.0034, "high": 0.042}
    prior = posterior_rate(count=0, node_days=1e-9, **fleets)
    assert prior.prior_count == pytest.approx(1.47, abs=0.05)
    many = posterior_rate(count=419, node_days=54 * 2048, **fleets)
    assert many.mean == pytest.approx(419 / (54 * 2048), rel=0.01)
    assert (many.low, many.high) == pytest.approx((many.mean * 0.938, many.mean * 1.063), rel=0.005)
    quiet = posterior_rate(count=0, node_days=10_000, **fleets)
    assert quiet.high < 0.0005
    for count, days in ((-1, 5), (3, 0), (3, -1), (3, math.inf), (math.nan, 5)):
        with pytest.raises(ValueError, match="give no rate"):
            posterior_rate(count=count, node_days=days, **fleets)


@pytest.mark.parametrize("seed", part_of(range(100)))
def test_own_interruptions_narrow_the_interval(seed: int) -> None:
    draw = np.random.default_rng(seed)
    middle = float(10 ** draw.uniform(-3, -1))
    fleets = {
        "middle": middle,
        "low": middle / float(draw.uniform(1.5, 6)),
        "high": middle * float(draw.uniform(1.5, 6)),
    }
    days = float(10 ** draw.uniform(1, 6))
    few = posterior_rate(count=float(draw.poisson(middle * days)), node_days=days, **fleets)
    more = posterior_rate(count=float(draw.poisson(middle * days * 100)), node_days=days * 100, **fleets)
    assert few.low < few.mean < few.high or few.mean < few.low * 1.5
    assert math.log(more.high / more.low) < math.log(few.high / few.low)


def test_calibration_goes_into_the_evaluation(llama: EvaluatedScenario) -> None:
    answer = calibrate_answer(llama, ready_catalog(), CalibrateOptions(count=419, node_days=54 * 2048))
    assert answer.after.mtbf_s / 3600 == pytest.approx(3.09, rel=0.01)
    assert answer.after.mtbf_low_s < answer.after.mtbf_s < answer.after.mtbf_high_s
    assert answer.narrower < 0.06
    stated = read_example(LLAMA).as_dict() | {
        "operations": {"interruptions": {"count": 419, "node_days": 54 * 2048}}
    }
    again = evaluate_scenario(build_scenario(stated), ready_catalog())
    assert first_of(again.evaluation.sections.reliability.mtbf_s) == answer.after.mtbf_s
    assert again.intervals.reliability.mtbf_s.low == answer.after.mtbf_low_s


@pytest.mark.parametrize(
    "values",
    [
        {"count": 1, "node_days": 0},
        {"count": 1, "node_days": -3},
        {"count": -1, "node_days": 3},
        {"count": 1},
    ],
)
def test_interruptions_that_cannot_be(values: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError):
        build_document(CalibrateOptions, values)
    with pytest.raises(ScenarioError):
        evaluated(operations={"interruptions": values})


def test_more_spares_than_units_are_refused_with_the_limit() -> None:
    assert evaluated(pod__supernodes=4, operations={"spares": 4})
    with pytest.raises(ScenarioError) as refused:
        evaluated(pod__supernodes=4, operations={"spares": 5})
    assert "5 spares are more than the 4 units of 8 accelerators" in refused.value.errors[0].message
    assert refused.value.errors[0].hint == "State 0 to 4, or auto."


@pytest.mark.parametrize("rate", [0.0, -1.0])
def test_no_rate_is_refused(rate: float) -> None:
    with pytest.raises(ScenarioError, match="no possible value"):
        evaluated(assumptions={"operations.failures_per_node_day": rate})


def test_a_drain_slower_than_the_interval_is_named() -> None:
    slow = {"write_bandwidth_bytes_per_s": 1e8, "read_bandwidth_bytes_per_s": 1e9}
    rate = {"operations.failures_per_node_day": 50.0}
    found = evaluated(operations={"storage": slow}, assumptions=rate).evaluation.problems
    named = [problem for problem in found if problem.constraint == "drain of checkpoints"]
    assert named
    assert "slower than the" in named[0].message
