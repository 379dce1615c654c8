"""The cooling of a scenario over HTTP."""

from __future__ import annotations

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/facility/cooling"


def test_cooling_of_a_scenario(asgi_client) -> None:
    given = scenario(
        supernode={"system": "gb200_nvl72"}, facility={"site": "dublin", "heat_reuse": {"share": 0.3}}
    )
    answer = asgi_client.post(PATH, json={"scenario": given, "tank_m3": 20})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["CoolingInDetail"]["properties"])
    assert found["plant"] == "direct_liquid_dry"
    assert len(found["plants"]) == 9
    assert found["sides"][0]["loops"][0]["cold_c"] == 40
    assert 0 < found["reuse"]["erf"] < 1


def test_what_cannot_be_is_named(asgi_client) -> None:
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "tank_m3": -5}), 422)
    assert problem["errors"][0]["pointer"] == "#/tank_m3"
    given = scenario(facility={"cooling": "seawater"})
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": given}), 422)
    assert problem["errors"][0]["pointer"] == "#/scenario/facility/cooling"
