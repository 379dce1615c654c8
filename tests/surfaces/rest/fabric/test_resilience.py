"""Faults, sharing and utilisation over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/fabric/"


def body(**options: Any) -> dict[str, Any]:
    return {"scenario": scenario(pod__supernodes=64, parallelism={"tp": 1}), **options}


@pytest.mark.parametrize(
    ("noun", "schema", "options"),
    [
        ("faults", "FabricFaults", {"switches": ["leaf-3"], "single": False}),
        ("sharing", "FabricSharing", {"jobs": [{"hosts": 32}, {"hosts": 8, "pattern": "all_to_all"}]}),
        ("utilisation", "FabricUtilisation", {}),
    ],
)
def test_an_answer_has_what_its_schema_says(asgi_client, noun: str, schema: str, options: dict[str, Any]):
    answer = asgi_client.post(f"{PATH}{noun}", json=body(**options))
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == set(named_schemas()[schema]["properties"])


def test_a_lost_leaf_takes_an_eighth_from_its_hosts(asgi_client):
    found = asgi_client.post(f"{PATH}faults", json=body(switches=["leaf-3"], single=False)).json()
    assert found["job"]["access_share"] == 7 / 8
    assert found["job"]["step_time_s"] > found["job"]["step_time_whole_s"]
    assert found["reach"]["cut_off"] == 0


@pytest.mark.parametrize(
    ("noun", "options", "pointer"),
    [
        ("faults", {"switches": ["leaf-99"]}, "#/switches/0"),
        ("faults", {"rails": [0]}, "#/rails/0"),
        ("faults", {"swiches": []}, "#/swiches"),
        ("sharing", {"jobs": [{"hosts": 65}]}, "#/jobs/0/hosts"),
        ("sharing", {}, "#/jobs"),
        ("utilisation", {"jobs": []}, "#/jobs"),
    ],
)
def test_what_cannot_be_is_named(asgi_client, noun: str, options: dict[str, Any], pointer: str):
    problem = assert_problem(asgi_client.post(f"{PATH}{noun}", json=body(**options)), 422)
    assert problem["errors"][0]["pointer"] == pointer
