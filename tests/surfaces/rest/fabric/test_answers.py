"""Figures of the views of the fabric over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.fabric.topologies import TOPOLOGIES
from app.views.fabric import room as fabric
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import Ask


def test_every_topology_for_a_pod(ask: Ask) -> None:
    asked = scenario(pod__supernodes=32, pod__fabric={"topology": "torus_2d", "shape": "4 x 8"})
    found = ask(fabric.TOPOLOGIES, {"scenario": asked})
    rows = {row["name"]: row for row in found["topologies"]}
    assert list(rows) == list(TOPOLOGIES)
    torus = rows["torus_2d"]
    assert (torus["is_chosen"], torus["lengths"], torus["links"], torus["refusal"]) == (True, [4, 8], 128, "")
    assert rows["full_mesh"]["refusal"].startswith("A lattice of 9 holds 9 nodes, not 32")
    assert not rows["hyperx"]["is_chosen"]


def test_one_supernode_needs_none(ask: Ask) -> None:
    assert ask(fabric.TOPOLOGIES, {"scenario": scenario(pod__supernodes=1)}) == {"topologies": []}


@pytest.mark.slow
def test_ladders_of_a_scenario_and_a_system(ask: Ask) -> None:
    found = ask(fabric.BANDWIDTH, {"scenario": scenario(), "systems": ["gb200_nvl72"]})
    own, system = found["ladders"]
    assert (own["key"], system["key"]) == ("", "gb200_nvl72")
    assert system["scale_up_over_scale_out"] == 18
    assert {rung["level"] for rung in own["rungs"]} >= {"registers", "scale_up", "scale_out", "wan"}


OWN = {"carried_by": "own"}


def test_networks_of_a_scenario(ask: Ask) -> None:
    asked = scenario(pod__supernodes=128, pod__networks={"storage": {"servers": 12}, "out_of_band": OWN})
    found = ask(fabric.NETWORKS, {"scenario": asked})
    assert [row["carried_by"] for row in found["networks"]] == ["own", "own", "none", "own"]
    assert found["networks"][1]["switches"] == 14
    assert found["total"]["switches"] == sum(row["switches"] for row in found["networks"])
    assert found["kind"] == "infiniband"


POD = {"scenario": scenario(pod__supernodes=64)}


@pytest.mark.slow
def test_a_fabric_that_grows(ask: Ask) -> None:
    found = ask(fabric.GROWTH, POD | {"stages": [32, 64]})
    each, final = found["plans"]
    assert [stage["moved_links"] for stage in each["stages"]] == [0, 128]
    assert [stage["free_switch_ports"] for stage in final["stages"]] == [256, 0]


@pytest.mark.slow
def test_topologies_by_size(ask: Ask) -> None:
    found = ask(fabric.SIZES, POD | {"topologies": ["fat_tree", "rail_only"]})
    assert [one["topology"] for one in found["topologies"]] == ["fat_tree", "rail_only"]
    assert {one["metric"] for one in found["crossings"]} == {"price_usd", "power_w"}


def test_floor_of_a_scenario(ask: Ask) -> None:
    found = ask(fabric.FLOOR, {"scenario": scenario(pod__supernodes=64), "rack": "R01-05"})
    assert found["totals"]["racks_total"] == len(found["racks"]) == 20
    assert [tier["tier"] for tier in found["cables"]] == ["leaf", "spine"]
    assert found["rack"]["shelves"][0]["name"] == "leaf-01-1"
    assert found["rack"]["weight_kg"] is None
    assert [problem["kind"] for problem in found["problems"]] == ["warning"]


def test_without_a_rack_none_is_listed(ask: Ask) -> None:
    assert ask(fabric.FLOOR, {"scenario": scenario()})["rack"] is None


def test_a_rack_that_cannot_carry_its_load_is_said(ask: Ask) -> None:
    asked = scenario(pod__supernodes=64, pod__floor={"nodes_per_rack": 5})
    problem = ask(fabric.FLOOR, {"scenario": asked})["problems"][0]
    assert (problem["kind"], problem["field"]) == ("infeasible", "pod.floor.nodes_per_rack")
    assert problem["fix"]["value"] == 4


def body(**options: Any) -> dict[str, Any]:
    return {"scenario": scenario(pod__supernodes=64, parallelism={"tp": 1}), **options}


def test_a_lost_leaf_takes_an_eighth_from_its_hosts(ask: Ask) -> None:
    found = ask(fabric.FAULTS, body(switches=["leaf-3"], single=False))
    assert found["job"]["access_share"] == 7 / 8
    assert found["job"]["step_time_s"] > found["job"]["step_time_whole_s"]
    assert found["reach"]["cut_off"] == 0


@pytest.mark.parametrize(("kind", "ground"), [("svg", "light"), ("svg-dark", "dark")])
def test_the_picture_is_sent_as_svg(asgi_client: AsgiClient, kind: str, ground: str) -> None:
    body = {"scenario": scenario(), "format": kind}
    answer = asgi_client.post("/api/v1/fabric/picture", json=body)
    assert answer.status_code == 200, (ground, answer.text)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "filename" in answer.headers["content-disposition"]
    assert answer.text.lstrip().startswith("<")
    assert "<svg" in answer.text[:300]
