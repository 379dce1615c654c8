"""Own or rent of a scenario over HTTP."""

from __future__ import annotations

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/own_or_rent"


def test_totals_break_even_and_regret(reading_client) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1})
    answer = reading_client.post(PATH, json={"scenario": laid_out, "against": "reserved"})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["OwnOrRent"]["properties"])
    assert [term["term"] for term in found["terms"]] == ["on_demand", "reserved", "spot", "capacity_block"]
    assert found["heat_map"]["term"] == "reserved"
    assert found["terms"][0]["total_usd"] > 0
    assert min(min(line) for line in found["regret"]["regret_usd"]) == 0


def test_what_cannot_be_is_named(reading_client) -> None:
    asked = {"scenario": scenario(economics={"utilisation": 1.5}), "against": "on_demand"}
    problem = assert_problem(reading_client.post(PATH, json=asked), 422)
    assert problem["errors"][0]["pointer"] == "#/scenario/economics/utilisation"
    problem = assert_problem(reading_client.post(PATH, json={"scenario": scenario(), "against": "free"}), 422)
    assert problem["errors"][0]["pointer"] == "#/against"
