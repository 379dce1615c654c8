"""The cost tree of a scenario over HTTP."""

from __future__ import annotations

import math

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/cost"


def test_the_tree_sums_to_the_evaluation(asgi_client) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}, economics__building="colocation")
    answer = asgi_client.post(PATH, json={"scenario": laid_out})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["CostTree"]["properties"])
    yearly = math.fsum(branch["together"]["usd_per_year"] for branch in found["branches"])
    assert yearly == pytest.approx(found["together"]["usd_per_year"])
    parts = {part["part"]: part for branch in found["branches"] for part in branch["parts"]}
    assert parts["colocation"]["price_usd"] is None
    assert "land" not in parts
    assert [case["is_stated"] for case in found["buildings"]] == [False, True]


def test_what_cannot_be_is_named(asgi_client) -> None:
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "life": 3}), 422)
    assert [error["pointer"] for error in problem["errors"]] == ["#/life"]
    bad = scenario(economics__utilisation=1.2, economics__life_years=0)
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": bad}), 422)
    assert {error["pointer"] for error in problem["errors"]} == {
        "#/scenario/economics/utilisation",
        "#/scenario/economics/life_years",
    }
