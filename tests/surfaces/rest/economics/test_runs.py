"""A run by every method over HTTP."""

from __future__ import annotations

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/runs"


def test_every_method_and_served_tokens(reading_client) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1})
    answer = reading_client.post(PATH, json={"scenario": laid_out, "tokens_per_s": 20_000, "accelerators": 8})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["RunMethods"]["properties"])
    assert {one["kind"] for one in found["methods"]} == {"rented", "owned", "bought"}
    assert all(one["said"] for one in found["methods"])
    assert found["serving"]["prices"][0]["usd_per_million_tokens"] > 0


def test_what_cannot_be_is_named(reading_client) -> None:
    asked = {"scenario": scenario(), "tokens_per_s": 0}
    problem = assert_problem(reading_client.post(PATH, json=asked), 422)
    assert problem["errors"][0]["pointer"] == "#/tokens_per_s"
    asked = {"scenario": scenario(economics={"research_multiplier": 0.5})}
    problem = assert_problem(reading_client.post(PATH, json=asked), 422)
    assert problem["errors"][0]["pointer"] == "#/scenario/economics/research_multiplier"
