"""An energy what-if: the waterfall closes, states are evaluations of changed scenarios, and the verdict is honest."""

from __future__ import annotations

import functools
import json
import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document
from app.views.facility.savings.answer import savings_answer
from app.views.facility.savings.document import STEPS, SavingsOptions
from app.views.facility.savings.report import Assumed, SavingsReport, savings_text, values_of
from app.views.facility.savings.states import variant
from app.views.plain import report_json
from tests.scenarios.support import document

LAYOUT = {"tp": 8, "pp": 1, "zero_stage": 1}
BATCH = 1152  # of which nine replicas of an NVL72 have alike
SUMMED = ("energy_kwh", "grid_kwh", "water_m3", "carbon_kg")


@functools.cache
def evaluated(system: str = "gb200_nvl72", site: str = "ashburn") -> EvaluatedScenario:
    """A layout is stated, so that no state searches for one."""
    asked = document(
        supernode__system=system,
        facility__site=site,
        parallelism=LAYOUT,
        workload__global_batch_sequences=BATCH,
    )
    return evaluate_scenario(asked, ready_catalog())


def saved(scenario: EvaluatedScenario | None = None, **options: Any) -> SavingsReport:
    asked = build_document(SavingsOptions, options)
    return savings_answer(scenario or evaluated(), ready_catalog(), asked)


@functools.cache
def whole() -> SavingsReport:
    return saved(clean_price_usd_per_kwh=0.05)


def fault_of(**options: Any) -> tuple[str, str]:
    with pytest.raises(ScenarioError) as caught:
        build_document(SavingsOptions, options)
    (found,) = caught.value.errors
    return found.path, f"{found.message} {found.hint}"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SUMMED, "utilities_usd"])
def test_steps_sum_to_the_difference_of_both_ends(name):
    report = whole()
    steps = math.fsum(getattr(step, name) for step in report.steps)
    ends = getattr(report.baseline, name) - getattr(report.final, name)
    assert steps == pytest.approx(ends, rel=1e-9, abs=1e-9 * getattr(report.baseline, name))


@pytest.mark.slow
def test_the_order_of_steps_moves_savings_between_them_and_leaves_both_ends():
    turned = saved(steps=STEPS[::-1], clean_price_usd_per_kwh=0.05)
    for name in SUMMED:
        assert getattr(turned.final, name) == pytest.approx(getattr(whole().final, name), rel=1e-12)
    by_step = {step.step: step.energy_kwh for step in turned.steps}
    assert by_step["liquid_cooling"] != pytest.approx(whole().steps[1].energy_kwh, rel=1e-3)
    assert by_step["renewables"] == 0


def test_a_state_is_the_evaluation_of_its_scenario():
    """What the what-if says of a state is what anybody gets who writes that scenario down."""
    scenario, catalog = evaluated(), ready_catalog()
    options = SavingsOptions(steps=("liquid_cooling", "power_cap"))
    values = values_of(scenario, Assumed(catalog), options)
    alone = evaluate_scenario(variant(scenario, options.steps, values, catalog), catalog)
    after = savings_answer(scenario, catalog, options).final
    assert after.energy_kwh == pytest.approx(alone.evaluation.sections.carbon.run_energy_kwh[0], rel=1e-12)
    assert after.pue == pytest.approx(alone.evaluation.sections.cooling.pue[0], rel=1e-12)
    assert alone.document.facility.power_cap == 0.8


def test_the_baseline_is_cooled_by_cold_water_and_more_fans():
    scenario, catalog = evaluated(), ready_catalog()
    values = values_of(scenario, Assumed(catalog), SavingsOptions())
    base = variant(scenario, (), values, catalog)
    override = base.supernode.override
    assert override is not None
    rated = scenario.resolved.design.supernode.max_power_w[0]
    # 0.12 of fans in place of 0.12 - 0.87 x 0.09: the same work in a server of a higher rating
    assert override.max_power_w == pytest.approx(rated * (1 - 0.0417) / (1 - 0.12))
    assert (override.liquid_share, override.cooling, base.facility.cooling) == (0, "air", "air")
    assert base.assumptions["facility.chilled_water_supply_c"] == 6.7
    whole_again = variant(scenario, ("liquid_cooling", "warmer_chilled_water"), values, catalog)
    assert whole_again.supernode == scenario.document.supernode


