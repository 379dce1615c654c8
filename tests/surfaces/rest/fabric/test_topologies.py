"""Topologies over HTTP."""

from __future__ import annotations

import pytest

from app.engine.fabric.topologies import TOPOLOGIES
from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/fabric/topologies"


def test_every_topology_for_a_pod(asgi_client) -> None:
    asked = scenario(pod__supernodes=32, pod__fabric={"topology": "torus_2d", "shape": "4 x 8"})
    answer = asgi_client.post(PATH, json={"scenario": asked})
    assert answer.status_code == 200
    rows = {row["name"]: row for row in answer.json()["topologies"]}
    assert list(rows) == list(TOPOLOGIES)
    torus = rows["torus_2d"]
    assert set(torus) == set(named_schemas()["TopologyAlternative"]["properties"])
    assert (torus["is_chosen"], torus["lengths"], torus["links"], torus["refusal"]) == (True, [4, 8], 128, "")
    assert rows["full_mesh"]["refusal"].startswith("A lattice of 9 holds 9 nodes, not 32")
    assert not rows["hyperx"]["is_chosen"]


def test_one_supernode_needs_none(asgi_client) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(pod__supernodes=1)})
    assert answer.json() == {"topologies": []}


@pytest.mark.parametrize(
    ("fabric", "pointer"),
    [
        ({"topology": "moebius"}, "#/scenario/pod/fabric/topology"),
        ({"topology": "torus_2d", "shape": "4 by 8"}, "#/scenario/pod/fabric/shape"),
    ],
)
def test_what_cannot_be_is_named(asgi_client, fabric: dict[str, object], pointer: str) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(pod__supernodes=8, pod__fabric=fabric)})
    assert assert_problem(answer, 422)["errors"][0]["pointer"] == pointer
