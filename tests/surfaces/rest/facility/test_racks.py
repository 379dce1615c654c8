"""Racks over HTTP: every kind checked, one chosen by name, and what cannot be."""

from __future__ import annotations

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/facility/racks"


def test_racks_of_a_scenario(asgi_client) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(pod__supernodes=64)})
    assert answer.status_code == 200
    found = answer.json()
    schemas = named_schemas()
    assert set(found) == set(schemas["FacilityRacks"]["properties"])
    first = found["racks"][0]
    assert set(first) == set(schemas["RackKindLine"]["properties"])
    assert (found["fits"], found["chosen"], found["plant"]) == (True, first["rack"], "air")
    assert (first["racks"], first["servers"], first["first_limit"]) == (16, 4, "power")
    check = next(check for check in first["checks"] if check["check"] == "air_heat")
    assert set(check) == set(schemas["RackCheckLine"]["properties"])
    assert (check["status"], check["value"], check["usual"], check["limit"]) == (
        "unusual",
        40.8e3,
        20e3,
        50e3,
    )
    assert "facility.air_handling" in check["way_out"]


def test_a_rack_by_name_and_feeds_by_iec(asgi_client) -> None:
    asked = {"scenario": scenario(pod__supernodes=64), "rack": "R01-05", "standard": "iec"}
    found = asgi_client.post(PATH, json=asked).json()
    chosen = next(kind for kind in found["racks"] if kind["rack"] == found["chosen"])
    assert chosen["kind"] == "network"
    assert (found["standard"], chosen["feeds"]["current_limit_a"]) == ("iec", 63)


def test_a_rack_past_its_limits_does_not_fit(asgi_client) -> None:
    asked = scenario(pod__supernodes=5, pod__floor={"nodes_per_rack": 5, "rack_power_w": 60e3})
    found = asgi_client.post(PATH, json={"scenario": asked}).json()
    assert not found["fits"]
    assert "over" in [check["status"] for check in found["racks"][0]["checks"]]


def test_what_cannot_be_is_named(asgi_client) -> None:
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "rack": "R09-09"}), 422)
    assert problem["errors"][0]["pointer"] == "#/rack"
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "standard": "ul"}), 422)
    assert problem["errors"][0]["pointer"] == "#/standard"
    assert_problem(asgi_client.post(PATH, json={}), 422)
