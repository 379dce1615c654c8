"""The cost build-up computes what the engine computes, also after a reader has changed it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.surfaces.files.workbook.book import evaluation_xlsx
from app.surfaces.files.workbook.cost_model import cost_model
from tests.surfaces.files.conftest import EXAMPLES, WITH_UNKNOWNS
from tests.surfaces.files.spreadsheet import Spreadsheet


def same(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True))


def test_every_cost_figure_has_a_formula(flagship):
    model = cost_model(flagship.evaluated.figures, {})
    lines = [line for group in model.groups.values() for line in group]
    assert [line.name for line in lines if not line.formula] == []
    costs = {path for path in flagship.evaluated.figures if path.startswith("cost.")}
    assert costs <= {line.path for line in lines}
    assert all(model.groups.values()), "a group without a line"


def test_names_are_told_apart_whatever_their_case(flagship):
    model = cost_model(flagship.evaluated.figures, {})
    names = [
        line.name.lower()
        for line in (*model.inputs, *(line for group in model.groups.values() for line in group))
    ]
    assert len(names) == len(set(names))
    assert "price_usd" in names
    assert "accelerator_price_usd" in names


@pytest.mark.slow
@pytest.mark.parametrize("key", EXAMPLES)
def test_formulas_compute_the_values_that_stand_beside_them(work_of_example, key):
    sheet = Spreadsheet(evaluation_xlsx(work_of_example(key)))
    formulas = sheet.formulas()
    assert len(formulas) > 100
    wrong = [
        f"{name}!{address}: {sheet.computed(name, address)} and not {sheet.as_exported(name, address)}"
        for name, address in formulas
        if not same(sheet.computed(name, address), sheet.as_exported(name, address))
    ]
    assert wrong == []


@pytest.mark.slow
def test_a_changed_workbook_gives_the_figures_of_the_changed_scenario(flagship):
    sheet = Spreadsheet(evaluation_xlsx(flagship))
    changes = {
        "utilisation": 0.6,
        "life_years": 4,
        "wacc": 0.07,
        "supernode_price_usd": 4e5,
    }
    values = flagship.document.as_dict()
    values["economics"] |= changes
    values["assumptions"] = values.get("assumptions", {}) | {"scenario.value_decline_per_year": 0.2}
    changed = evaluate_scenario(build_scenario(values), ready_catalog())
    for name, value in changes.items():
        sheet.change({"supernode_price_usd": "price_usd"}.get(name, name), value)
    sheet.change("value_decline_per_year", 0.2)
    sheet.change("price_is_listed", 0)  # a stated price is paid as it stands
    for path, figure in changed.figures.items():
        if path.startswith("cost."):
            assert figure.node.quantity
            name = figure.node.quantity.name
            assert same(sheet.named(name), float(figure.value[0])), path


@pytest.mark.slow
def test_what_is_unknown_becomes_known_when_somebody_fills_it_in(work_of_example):
    sheet = Spreadsheet(evaluation_xlsx(work_of_example(WITH_UNKNOWNS)))
    assert math.isnan(sheet.named("tco_usd"))
    unknown = [name for name in sheet.names if math.isnan(sheet.named(name)) and not _is_formula(sheet, name)]
    assert "price_usd" in unknown
    for name in unknown:
        sheet.change(name, 1000.0)
    assert sheet.named("tco_usd") > 0


def _is_formula(sheet: Spreadsheet, name: str) -> bool:
    title, address = sheet.names[name]
    return str(sheet.book[title][address.replace("$", "")].value).startswith("=")
