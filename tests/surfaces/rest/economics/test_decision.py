"""The decision over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

PATH = "/api/v1/economics/decision"


def test_five_questions_and_a_summing_up(reading_client) -> None:
    body = {"scenario": scenario(), "data_must_stay": True, "months_of_work": 24}
    answer = reading_client.post(PATH, json=body)
    assert answer.status_code == 200
    found, schemas = answer.json(), named_schemas()
    assert set(found) == set(schemas["Decision"]["properties"])
    assert set(found["use"]) == set(schemas["UseAnswer"]["properties"])
    assert found["months_of_work"] == 24
    assert found["summing_up"]["choice"] == "own"
    assert {flip["by"] for flip in found["summing_up"]["flips"]} == {"utilisation", "price", "months"}


def test_unknown_is_null_and_named(reading_client) -> None:
    body = {"scenario": scenario(supernode__system="hgx_h800")}
    found = reading_client.post(PATH, json=body).json()
    assert found["summing_up"]["choice"] == "unknown"
    assert found["ownership"]["break_even_month"] is None
    assert found["missing"]


def test_what_cannot_be_asked_is_named(reading_client) -> None:
    for options, pointer in (
        ({"data_must_stay": "maybe"}, "#/data_must_stay"),
        ({"months_of_work": 0}, "#/months_of_work"),
        ({"colour": "red"}, "#/colour"),
    ):
        problem = assert_problem(reading_client.post(PATH, json={"scenario": scenario(), **options}), 422)
        assert problem["errors"][0]["pointer"] == pointer
