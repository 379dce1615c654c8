"""Carbon of a run in detail: what adds up, what multiplies, what is left out, and what is stated alongside it."""

from __future__ import annotations

import functools
import math

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_document, build_scenario
from app.views.economics.carbon.answer import carbon_answer
from app.views.economics.carbon.report import CarbonOptions, CarbonReport
from app.views.plain import report_json
from tests.support import without_estimates

LLAMA = "llama_3_1_405b_on_2048_dgx_h100"
NO_SITES = {"sites": False}


@functools.cache
def llama() -> EvaluatedScenario:
    return evaluate_example(LLAMA, ready_catalog())


def answer(scenario: EvaluatedScenario | None = None, **options: object) -> CarbonReport:
    asked = build_document(CarbonOptions, NO_SITES | options)
    return carbon_answer(scenario or llama(), ready_catalog(), asked)


def with_clean_share(share: float) -> EvaluatedScenario:
    values = example(LLAMA).read().as_dict()
    values["facility"]["clean_energy_share"] = share
    return evaluate_scenario(build_scenario(values), ready_catalog())


def at_our_hall(**stated: float) -> EvaluatedScenario:
    values = example(LLAMA).read().as_dict()
    values["facility"]["site"] = {"name": "Our hall", "climate": "dublin"} | stated
    return evaluate_scenario(build_scenario(values), ready_catalog())


def test_an_intensity_of_the_scenario_is_said_to_be_stated() -> None:
    stated = answer(at_our_hall(carbon_intensity_kg_per_kwh=0.3)).parts
    assert {part.source for part in stated if part.kind == "operational"} == {"stated in the scenario"}
    unknown = answer(at_our_hall()).parts
    assert {part.source for part in unknown if part.kind == "operational"} == {""}


def test_boundaries_are_the_evaluations_own() -> None:
    carbon, found = llama().evaluation.sections.carbon, answer()
    kg = {boundary.key: boundary.kg_per_run for boundary in found.boundaries}
    assert kg["accelerators"] == carbon.operational_tdp_only_kg[0]
    assert kg["meter"] == carbon.operational_kg[0]
    assert kg["with_embodied"] == pytest.approx(carbon.total_kg[0])
    assert kg["with_idle"] == pytest.approx(carbon.total_kg[0] + carbon.idle_kg[0])
    assert math.prod(factor.factor for factor in found.factors) == pytest.approx(found.ratio)
    added = sum(factor.added_kg for factor in found.factors)
    assert kg["accelerators"] + added == pytest.approx(kg["meter"])


def test_llama_by_the_boundary_of_its_model_card() -> None:
    """8,930 t at 0.414 kg/kWh for 30.84 million hours of 700 W: by our hours, at that grid, within 15 %."""
    found = answer()
    at_their_grid = found.boundaries[0].kg_per_run / found.grid.intensity_kg_per_kwh * 0.414
    assert at_their_grid == pytest.approx(8930e3, rel=0.15)


def test_parts_add_up() -> None:
    found = answer()
    assert sum(part.kg_per_run for part in found.parts) == pytest.approx(found.boundaries[2].kg_per_run)
    assert sum(part.share for part in found.parts) == pytest.approx(1)
    by_year = found.boundaries[1].kg_per_year / found.runs_per_year
    assert by_year == pytest.approx(found.boundaries[1].kg_per_run)
    assert found.boundaries[1].kg_per_million_tokens == pytest.approx(
        found.boundaries[1].kg_per_run / 15.6e6, rel=1e-6
    )


def test_what_is_stated_beside_it_is_counted_and_no_longer_left_out() -> None:
    plain, found = answer(), answer(building_embodied_kg=20e6, network_embodied_kg=1e6)
    assert len(plain.left_out) == 3
    assert len(found.left_out) == 1
    parts = {part.key: part for part in found.parts}
    # the shell lives 35 years, the network 6
    building, network = parts["embodied_building"].kg_per_run, parts["embodied_network"].kg_per_run
    assert building / 20e6 == pytest.approx(network / 1e6 * 6 / 35)
    more = found.boundaries[2].kg_per_run - plain.boundaries[2].kg_per_run
    assert more == pytest.approx(building + network)


def test_a_flat_profile_is_the_mean_and_nights_weigh_by_their_load() -> None:
    flat = answer(intensity_by_hour=[0.4] * 24).hourly
    assert flat is not None
    assert flat.over_flat == pytest.approx(0)
    # plants work harder by day, so a grid that is dirty by day comes to more
    by_day = answer(intensity_by_hour=[0.1] * 9 + [0.7] * 9 + [0.1] * 6).hourly
    assert by_day is not None
    assert 0 < by_day.over_flat < 0.05


def test_an_annual_claim_covers_less_hour_by_hour() -> None:
    assert answer().clean is None
    clean = answer(with_clean_share(0.8)).clean
    assert clean is not None
    operational = llama().evaluation.sections.carbon.operational_kg[0]
    assert clean.market_kg == pytest.approx(0.2 * operational)
    for matched in clean.matched:
        assert 0.2 < matched.matched_share < 0.8
        assert matched.kg_per_run == pytest.approx((1 - matched.matched_share) * operational)
    assert max(clean.matched, key=lambda one: one.matched_share).plants == "half solar, half wind"


@pytest.mark.slow
def test_the_same_run_at_other_sites() -> None:
    sites = carbon_answer(llama(), ready_catalog()).sites
    (here,) = (site for site in sites if site.here)
    assert here.total_kg == pytest.approx(answer().boundaries[2].kg_per_run)
    ranked = [site for site in sites if site.place is not None]
    assert [site.place for site in ranked] == sorted(site.place or 0 for site in ranked)
    assert ranked[0].operational_kg < here.operational_kg / 10


def test_unknown_power_stays_unknown() -> None:
    found = answer(evaluate_scenario(without_estimates("dense_128b_on_tpu_v5p"), ready_catalog()))
    sent = report_json(found)
    assert sent["boundaries"][1]["kg_per_run"] is None
    assert sent["parts"][-1]["kg_per_run"] > 0  # what making the hosts emits is known all the same


def test_a_profile_of_another_length_is_refused() -> None:
    with pytest.raises(ScenarioError, match="neither 24 nor 288"):
        answer(intensity_by_hour=[0.4] * 25)
