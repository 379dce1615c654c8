"""The electrical chain of a scenario over HTTP."""

from __future__ import annotations

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/facility/electrical"


def test_chain_of_a_scenario(asgi_client) -> None:
    asked = {"scenario": scenario(pod__supernodes=64), "sized_on": "peak", "standard": "iec"}
    answer = asgi_client.post(PATH, json=asked)
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["ElectricalChain"]["properties"])
    assert (found["sized_on"], found["standard"], found["redundancy"]) == ("peak", "iec", "2N")
    assert [line["kind"] for line in found["blocks"]] == [line["kind"] for line in found["lost"]]
    feed = next(line for line in found["blocks"] if line["kind"] == "rack_feed")
    assert (feed["breaker_a"], feed["places"]) == (63, 17)
    assert found["site_power_w"] > found["it_power_w"] > 0


def test_what_cannot_be_built_is_told_with_a_way_out(asgi_client) -> None:
    asked = scenario(pod__supernodes=4, facility__redundancy="4N/3")
    problem = asgi_client.post(PATH, json={"scenario": asked}).json()["problems"][0]
    assert (problem["field"], problem["kind"]) == ("facility.redundancy", "infeasible")
    assert problem["fix"]["value"] == "2N"


def test_bad_options_are_named(asgi_client) -> None:
    for option, value in (("standard", "bs"), ("sized_on", "mean"), ("lost", "batery")):
        answer = asgi_client.post(PATH, json={"scenario": scenario(), option: value})
        problem = assert_problem(answer, 422)
        assert problem["errors"][0]["pointer"] == f"#/{option}"
    assert_problem(asgi_client.post(PATH, json={}), 422)
