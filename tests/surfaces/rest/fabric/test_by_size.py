"""Growth and sizes over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

POD = {"scenario": scenario(pod__supernodes=64)}
GROWTH, SIZES = "/api/v1/fabric/growth", "/api/v1/fabric/sizes"


def test_a_fabric_that_grows(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(GROWTH, json=POD | {"stages": [32, 64]})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["FabricGrowth"]["properties"])
    each, final = found["plans"]
    assert [stage["moved_links"] for stage in each["stages"]] == [0, 128]
    assert [stage["free_switch_ports"] for stage in final["stages"]] == [256, 0]


def test_topologies_by_size(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(SIZES, json=POD | {"topologies": ["fat_tree", "rail_only"]})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["FabricSizes"]["properties"])
    assert [one["topology"] for one in found["topologies"]] == ["fat_tree", "rail_only"]
    assert {one["metric"] for one in found["crossings"]} == {"price_usd", "power_w"}


@pytest.mark.parametrize(
    ("path", "options", "pointer"),
    [
        (GROWTH, {"stages": [64, 32]}, "#/stages"),
        (GROWTH, {"stages": [32, 0]}, "#/stages/1"),
        (SIZES, {"topologies": ["clos"]}, "#/topologies/0"),
        (SIZES, {"supernodes": ["many", 2]}, "#/supernodes/0"),
        (SIZES, {"sizes": [2, 4]}, "#/sizes"),
    ],
)
def test_what_cannot_be_is_named(
    asgi_client: AsgiClient, path: str, options: dict[str, object], pointer: str
) -> None:
    problem = assert_problem(asgi_client.post(path, json=POD | options), 422)
    assert problem["errors"][0]["pointer"] == pointer


def test_a_pod_without_a_fabric_is_told_what_to_do(asgi_client: AsgiClient) -> None:
    problem = assert_problem(asgi_client.post(SIZES, json={"scenario": scenario()}), 422)
    assert problem["errors"][0]["pointer"] == "#/scenario/pod/fabric/topology"
    assert "SuperNodes" in problem["errors"][0]["hint"]
