"""The four networks over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/fabric/networks"
OWN = {"carried_by": "own"}


def test_networks_of_a_scenario(asgi_client) -> None:
    asked = scenario(pod__supernodes=128, pod__networks={"storage": {"servers": 12}, "out_of_band": OWN})
    answer = asgi_client.post(PATH, json={"scenario": asked})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["PodNetworks"]["properties"])
    assert [row["carried_by"] for row in found["networks"]] == ["own", "own", "none", "own"]
    assert found["networks"][1]["switches"] == 14
    assert found["total"]["switches"] == sum(row["switches"] for row in found["networks"])
    assert found["kind"] == "infiniband"


@pytest.mark.parametrize(
    ("networks", "pointer"),
    [
        ({"storage": {"carried_by": "air"}}, "#/scenario/pod/networks/storage/carried_by"),
        ({"in_band": {"switch": "sn9999"}}, "#/scenario/pod/networks/in_band/switch"),
        ({"parameter": OWN}, "#/scenario/pod/networks/parameter"),
    ],
)
def test_what_cannot_be_is_named(asgi_client, networks: dict[str, object], pointer: str) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(pod__supernodes=2, pod__networks=networks)})
    problem = assert_problem(answer, 422)
    assert problem["errors"][0]["pointer"] == pointer


def test_a_scenario_is_needed(asgi_client) -> None:
    assert_problem(asgi_client.post(PATH, json={}), 422)
