"""The cash flow of a scenario over HTTP."""

from __future__ import annotations

import math

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/cash_flow"


def test_years_sum_to_totals(asgi_client) -> None:
    terms = {"finance": {"debt_share": 0.5, "depreciation": "declining_balance"}}
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics=terms)
    answer = asgi_client.post(PATH, json={"scenario": laid_out})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["CashFlow"]["properties"])
    assert [year["year"] for year in found["years"]] == [0, 1, 2, 3, 4, 5]
    flows = math.fsum(year["flow_usd"] for year in found["years"])
    assert flows == pytest.approx(found["totals"]["flow_usd"])
    assert found["years"][0]["debt_service_cover"] is None
    assert found["measures"]["least_debt_service_cover"] > 0
    assert found["currency"] is None


def test_terms_that_cannot_be_are_named(asgi_client) -> None:
    finance = {"tax_rate": 2, "debt_years": 0}
    asked = {"scenario": scenario(economics={"life_years": 0, "finance": finance})}
    problem = assert_problem(asgi_client.post(PATH, json=asked), 422)
    assert {error["pointer"] for error in problem["errors"]} == {
        "#/scenario/economics/life_years",
        "#/scenario/economics/finance/tax_rate",
        "#/scenario/economics/finance/debt_years",
    }
    assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "years": 3}), 422)