def test_an_air_cooled_server_gets_cold_plates():
    report = saved(evaluated("dgx_h100"), steps=["warmer_chilled_water", "liquid_cooling"])
    air, liquid = report.steps
    assert report.as_stated.plant == air.after.plant == "air"
    assert air.after.energy_kwh == pytest.approx(report.as_stated.energy_kwh, rel=1e-6)
    assert liquid.after.plant == "direct_liquid_tower"
    assert liquid.energy_kwh > 0
    assert liquid.water_m3 < 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"steps": ["warmer_coolant"]}, "changes nothing without liquid cooling"),
        ({"steps": ["liquid_cooling", "warmer_coolant"], "cold_coolant_supply_c": 44}, "state a warmer one"),
        ({"steps": []}, "could not be built as designed: A rack gives"),
        ({"steps": ["renewables"]}, "has no price here"),
    ],
)
def test_what_does_not_add_up_is_said(options, words):
    assert any(words in note for note in saved(**options).notes)


def test_a_power_cap_is_paid_for_in_time():
    (step,) = saved(steps=["power_cap"], power_cap=0.7).steps
    assert step.slower > 0
    tokens = evaluated().document.workload.tokens
    assert step.after.energy_j_per_token == pytest.approx(step.after.energy_kwh * 3.6e6 / tokens)


def test_scheduling_waits_for_hours_that_there_are():
    scenario = evaluated()
    (step,) = saved(scenario, steps=["demand_aware"]).steps
    assert 0 < step.energy_share < 0.02
    (more,) = saved(scenario, steps=["demand_aware"], flexible_share=1, window_h=8760).steps
    assert more.energy_kwh > step.energy_kwh
    busy = evaluate_scenario(
        document(
            supernode__system="gb200_nvl72",
            parallelism=LAYOUT,
            workload__global_batch_sequences=BATCH,
            economics__utilisation=1.0,
        ),
        ready_catalog(),
    )
    full = saved(busy, steps=["demand_aware"])
    assert full.steps[0].energy_kwh == pytest.approx(0, abs=1e-6)
    assert any("no hour to move" in note for note in full.notes)


def test_following_clean_energy_matches_more_of_it():
    plain = saved(steps=["demand_aware", "renewables"], flexible_share=0.5)
    clean = saved(steps=["demand_aware", "renewables"], flexible_share=0.5, follow="clean")
    assert plain.matching is not None
    assert clean.matching is not None
    assert clean.matching.matched_share > plain.matching.matched_share


def test_renewables_displace_and_do_not_save():
    report = saved(steps=["renewables"])
    (step,) = report.steps
    assert step.energy_kwh == 0
    assert step.displaced_kwh == step.grid_kwh > 0
    assert report.final.carbon_location_kg == report.baseline.carbon_location_kg
    assert math.isnan(step.utilities_usd)  # nobody said what clean energy costs
    found = report.matching
    assert found is not None
    assert found.generated_share == pytest.approx(1)
    assert found.direct_share + found.discharged_share + found.grid_share == pytest.approx(1)
    spent = found.direct_share + found.charged_share + found.curtailed_share
    assert spent == pytest.approx(found.generated_share)
    assert found.matched_share < found.annual_claim_share == pytest.approx(1)
    for week in found.weeks:
        assert len(week.load_w) == 168
        assert min(week.stored_wh) >= 0
        assert max(week.stored_wh) <= found.battery_wh * (1 + 1e-12)


def test_plenty_and_a_large_battery_match_everything():
    found = saved(
        steps=["renewables"], solar_over_load=5, wind_over_load=5, battery_h=1000, battery_power_over_load=2
    ).matching
    assert found is not None
    assert found.matched_share == pytest.approx(1)


def test_capacity_factors_say_how_large_a_plant_is_and_not_when_it_runs():
    found = saved(steps=["renewables"], wind_capacity_factor=0.4).matching
    weather = saved(steps=["renewables"]).matching
    assert found is not None
    assert weather is not None
    assert found.matched_share == weather.matched_share
    wind = found.plants[1]
    assert wind.rated_w * 0.4 == pytest.approx(wind.generated_over_load * found.load_mean_w)


