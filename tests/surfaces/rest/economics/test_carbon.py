"""Carbon of a run over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/carbon"
LAID_OUT = {"parallelism": {"tp": 8, "pp": 1, "zero_stage": 1}}


def test_boundaries_parts_and_what_is_left_out(asgi_client) -> None:
    asked = {"scenario": scenario(**LAID_OUT), "building_embodied_kg": 1e5, "sites": False}
    answer = asgi_client.post(PATH, json=asked)
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["RunCarbon"]["properties"])
    kg = {boundary["key"]: boundary["kg_per_run"] for boundary in found["boundaries"]}
    assert kg["accelerators"] < kg["meter"] < kg["with_embodied"] < kg["with_idle"]
    assert sum(part["kg_per_run"] for part in found["parts"]) == pytest.approx(kg["with_embodied"])
    assert found["clean"] is None
    assert found["hourly"] is None
    assert found["sites"] == []
    assert len(found["left_out"]) == 2


def test_what_cannot_be_is_named(asgi_client) -> None:
    asked = {"scenario": scenario(), "intensity_by_hour": [0.1, 0.2], "network_embodied_kg": -1}
    problem = assert_problem(asgi_client.post(PATH, json=asked), 422)
    found = {error["pointer"]: f"{error['message']} {error['hint']}" for error in problem["errors"]}
    assert set(found) == {"#/intensity_by_hour", "#/network_embodied_kg"}
    assert "24 hours of a day" in found["#/intensity_by_hour"]
    assert_problem(asgi_client.post(PATH, json={}), 422)
