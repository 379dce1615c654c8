"""Figures of the views of economics over HTTP."""

from __future__ import annotations

import math

import pytest

from app.views.economics import room as economics
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import Ask


def test_the_tree_sums_to_the_evaluation(ask: Ask) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics__building="colocation")
    found = ask(economics.COST, {"scenario": laid_out})
    yearly = math.fsum(branch["together"]["usd_per_year"] for branch in found["branches"])
    assert yearly == pytest.approx(found["together"]["usd_per_year"])
    parts = {part["part"]: part for branch in found["branches"] for part in branch["parts"]}
    assert parts["colocation"]["price_usd"] is None
    assert "land" not in parts
    assert [case["is_stated"] for case in found["buildings"]] == [False, True]


def test_years_sum_to_totals(ask: Ask) -> None:
    terms = {"finance": {"debt_share": 0.5, "depreciation": "declining_balance"}}
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics=terms)
    found = ask(economics.CASH_FLOW, {"scenario": laid_out})
    assert [year["year"] for year in found["years"]] == [0, 1, 2, 3, 4, 5]
    flows = math.fsum(year["flow_usd"] for year in found["years"])
    assert flows == pytest.approx(found["totals"]["flow_usd"])
    assert found["years"][0]["debt_service_cover"] is None
    assert found["measures"]["least_debt_service_cover"] > 0
    assert found["currency"] is None


def test_totals_break_even_and_regret(ask: Ask) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1})
    found = ask(economics.OWN_OR_RENT, {"scenario": laid_out, "against": "reserved"})
    assert [term["term"] for term in found["terms"]] == [
        "on_demand",
        "reserved",
        "contract",
        "spot",
        "capacity_block",
    ]
    assert found["heat_map"]["term"] == "reserved"
    assert found["terms"][0]["total_usd"] > 0
    assert min(min(line) for line in found["regret"]["regret_usd"]) == 0


@pytest.mark.slow
def test_five_questions_and_a_summing_up(ask: Ask) -> None:
    body = {"scenario": scenario(), "data_must_stay": True, "months_of_work": 24}
    found = ask(economics.DECISION, body)
    assert found["months_of_work"] == 24
    assert found["summing_up"]["choice"] == "own"
    assert {flip["by"] for flip in found["summing_up"]["flips"]} == {"utilisation", "price", "months"}


@pytest.mark.slow
def test_unknown_is_null_and_named(ask: Ask) -> None:
    body = {"scenario": scenario(supernode__system="hgx_h800")}
    found = ask(economics.DECISION, body)
    assert found["summing_up"]["choice"] == "unknown"
    assert found["ownership"]["break_even_month"] is None
    assert found["missing"]


def test_every_method_and_served_tokens(ask: Ask) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1})
    found = ask(economics.RUNS, {"scenario": laid_out, "tokens_per_s": 20_000, "accelerators": 8})
    assert {one["kind"] for one in found["methods"]} == {"rented", "owned", "bought"}
    assert all(one["said"] for one in found["methods"])
    assert found["serving"]["prices"][0]["usd_per_million_tokens"] > 0


@pytest.mark.slow
def test_a_curve_a_system(ask: Ask) -> None:
    body = {"scenario": scenario(), "systems": ["dgx_b200", "tpu_v5p_pod"], "paid": "on_demand"}
    found = ask(economics.COST_AGAINST_TIME, body)
    assert [curve["key"] for curve in found["curves"]] == [None, "dgx_b200", "tpu_v5p_pod"]
    tpu = found["curves"][2]
    assert {point["usd_per_run"]["owned"] for point in tpu["points"]} == {None}
    assert any("owned" in one["hides"] for one in tpu["unknown"])
    assert ask(economics.COST_AGAINST_TIME, body) == found


LAID_OUT = {"parallelism": {"tp": 8, "pp": 1, "zero_stage": 1}}


def test_boundaries_parts_and_what_is_left_out(ask: Ask) -> None:
    asked = {"scenario": scenario(**LAID_OUT), "building_embodied_kg": 1e5, "sites": False}
    found = ask(economics.CARBON, asked)
    kg = {boundary["key"]: boundary["kg_per_run"] for boundary in found["boundaries"]}
    assert kg["accelerators"] < kg["meter"] < kg["with_embodied"] < kg["with_idle"]
    assert sum(part["kg_per_run"] for part in found["parts"]) == pytest.approx(kg["with_embodied"])
    assert found["clean"] is None
    assert found["hourly"] is None
    assert found["sites"] == []
    assert len(found["left_out"]) == 2


LAID_OUT = {"parallelism": {"tp": 8, "pp": 1, "zero_stage": 1}}


def test_views_add_up(ask: Ask) -> None:
    second = scenario(**LAID_OUT, facility={"site": "paris"}, economics={"wacc": 0.06})
    asked = {"first": scenario(**LAID_OUT), "second": second, "figure": "tco"}
    found = ask(economics.DIFFERENCE, asked)
    assert [line["key"] for line in found["by_cause"]] == ["site", "terms"]
    for view in ("by_cause", "by_category", "by_factor"):
        assert math.fsum(line["amount"] for line in found[view]) == pytest.approx(found["difference"])