def test_the_verdict_keeps_energy_and_grid_apart():
    verdict = whole().verdict
    assert verdict.reached_by == "grid"
    assert verdict.energy_share < verdict.claimed_share == 0.5 < verdict.grid_share
    assert verdict.sentences[0].startswith("Not reached by using less energy")
    base, final = whole().baseline, whole().final
    assert (
        f"1 − {final.energy_j_per_token:,.4g} / {base.energy_j_per_token:,.4g} J per token"
        in verdict.sentences[1]
    )
    assert verdict.energy_share == pytest.approx(1 - final.energy_j_per_token / base.energy_j_per_token)


def test_plant_and_power_train_stay_below_the_ceiling():
    """Facility overhead alone never saves half: with every such step, less than 1 - 1 / TUE is saved."""
    steps = [step for step in STEPS if step not in ("power_cap", "demand_aware", "renewables")]
    verdict = saved(steps=steps).verdict
    assert verdict.reached_by == "neither"
    assert verdict.energy_share < verdict.ceiling_with_fans_share < 0.5
    assert verdict.overhead_ceiling_share == pytest.approx(1 - 1 / whole().baseline.pue)


@pytest.mark.slow
def test_a_hotter_site_has_more_to_save():
    singapore = saved(evaluated(site="singapore"), steps=["warmer_chilled_water", "liquid_cooling"])
    stockholm = saved(evaluated(site="stockholm"), steps=["warmer_chilled_water", "liquid_cooling"])
    assert singapore.baseline.pue > stockholm.baseline.pue


def test_no_step_at_all_is_the_baseline():
    report = saved(steps=[])
    assert report.steps == ()
    assert report.final == report.baseline
    assert report.verdict.energy_share == 0


@pytest.mark.slow
def test_unknown_power_stays_unknown():
    """No one publishes the rating of a server of one's own."""
    asked = document(
        supernode={"custom": {"name": "Own", "accelerator": "nvidia_h100_sxm", "accelerators": 8}},
        parallelism=LAYOUT,
        workload__global_batch_sequences=BATCH,
    )
    report = saved(evaluate_scenario(asked, ready_catalog()))
    assert report.verdict.reached_by == "unknown"
    assert math.isnan(report.final.energy_kwh)
    told = report_json(report)
    assert told["final"]["energy_kwh"] is None
    json.dumps(told, allow_nan=False)
    assert "unknown" in savings_text(report)


@pytest.mark.slow
def test_further_kinds_of_supernode_are_cooled_alike():
    asked = document(
        supernode__system="dgx_h100",
        pod={"supernodes": 2, "also": [{"supernode": {"system": "dgx_h200"}, "supernodes": 2}]},
        parallelism=LAYOUT,
        workload__global_batch_sequences=BATCH,
    )
    scenario, catalog = evaluate_scenario(asked, ready_catalog()), ready_catalog()
    values = values_of(scenario, Assumed(catalog), SavingsOptions())
    found = variant(scenario, ("liquid_cooling",), values, catalog)
    overrides = [found.supernode.override, found.pod.also[0].supernode.override]
    assert [one.liquid_share for one in overrides if one] == [0.87, 0.87]
    report = saved(scenario, steps=["liquid_cooling"])
    assert report.steps[0].energy_kwh > 0


def test_every_value_has_a_source():
    assert all(used.source and used.description for used in whole().assumptions)
    assert "Order matters" in whole().notes[0]


@pytest.mark.parametrize(
    ("options", "field", "words"),
    [
        ({"steps": ["liquid"]}, "steps[0]", "liquid_cooling"),
        ({"steps": ["dc_800", "dc_800"]}, "steps", "twice"),
        ({"flexible_share": 1.2}, "flexible_share", "at most 1"),
        ({"battery_h": -4}, "battery_h", "at least 0"),
        ({"solar_over_load": -0.1}, "solar_over_load", "at least 0"),
        ({"round_trip_efficiency": 0}, "round_trip_efficiency", "above 0"),
        ({"window_h": 1.5}, "window_h", "whole number"),
        ({"steps": ["demand_aware"], "follow": "clean"}, "follow", "Add the step renewables"),
        ({"batery_h": 4}, "batery_h", "battery_h"),
    ],
)
def test_bad_input_is_named_with_a_way_out(options, field, words):
    path, text = fault_of(**options)
    assert path == field
    assert words in text
