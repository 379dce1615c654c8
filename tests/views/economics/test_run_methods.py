"""A scenario's run by every method: each is what its words say, and unknown stays unknown."""

from __future__ import annotations

import functools
import json
import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.views.economics.run_methods.answer import RunMethodsOptions, run_methods_answer
from app.views.economics.run_methods.report import RunMethod, RunMethods, run_methods_text
from app.views.plain import report_json
from tests.scenarios.support import document

SERVED = {"tokens_per_s": 20_000.0, "accelerators": 8}


@functools.cache
def evaluated(**changes: Any) -> EvaluatedScenario:
    laid_out = {"parallelism__tp": 8, "parallelism__pp": 1, "parallelism__zero_stage": 1}
    return evaluate_scenario(document(**laid_out, **changes), ready_catalog())


def answered(scenario: EvaluatedScenario, **options: Any) -> RunMethods:
    return run_methods_answer(scenario, ready_catalog(), RunMethodsOptions.model_validate(options))


def method(report: RunMethods, key: str) -> RunMethod:
    return next(one for one in report.methods if one.key == key)


def test_the_level_cost_and_rents_are_those_of_the_evaluation() -> None:
    scenario = evaluated()
    cost, report = scenario.evaluation.sections.cost, answered(scenario)
    assert method(report, "levelised").usd == pytest.approx(float(cost.usd_per_run[0]))
    assert method(report, "on_demand").usd == pytest.approx(float(cost.usd_per_run_rented_on_demand[0]))
    assert method(report, "acquisition_with_facility").usd == pytest.approx(float(cost.capex_usd[0]))
    assert method(report, "acquisition").usd < method(report, "acquisition_with_facility").usd
    assert report.run_accelerator_hours == pytest.approx(
        report.accelerators
        * report.elapsed_time_h
        * scenario.evaluation.sections.power.facility_availability[0]
    )


@pytest.mark.slow
def test_a_pod_of_two_kinds_is_rented_at_the_mean_of_their_rents() -> None:
    """One of four SuperNodes of the first kind: a quarter of its rent, and three of the other's."""
    first, other = "dgx_h100", "dgx_b200"
    pods = {key: evaluated(supernode__system=key) for key in (first, other)}
    also = ({"supernode": {"system": other}, "supernodes": 12},)
    mixed = evaluate_scenario(
        document(
            parallelism__tp=8,
            parallelism__pp=1,
            parallelism__zero_stage=1,
            supernode__system=first,
            pod__supernodes=4,
            pod__also=also,
        ),
        ready_catalog(),
    )
    report, apart = answered(mixed), {key: answered(pod) for key, pod in pods.items()}
    cost = mixed.evaluation.sections.cost
    assert method(report, "on_demand").usd == pytest.approx(float(cost.usd_per_run_rented_on_demand[0]))
    assert method(report, "reserved").usd == pytest.approx(
        float(cost.usd_per_run_rented_reserved[0]), nan_ok=True
    )
    for key in ("on_demand", "reserved", "spot", "capacity_block"):
        mine, theirs = (method(apart[kind], key).usd_per_accelerator_hour for kind in (first, other))
        assert mine is not None
        assert theirs is not None
        mean = (mine + 3 * theirs) / 4
        assert method(report, key).usd_per_accelerator_hour == pytest.approx(mean, nan_ok=True)
    assert (
        method(report, "spot").usd_per_accelerator_hour
        != method(apart[first], "spot").usd_per_accelerator_hour
    )


def test_hardware_that_is_older_is_worth_less() -> None:
    """After one year 10^-0.14 of its price; electricity does not age."""
    new, old = (method(answered(evaluated(), hardware_age_years=age), "amortised") for age in (0.0, 1.0))
    later = method(answered(evaluated(), hardware_age_years=2.0), "amortised")
    assert old.usd < new.usd
    assert (old.usd - later.usd) / (new.usd - old.usd) == pytest.approx(10**-0.14)


def test_research_multiplies_the_run_and_not_the_cluster() -> None:
    report = answered(evaluated(economics__research_multiplier=3.0))
    for one in report.methods:
        if one.kind == "bought":
            assert one.usd_with_research is None
        elif not math.isnan(one.usd):
            assert one.usd_with_research == pytest.approx(3 * one.usd)
    plain = answered(evaluated())
    assert method(plain, "levelised").usd == pytest.approx(method(report, "levelised").usd)


def test_tokens_at_the_given_rate() -> None:
    """1e6 x 3.99 USD x 8 / (3,600 x 20,000) = 0.4433 USD; half the rate, twice the price."""
    scenario = evaluated(economics__rental_on_demand_usd_per_accelerator_hour=3.99)
    serving = answered(scenario, **SERVED).serving
    assert serving is not None
    on_demand = next(one for one in serving.prices if one.key == "on_demand")
    assert on_demand.usd_per_million_tokens == pytest.approx(1e6 * 3.99 * 8 / (3600 * 20_000))
    slower = answered(scenario, **{**SERVED, "tokens_per_s": 10_000.0}).serving
    assert slower is not None
    assert slower.prices[0].usd_per_million_tokens == pytest.approx(
        2 * serving.prices[0].usd_per_million_tokens
    )
    assert slower.joules_per_token == pytest.approx(2 * serving.joules_per_token)
    assert answered(scenario).serving is None
    one = answered(scenario, tokens_per_s=20_000.0).serving
    assert one is not None
    assert one.accelerators == 8  # a SuperNode


def test_unknown_is_null_and_said() -> None:
    scenario = evaluated(supernode__system="aws_trn1_32xlarge")
    report = answered(scenario, **SERVED)
    assert math.isnan(method(report, "amortised").usd)
    found = json.loads(json.dumps(report_json(report), allow_nan=False))
    assert next(one for one in found["methods"] if one["key"] == "amortised")["usd"] is None
    assert "unknown" in run_methods_text(report)


def test_text_names_the_method_beside_every_figure() -> None:
    report = answered(evaluated(), **SERVED)
    text = run_methods_text(report)
    for one in report.methods:
        assert f"{one.title}: {one.said}" in text
    assert "per 1 M tokens" in text
    assert "as given" in text


def test_a_pod_that_serves_has_no_run_but_a_rate_of_its_own() -> None:
    values = example("deepseek_r1_on_8_h200").read().as_dict()
    del values["workload"]["demand"]  # which would say how many tokens are paid for
    scenario = evaluate_scenario(build_scenario(values), ready_catalog())
    sections, report = scenario.evaluation.sections, answered(scenario)
    assert report.methods == ()
    assert report.serving is not None
    assert report.serving.computed
    assert report.serving.tokens_per_s == pytest.approx(float(sections.performance.tokens_per_s[0]))
    owned = next(one for one in report.serving.prices if one.key == "levelised")
    assert owned.usd_per_million_tokens == pytest.approx(float(sections.cost.usd_per_million_tokens[0]))
    assert report.serving.joules_per_token == pytest.approx(
        float(sections.power.energy_j_per_token[0]), rel=0.01
    )
    given = answered(scenario, **SERVED).serving
    assert given is not None
    assert (given.computed, given.tokens_per_s, given.accelerators) == (False, 20_000, 8)
    assert report_json(report)["run_accelerator_hours"] is None
    text = run_methods_text(report)
    assert "as computed" in text
    assert "accelerator-hours" not in text
