"""The floor of a scenario over HTTP."""

from __future__ import annotations

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/fabric/floor"


def test_floor_of_a_scenario(asgi_client) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(pod__supernodes=64), "rack": "R01-05"})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["FloorPlan"]["properties"])
    assert found["totals"]["racks_total"] == len(found["racks"]) == 20
    assert [tier["tier"] for tier in found["cables"]] == ["leaf", "spine"]
    assert found["rack"]["shelves"][0]["name"] == "leaf-01-1"
    assert found["rack"]["weight_kg"] is None
    assert [problem["kind"] for problem in found["problems"]] == ["warning"]


def test_without_a_rack_none_is_listed(asgi_client) -> None:
    assert asgi_client.post(PATH, json={"scenario": scenario()}).json()["rack"] is None


def test_a_rack_that_cannot_carry_its_load_is_said(asgi_client) -> None:
    asked = scenario(pod__supernodes=64, pod__floor={"nodes_per_rack": 5})
    problem = asgi_client.post(PATH, json={"scenario": asked}).json()["problems"][0]
    assert (problem["kind"], problem["field"]) == ("infeasible", "pod.floor.nodes_per_rack")
    assert problem["fix"]["value"] == 4


def test_a_rack_that_is_not_there_is_refused(asgi_client) -> None:
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "rack": "R09-09"}), 422)
    assert problem["errors"][0]["pointer"] == "#/rack"
    assert "R01-01" in problem["errors"][0]["hint"]


def test_what_cannot_be_is_named(asgi_client) -> None:
    asked = scenario(pod__floor={"row_racks": 0})
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": asked}), 422)
    assert problem["errors"][0]["pointer"] == "#/scenario/pod/floor/row_racks"
    assert_problem(asgi_client.post(PATH, json={}), 422)
