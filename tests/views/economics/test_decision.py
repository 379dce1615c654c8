"""The decision: where it says that owning and renting meet they do meet, and what no one knows is asked for."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.economics.decision import Decision, DecisionOptions, decision_answer
from app.views.economics.decision.report import HELD
from app.views.economics.own_or_rent import OwnOrRent, own_or_rent_answer
from tests.scenarios.support import scenario
from tests.support import read_example, without_estimates

pytestmark = pytest.mark.slow

ON_DEMAND = "rental_on_demand_usd_per_accelerator_hour"
RENTED_ALONE = {  # so that on demand is the only price
    "pod__supernodes": 8,
    "supernode__system": "hgx_h800",
    "supernode__override": {"price_usd": 330e3},
}


@functools.cache
def _evaluated(changes: tuple[tuple[str, Any], ...]) -> EvaluatedScenario:
    values = scenario(**dict(changes), **RENTED_ALONE)
    return evaluate_scenario(build_scenario(values), ready_catalog())


def evaluated(**economics: Any) -> EvaluatedScenario:
    given = {"economics__" + name: value for name, value in {ON_DEMAND: 4.0, **economics}.items()}
    return _evaluated(tuple(sorted(given.items())))


def decided(own: EvaluatedScenario, **asked: Any) -> Decision:
    return decision_answer(own, ready_catalog(), build_document(DecisionOptions, asked))


def own_or_rent(own: EvaluatedScenario) -> OwnOrRent:
    return own_or_rent_answer(own, ready_catalog())


def gap(report: OwnOrRent) -> float:
    """Owning less renting on demand, over renting."""
    (term,) = (term for term in report.terms if term.term == "on_demand")
    return (report.own.total_usd - term.total_usd) / term.total_usd


def flip(found: Decision, by: str) -> float:
    (one,) = (one for one in found.summing_up.flips if one.by == by)
    return one.at


def test_at_the_utilisation_that_turns_it_both_cost_the_same() -> None:
    at = flip(decided(evaluated()), "utilisation")
    assert 0 < at < 1
    assert gap(own_or_rent(evaluated(utilisation=at))) == pytest.approx(0, abs=1e-6)


def test_at_the_price_that_turns_it_both_cost_the_same() -> None:
    at = flip(decided(evaluated()), "price")
    assert gap(own_or_rent(evaluated(**{ON_DEMAND: at}))) == pytest.approx(0, abs=1e-9)
    assert decided(evaluated(**{ON_DEMAND: 0.5 * at})).summing_up.choice == "on_demand"
    assert decided(evaluated(**{ON_DEMAND: 2 * at})).summing_up.choice in ("own", "mix")


def test_from_the_month_that_turns_it_owning_is_cheaper() -> None:
    price = 1.1 * flip(decided(evaluated()), "price")
    own = evaluated(**{ON_DEMAND: price})
    at = flip(decided(own), "months")
    assert 1 < at <= 60
    before, after = (own_or_rent(_with_months(price, month)) for month in (at - 1, at))
    assert gap(before) > 0 >= gap(after)


def _with_months(price: float, months: float) -> EvaluatedScenario:
    values = scenario(**{f"economics__{ON_DEMAND}": price}, **RENTED_ALONE)
    values["economics"]["renting"] = {"horizon_months": months}
    return evaluate_scenario(build_scenario(values), ready_catalog())


def test_months_of_work_are_the_horizon() -> None:
    found = decided(evaluated(), months_of_work=24)
    assert found.months_of_work == 24
    stated = decided(_with_months(4.0, 24))
    assert found.summing_up.totals == stated.summing_up.totals
    assert decided(evaluated()).months_of_work == 60


def test_the_choice_is_the_cheapest_that_is_allowed() -> None:
    for example in ("llama_3_1_405b_on_2048_dgx_h100", "gpt_3_175b_on_128_dgx_a100"):
        found = decided(evaluate_scenario(read_example(example), ready_catalog()))
        totals = found.summing_up.totals
        assert [total.usd for total in totals] == sorted(total.usd for total in totals)
        assert {total.choice for total in totals if total.allowed} <= {"own", "mix", *HELD}
        assert found.summing_up.choice == next(total.choice for total in totals if total.allowed)


def test_data_that_must_stay_rules_renting_out() -> None:
    cheap = evaluated(**{ON_DEMAND: 0.5})
    free, bound, asked = (
        decided(cheap, data_must_stay=False), decided(cheap, data_must_stay=True), decided(cheap)
    )  # fmt: skip
    assert free.summing_up.choice == "on_demand"
    assert (bound.summing_up.choice, bound.summing_up.answer[:20]) == ("own", "Own: data must stay,")
    assert [total.choice for total in bound.summing_up.totals if total.allowed] == ["own"]
    more = bound.privacy.own_more_than_rent_usd
    report = own_or_rent(cheap)
    assert more == pytest.approx(report.own.total_usd - report.terms[0].total_usd)
    assert more > 0
    assert asked.privacy.data_must_stay is None
    assert "for you to say" in asked.privacy.answer


def test_the_rule_of_seventy_percent_is_marked_by_what_is_computed() -> None:
    own = evaluated()
    needed = flip(decided(own), "utilisation")
    assert decided(own).use.rule_is == ("right" if abs(needed - 0.7) <= 0.05 else "wrong")
    # rent at which the break-even is 70 %: as much as owning costs when used for so much of the time
    at = flip(decided(evaluated(utilisation=0.7)), "price")
    right = decided(evaluated(**{ON_DEMAND: at}, utilisation=0.7)).use
    assert right.rule_is == "right"
    assert "is right for this scenario: the break-even is at 70" in right.said[0]
    wrong = decided(evaluated(**{ON_DEMAND: 2 * at}, utilisation=0.5)).use
    assert (wrong.rule_is, wrong.rule_advises) == ("wrong", "rent")
    assert "the rule says rent, the computation says own" in wrong.said[0]


def test_the_arithmetic_of_the_break_even_is_printed() -> None:
    found = decided(evaluate_scenario(read_example("llama_3_1_405b_on_gb200_nvl72"), ready_catalog()))
    (sum_of_it,) = (words for words in found.use.said if words.startswith("u* ="))
    assert f"= {100 * flip(found, 'utilisation'):.0f} %, the commitment" in sum_of_it.replace("\u202f", " ")


def test_nobody_signs_a_contract_for_less_than_its_term() -> None:
    values = read_example("llama_3_1_405b_on_2048_dgx_h100").as_dict()
    values["economics"]["renting"] = {"horizon_months": 6}
    found = decided(evaluate_scenario(build_scenario(values), ready_catalog()))
    by_choice = {total.choice: total for total in found.summing_up.totals}
    assert not by_choice["contract"].allowed
    assert not by_choice["reserved"].allowed
    assert found.use.term in ("on_demand", "capacity_block")


def test_compute_is_the_engine_s_with_its_interval() -> None:
    own = evaluate_scenario(read_example("llama_3_1_405b_on_2048_dgx_h100"), ready_catalog())
    found = decided(own).compute
    sections = own.evaluation.sections
    assert found.run_accelerator_hours == sections.cost.run_accelerator_hours[0]
    assert found.low < found.run_accelerator_hours < found.high
    bounds = own.intervals.performance.elapsed_time_s
    assert found.high / found.low == pytest.approx(bounds.high / bounds.low)
    rule = 6 * sections.performance.active_parameters[0] * 15.6e12 / (300e12 * 3600)
    assert found.rule_of_thumb_accelerator_hours == pytest.approx(rule)
    assert found.used_accelerator_hours_per_year == pytest.approx(
        found.runs_per_year * found.run_accelerator_hours
    )


def test_a_generic_job_has_no_rule_of_thumb_and_no_interval() -> None:
    own = evaluate_scenario(read_example("seismic_stencil_on_8_gb200_nvl72"), ready_catalog())
    found = decided(own).compute
    assert math.isnan(found.rule_of_thumb_accelerator_hours)
    assert math.isnan(found.low)
    assert found.run_accelerator_hours > 0
    assert not any("rule" in words for words in found.said)


def test_capital_decides_and_electricity_hardly() -> None:
    own = evaluate_scenario(read_example("llama_3_1_405b_on_2048_dgx_h100"), ready_catalog())
    found = decided(own).ownership
    shares = [part.share for part in found.parts]
    assert shares == sorted(shares, reverse=True)
    assert found.parts[0].name == "servers"
    assert sum(shares) < 1
    assert "the bill for power hardly decides" in found.said[0]
    assert found.capital_usd_per_thousand == pytest.approx(found.capital_usd * 1000 / 16384)


def test_unknown_inputs_make_the_answer_unknown_and_are_named() -> None:
    own = evaluate_scenario(read_example("dense_128b_on_tpu_v5p"), ready_catalog())
    found = decided(own)
    assert found.summing_up.choice == "unknown"
    assert found.summing_up.flips == ()
    assert found.use.rule_is == "unknown"
    assert "supernode.custom.price_usd" in {one.field for one in found.missing}
    assert "unknown" in found.ownership.answer


def test_without_any_rental_price_the_fields_that_state_one_are_named() -> None:
    own = evaluate_scenario(build_scenario(scenario(**RENTED_ALONE)), ready_catalog())
    found = decided(own)
    assert found.summing_up.choice == "unknown"
    assert f"economics.{ON_DEMAND}" in {one.field for one in found.missing}
    assert decided(own, data_must_stay=True).summing_up.choice == "own"


def test_of_an_unknown_price_path_the_path_is_named_and_no_price() -> None:
    values = scenario(**{f"economics__{ON_DEMAND}": 4.0}, **RENTED_ALONE)
    values["economics"]["renting"] = {"price_path": "history"}
    found = decided(evaluate_scenario(build_scenario(values), ready_catalog()))
    assert found.summing_up.choice == "unknown"
    assert [(one.field, one.label) for one in found.missing] == [
        ("economics.renting.price_path", "Price path: Repeat history")
    ]


def test_without_a_price_only_terms_that_hold_capacity_are_asked_for() -> None:
    own = evaluate_scenario(build_scenario(scenario(**RENTED_ALONE)), ready_catalog())
    held = {term.field for term in own_or_rent(own).terms if term.term in HELD}
    assert {one.field for one in decided(own).missing} == held


def test_a_missing_input_is_called_what_the_studio_calls_it() -> None:
    own = evaluate_scenario(without_estimates("dense_128b_on_tpu_v5p"), ready_catalog())
    told = {
        problem.field: problem
        for problem in own.problems
        if problem.kind == "missing_input" and problem.constraint != "rent_only"  # which is no gap
    }
    named = [one for one in decided(own).missing if one.field in told]
    assert named
    for one in named:
        assert told[one.field].message.startswith(f"{one.label} is not published, so ")


def test_first_months_and_regret() -> None:
    found = decided(evaluated()).start
    assert [paid.months for paid in found.paid] == [3, 6, 12]
    assert found.paid[0].owned_usd > found.paid[0].rented_usd
    rented = [paid.rented_usd for paid in found.paid]
    assert rented == sorted(rented)
    worst = [one.most_usd for one in found.regrets]
    assert worst == sorted(worst)
    assert found.regrets[0].choice == found.least_regretted


def test_what_cannot_be_asked_is_named() -> None:
    for asked, path in (
        ({"months_of_work": 0}, "months_of_work"),
        ({"months_of_work": 601}, "months_of_work"),
        ({"data_must_stay": "maybe"}, "data_must_stay"),
        ({"colour": "red"}, "colour"),
    ):
        with pytest.raises(ScenarioError) as caught:
            build_document(DecisionOptions, asked)
        assert caught.value.errors[0].path == path
