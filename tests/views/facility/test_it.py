"""IT power of scenarios: components with their sources, caps, profiles, direct current, and the utility's limit."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.facility.it import ItAnswer, ItOptions, it_answer, it_report
from app.views.plain import report_json
from tests.scenarios.support import scenario

STATES = ("idle_w", "mean_w", "peak_w", "design_w")
FLAGSHIP = "llama_3_1_405b_on_2048_dgx_h100"


def evaluated(**changes: Any) -> EvaluatedScenario:
    values = {"pod__supernodes": 128} | changes
    return evaluate_scenario(build_scenario(scenario(**values)), ready_catalog())


def answered(found: EvaluatedScenario, **options: Any) -> ItAnswer:
    return it_answer(found, ready_catalog(), build_document(ItOptions, options))


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"supernode__system": "gb200_nvl72", "pod__supernodes": 8, "facility__distribution": "dc_800"},
        {"facility__power_cap": 0.7},
        {"supernode__system": "amd_mi355x_8way"},
    ],
)
def test_components_sum_to_the_figures_of_the_evaluation(changes: dict[str, Any]) -> None:
    found = evaluated(**changes)
    answer, power = answered(found), found.evaluation.sections.power
    figures = (power.it_power_idle_w, power.it_power_mean_w, power.it_power_peak_w, power.it_power_design_w)
    for state, figure in zip(STATES, figures, strict=True):
        known = [getattr(part, state) for part in answer.parts if not math.isnan(getattr(part, state))]
        assert sum(known) == pytest.approx(figure[0], rel=1e-12), state
        assert getattr(answer.totals, state) == figure[0]
    assert all(part.basis and part.source for part in answer.parts)


def test_cpus_of_the_catalog_are_found_by_the_model_that_a_system_names() -> None:
    lines = {part.key: part for part in answered(evaluated()).parts}
    assert lines["processors"].design_w == pytest.approx(128 * 2 * 350, rel=0.05)  # spares beside
    assert "2 Xeon Platinum 8480C" in lines["processors"].source
    for key in ("dpus", "scale_up_switches", "drives"):
        assert math.isnan(lines[key].mean_w)
        assert lines[key].basis == "not distinguished"


def test_cpus_that_no_row_has_a_power_of_stay_in_the_remainder() -> None:
    lines = {part.key: part for part in answered(evaluated(supernode__system="amd_mi355x_8way")).parts}
    assert math.isnan(lines["processors"].mean_w)
    assert "AMD EPYC 9005 Turin" in lines["processors"].source
    assert lines["other"].mean_w > 0


def test_the_flagship_draws_what_it_drew_and_says_how_its_nodes_are_loaded() -> None:
    answer = answered(evaluate_example(FLAGSHIP, ready_catalog()))
    assert answer.totals.mean_w == pytest.approx(16.91e6, rel=5e-3)
    assert answer.node.power_utilisation == pytest.approx(0.70, abs=0.005)
    assert 0.68 < answer.node.busy_share < 0.75
    assert math.isnan(answer.node.power_cap)


@pytest.mark.slow
def test_a_job_that_waits_for_most_of_its_step_draws_less() -> None:
    few = {"workload__global_batch_sequences": 128, "pod__supernodes": 128}
    parallelism = {"tp": 8, "pp": 16, "micro_batch": 1}
    found = evaluated(**few, parallelism=parallelism)
    answer = answered(found)
    assert answer.node.busy_share < 0.6
    assert answer.node.power_utilisation < 0.66
    stated = answered(evaluated(**few, parallelism=parallelism, facility__load_profile="large_batch"))
    assert stated.node.power_utilisation == 0.70


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "utilisation"), [("strong_scaled", 0.5), ("serving", 0.69)])
def test_a_stated_profile_is_taken_as_measured(profile: str, utilisation: float) -> None:
    answer = answered(evaluated(facility__load_profile=profile))
    assert answer.node.mean_w == pytest.approx(utilisation * 10200)


@pytest.mark.slow
def test_caps_are_those_of_evaluations_and_keep_the_layout() -> None:
    free = evaluated()
    by_cap = {point.power_cap: point for point in answered(free).caps}
    assert next(iter(by_cap)) == 1.0
    assert min(by_cap) == 0.3
    for cap in (1.0, 0.8, 0.5):
        alone = evaluated(facility__power_cap=cap).evaluation.sections
        assert by_cap[cap].step_time_s == pytest.approx(alone.performance.step_time_s[0], rel=1e-9)
        assert by_cap[cap].it_power_mean_w == pytest.approx(alone.power.it_power_mean_w[0], rel=1e-9)
        assert by_cap[cap].utility_peak_w == pytest.approx(alone.power.utility_peak_w[0], rel=1e-5)
    assert by_cap[0.8].energy_j_per_token < by_cap[1.0].energy_j_per_token


@pytest.mark.slow
def test_ones_own_cap_is_among_them() -> None:
    answer = answered(evaluated(facility__power_cap=0.77))
    assert 0.77 in [point.power_cap for point in answer.caps]
    assert answer.node.power_cap == 0.77


@pytest.mark.slow
def test_every_kind_of_a_mixed_pod_is_capped() -> None:
    mixed = {"pod__also": [{"supernode": {"system": "dgx_h200"}, "supernodes": 64}], "pod__supernodes": 64}
    free, capped = (evaluated(**mixed, **changes) for changes in ({}, {"facility__power_cap": 0.8}))
    times = [one.evaluation.sections.performance.step_time_by_kind_s for one in (free, capped)]
    assert all(slow[0] > quick[0] for quick, slow in zip(*times, strict=True))
    design = [one.evaluation.sections.power.it_power_design_w[0] for one in (free, capped)]
    assert design[0] - design[1] == pytest.approx(0.2 * 700 * 8 * 128, rel=0.05)  # spares beside


@pytest.mark.slow
def test_a_capped_step_explains_itself_by_the_cap() -> None:
    found = evaluated(facility__power_cap=0.8)
    for path in ("performance.step_time_s", "power.it_power_mean_w", "power.it_power_design_w"):
        text = str(found.explain(path))
        assert "facility.power_cap" in text, path


def test_direct_current_saves_at_the_inlet() -> None:
    supplies, converters = (
        evaluated(facility__distribution=words).evaluation.sections.power for words in ("ac_415", "dc_800")
    )
    assert converters.it_power_mean_w[0] / supplies.it_power_mean_w[0] == pytest.approx(0.97, abs=0.01)


@pytest.mark.slow
def test_a_limit_of_the_utility_is_a_problem_with_a_cap_that_works() -> None:
    peak = evaluated().evaluation.sections.power.utility_peak_w[0]
    found = evaluated(facility__utility_limit_w=0.85 * peak)
    (problem,) = answered(found).problems
    assert not found.evaluation.feasible
    assert problem.fix is not None
    assert problem.fix.field == "facility.power_cap"
    mended = evaluated(facility__utility_limit_w=0.85 * peak, facility__power_cap=problem.fix.value)
    assert answered(mended).problems == ()


@pytest.mark.slow
def test_a_stated_ramp_limit() -> None:
    usual, slow = answered(evaluated()), answered(evaluated(), ramp_limit_w_per_s=1e3)
    swing = it_report(slow).swing
    assert swing.ramp_limit_w_per_s == 1e3
    assert swing.smoothing_energy_j == pytest.approx(swing.swing_w**2 / 2e3)
    assert it_report(usual).swing.ramp_limit_w_per_s == pytest.approx(0.01 * swing.peak_w)
    with pytest.raises(ScenarioError, match="ramp_limit_w_per_s"):
        answered(evaluated(), ramp_limit_w_per_s=0)


def test_an_unpublished_rating_is_null_throughout() -> None:
    report = report_json(it_report(answered(evaluated(supernode__system="tpu_v5p_pod", pod__supernodes=1))))
    assert report["totals"]["mean_w"] is None
    assert report["swing"]["smoothing_energy_j"] is None
    assert report["caps"][0]["energy_j_per_token"] is None
