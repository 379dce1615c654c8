"""The pro forma: its formulas give the engine's figures, and give them again when an input is changed."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.cash_flow import CashFlowAnswer, cash_flow_answer
from app.views.economics.cash_flow.files import cash_flow_xlsx
from tests.scenarios.support import scenario
from tests.surfaces.files.spreadsheet import Spreadsheet

TERMS: tuple[dict[str, Any], ...] = (
    {},
    {"finance": {"tax_rate": 0, "prices": "real", "debt_share": 0.5}, "life_years": 4.5},
    {
        "life_years": 7,
        "residual_value": 0.2,
        "finance": {"depreciation": "macrs", "debt_share": 0.6, "debt_years": 9, "bonus_depreciation": 0.3},
    },
    {  # storage and plant are bought again, under the law of another place
        "life_years": 8,
        "network_life_years": 3.5,
        "storage_life_years": 2,
        "jurisdiction": "de",
        "import_duty_share": 0.1,
        "finance": {"depreciation": "tax_life", "inflation": 0.03},
    },
    {
        "building": "colocation",
        "finance": {"depreciation": "declining_balance", "debt_share": 0.3, "debt_rate": 0},
    },
)


def answer(**economics: Any) -> CashFlowAnswer:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics=economics)
    return cash_flow_answer(evaluate_scenario(build_scenario(laid_out), ready_catalog()))


@pytest.mark.slow
@pytest.mark.parametrize("terms", TERMS)
def test_every_formula_gives_what_was_exported(terms: dict[str, Any]) -> None:
    book = Spreadsheet(cash_flow_xlsx(answer(**terms)))
    formulas = book.formulas()
    assert len(formulas) > 400
    for sheet, address in formulas:
        computed, exported = book.computed(sheet, address), book.as_exported(sheet, address)
        assert computed == pytest.approx(exported, rel=1e-9, abs=1e-6, nan_ok=True), (sheet, address)


@pytest.mark.slow
def test_all_cells_of_the_table_are_formulas() -> None:
    book = Spreadsheet(cash_flow_xlsx(answer()))
    typed = [
        cell.coordinate
        for row in book.book["Cash flow"].iter_rows()
        for cell in row
        if isinstance(cell.value, int | float)
    ]
    assert typed == []


@pytest.mark.slow
def test_changed_inputs_give_what_the_engine_gives() -> None:
    book = Spreadsheet(cash_flow_xlsx(answer()))
    book.change("life_years", 6.5)
    book.change("prices", "real")
    book.change("depreciation", "macrs")
    for name, value in {
        "tax_rate": 0.3,
        "debt_share": 0.4,
        "debt_years": 4,
        "bonus_depreciation": 0.2,
    }.items():
        book.change(name, value)
    for name, value in {"utilisation": 0.9, "inflation": 0.04, "price_usd_per_accelerator_hour": 4.5}.items():
        book.change(name, value)
    book.change("electricity_price_usd_per_kwh", 0.2)
    finance = {
        "prices": "real",
        "depreciation": "macrs",
        "tax_rate": 0.3,
        "debt_share": 0.4,
        "debt_years": 4,
        "bonus_depreciation": 0.2,
        "inflation": 0.04,
        "price_usd_per_accelerator_hour": 4.5,
    }
    terms = {"life_years": 6.5, "utilisation": 0.9, "electricity_price_usd_per_kwh": 0.2, "finance": finance}
    expected = answer(**terms).measures
    for name in (
        "npv_usd", "npv_before_tax_usd", "irr", "equity_npv_usd", "equity_irr", "payback_years",
        "discounted_payback_years", "least_debt_service_cover", "levelised_usd_per_used_hour",
    ):  # fmt: skip
        assert book.named(f"result_{name}") == pytest.approx(getattr(expected, name), rel=1e-9), name


@pytest.mark.slow
def test_an_unknown_price_can_be_filled_in() -> None:
    unpriced = scenario(supernode={"system": "amd_helios_72"})
    found = cash_flow_answer(evaluate_scenario(build_scenario(unpriced), ready_catalog()))
    assert math.isnan(found.measures.npv_usd)
    book = Spreadsheet(cash_flow_xlsx(found))
    for sheet, address in book.formulas():
        computed, exported = book.computed(sheet, address), book.as_exported(sheet, address)
        assert computed == pytest.approx(exported, rel=1e-9, abs=1e-6, nan_ok=True), (sheet, address)


@pytest.mark.slow
def test_words_of_people_stay_words() -> None:
    laid_out = scenario(
        parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, name='=HYPERLINK("http://example.invalid")'
    )
    found = cash_flow_answer(evaluate_scenario(build_scenario(laid_out), ready_catalog()))
    content = cash_flow_xlsx(found)
    title = Spreadsheet(content).book["Inputs"]["A1"]
    assert title.value.startswith("=HYPERLINK")
    assert title.data_type == "s"
    assert content == cash_flow_xlsx(found)
