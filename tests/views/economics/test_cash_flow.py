"""The cash flow of a scenario: the terms of the document reach the table, and words say what it is."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.cash_flow import CashFlowAnswer, cash_flow_answer
from app.views.plain import report_json
from tests.scenarios.support import fault, faults, scenario

FAST = {"tp": 8, "pp": 1, "zero_stage": 1}


def answer(*, today: date = date(2026, 11, 22), system: str = "dgx_h100", **economics: Any) -> CashFlowAnswer:
    laid_out = scenario(parallelism=FAST, supernode={"system": system}, economics=economics)
    return cash_flow_answer(evaluate_scenario(build_scenario(laid_out), ready_catalog()), today=today)


def test_rent_is_avoided_unless_a_price_is_stated() -> None:
    avoided, sold = answer(), answer(finance={"price_usd_per_accelerator_hour": 5})
    assert not avoided.terms.price_is_stated
    assert "survey" in avoided.terms.price_source
    assert avoided.verdict.startswith("Against renting on demand at ")
    assert sold.terms.price_usd_per_accelerator_hour == 5
    assert sold.verdict.startswith("At 5.00 USD per utilised hour")
    first = sold.years[1]
    assert first.revenue_usd == pytest.approx(first.used_hours * 5 * (1 + sold.terms.inflation))


def test_a_rent_of_the_scenario_is_said_to_be_stated() -> None:
    found = answer(rental_on_demand_usd_per_accelerator_hour=4)
    assert not found.terms.price_is_stated
    assert found.terms.price_source == "stated in the scenario"


def test_totals_are_sums_and_parts_make_wholes() -> None:
    found = answer(life_years=4.5, finance={"debt_share": 0.5, "depreciation": "macrs"})
    for name in ("revenue_usd", "purchase_usd", "tax_usd", "flow_usd", "interest_usd", "equity_flow_usd"):
        whole = math.fsum(getattr(year, name) for year in found.years)
        assert getattr(found.totals, name) == pytest.approx(whole), name
    for year in found.years:
        assert math.fsum(year.operating_usd.values()) == pytest.approx(year.operating_total_usd)
    assert math.fsum(found.purchase_usd.values()) == pytest.approx(found.totals.purchase_usd)
    assert math.fsum(found.sales_usd.values()) == pytest.approx(found.totals.sales_usd)
    assert found.totals.borrowed_usd == pytest.approx(0.5 * found.totals.purchase_usd)
    assert any("ends within its last year" in note for note in found.notes)


def test_the_hour_of_the_build_up_in_real_money() -> None:
    found = answer(finance={"prices": "real"})
    assert found.measures.levelised_usd_per_used_hour == pytest.approx(
        found.measures.usd_per_accelerator_hour
    )
    assert found.basis[0].startswith("Real: ")
    dearer = answer().measures
    assert dearer.levelised_usd_per_used_hour < dearer.usd_per_accelerator_hour


def test_before_tax_is_said() -> None:
    found = answer(finance={"tax_rate": 0})
    assert found.basis[1].startswith("Before tax: the rate of tax is 0.")
    assert found.totals.tax_usd == 0
    assert found.measures.npv_usd == found.measures.npv_before_tax_usd


def test_a_loss_is_said_as_one() -> None:
    found = answer(finance={"price_usd_per_accelerator_hour": 1.2})
    assert found.measures.npv_usd < 0
    assert "that is a loss of" in found.verdict
    hopeless = {
        "building": "colocation",
        "residual_value": 0,
        "finance": {"price_usd_per_accelerator_hour": 0.01},
    }
    assert answer(**hopeless).verdict.endswith("it has no single rate of return.")


def test_an_unknown_rent_leaves_the_cost() -> None:
    found = answer(system="hgx_h20")
    assert found.verdict.startswith("The revenue per utilised hour is unknown")
    assert math.isnan(found.measures.npv_usd)
    assert found.measures.pays_back is None
    assert found.measures.levelised_usd_per_used_hour > 0
    plain = report_json(found)
    assert plain["measures"]["irr"] is None
    assert plain["years"][1]["operating_total_usd"] > 0


@pytest.mark.slow
def test_a_pod_of_two_kinds_earns_the_mean_of_their_rents() -> None:
    alone = [
        answer(system=system).terms.price_usd_per_accelerator_hour for system in ("dgx_h100", "dgx_h200")
    ]
    also = [{"supernode": {"system": "dgx_h200"}, "supernodes": 1}]
    laid_out = scenario(parallelism=FAST, pod={"supernodes": 3, "also": also})
    found = cash_flow_answer(evaluate_scenario(build_scenario(laid_out), ready_catalog()))
    mean = (3 * alone[0] + alone[1]) / 4
    assert found.terms.price_usd_per_accelerator_hour == pytest.approx(mean)
    assert found.years[1].revenue_usd == pytest.approx(found.years[1].used_hours * mean * 1.025)


def test_another_currency_at_its_dated_rate() -> None:
    euro = {"code": "EUR", "per_usd": 0.92, "as_of": "2026-10-01"}
    found = answer(finance={"currency": euro})
    assert found.currency is not None
    assert found.currency.npv == pytest.approx(0.92 * found.measures.npv_usd)
    assert not found.currency.is_old
    assert "2026-10-01" in found.currency.note
    later = answer(finance={"currency": euro}, today=date(2027, 4, 1)).currency
    assert later is not None
    assert later.is_old
    assert "182 days old" in later.note


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("economics__life_years", 0),
        ("economics__finance__tax_rate", 1.2),
        ("economics__finance__debt_years", 0),
        ("economics__finance__debt_share", -0.1),
        ("economics__finance__price_usd_per_accelerator_hour", 0),
        ("economics__finance__depreciation", "sum_of_digits"),
    ],
)
def test_terms_that_cannot_be_are_named(field: str, value: Any) -> None:
    found = fault(**{field: value})
    assert found.path == field.replace("__", ".")
    assert found.value == value
    assert found.message


def test_half_a_currency_is_refused() -> None:
    found = {
        one.path for one in faults(scenario(economics__finance__currency={"code": "euro", "per_usd": 0.9}))
    }
    assert found == {"economics.finance.currency.code", "economics.finance.currency.as_of"}
