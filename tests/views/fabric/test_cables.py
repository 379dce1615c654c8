"""The cables of a scenario: every network of it, placed, of a length, made of something, and named once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.fabric.cabling.schedule import NetworkCables, cable_counts
from app.engine.fabric.topologies import TOPOLOGIES
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.surfaces.files.cables.formats import cables_csv
from app.views.fabric.cable_diff import diff_cables
from app.views.fabric.cables import cables_of
from tests.scenarios.support import document

pytestmark = pytest.mark.slow

OWN = {"carried_by": "own"}
ALL = {"storage": OWN, "in_band": OWN, "out_of_band": OWN}


def cables(network: str = "", **changes: Any) -> tuple[NetworkCables, ...]:
    evaluated = evaluate_scenario(document(**{"pod__supernodes": 33, **changes}), ready_catalog())
    return cables_of(evaluated, ready_catalog(), network)


@pytest.fixture(scope="module")
def networks(seeded_data_dir) -> tuple[NetworkCables, ...]:
    return cables(pod__networks=ALL)


def ends(networks: tuple[NetworkCables, ...]) -> list[tuple[bytes, bytes]]:
    found = []
    for network in networks:
        text = network.text(np.arange(network.graph.link_count))
        for side in "AZ":
            found += zip(text[f"{side}-Node Name"].tolist(), text[f"{side}-Port"].tolist(), strict=True)
    return found


def test_every_network_has_its_links_and_every_port_one(networks):
    assert [network.network for network in networks] == ["compute", "storage", "in_band", "out_of_band"]
    found = ends(networks)
    assert len(found) == 2 * sum(network.graph.link_count for network in networks)
    assert len(set(found)) == len(found)


def test_links_are_as_many_as_the_evaluation_says(seeded_data_dir):
    evaluated = evaluate_scenario(document(pod__supernodes=33), ready_catalog())
    (compute,) = cables_of(evaluated, ready_catalog())
    fabric = evaluated.as_json["fabric"]
    assert compute.graph.link_count == fabric["links_total"]
    by_tier = {tier["name"]: tier["links"] for tier in fabric["tiers"]}
    counted = cable_counts(compute)
    for tier, links in by_tier.items():
        assert sum(count.links for count in counted if count.tier == tier) == links


def test_everything_stands_somewhere_and_cables_are_bought_by_length(networks):
    for network in networks:
        text = network.text(np.arange(network.graph.link_count))
        for column in ("A-Rack", "A-U", "Z-Rack", "Z-RU", "Length (m)"):
            assert (text[column] != b"").all(), (network.network, column)
        assert (network.length_m > 0).all()
    compute = networks[0]
    assert (compute.text(np.arange(8))["Part"] != b"").all()


def test_totals_are_those_of_the_cables(networks):
    for network in networks:
        counts = cable_counts(network)
        assert sum(count.links for count in counts) == network.graph.link_count
        assert sum(count.cables for count in counts) == network.cable_count
        _, first = np.unique(network.cable, return_index=True)
        assert sum(count.total_m for count in counts) == pytest.approx(network.length_m[first].sum())


def test_a_managed_switch_is_called_as_in_its_own_network(networks):
    compute, *_, out_of_band = networks
    managed = out_of_band.names[out_of_band.graph.of_kind("managed_switch")].tolist()
    assert set(compute.names[compute.inside].tolist()) <= set(managed)
    assert b"storage-leaf-01" in managed or b"storage-leaf-01-1" in managed


def test_infiniband_and_ethernet_are_told_apart(networks):
    compute = networks[0]
    assert not compute.ethernet
    assert compute.switch_type == b"MQM9700"
    assert set(compute.link_words.tolist()) == {b"4x-100G"}
    assert networks[-1].ethernet  # access switches


def test_ports_of_two_planes_belong_to_one_nic(seeded_data_dir):
    (compute,) = cables(pod__fabric={"switch": "sn5600", "planes": 2})
    assert compute.ethernet
    assert compute.nic_ports == 2
    assert set(compute.cage_links[compute.inside].tolist()) == {4}  # 800G cages, links of 200G


@pytest.mark.parametrize(
    "fabric",
    [
        *({"topology": name} for name in TOPOLOGIES),
        {"topology": "torus_3d", "optical_circuit_switches": True},
    ],
    ids=str,
)
def test_cables_of_every_topology_go_out_and_come_back(seeded_data_dir, fabric):
    (compute,) = cables(pod__fabric=fabric, pod__supernodes=64)
    found = ends((compute,))
    assert len(set(found)) == len(found) == 2 * compute.graph.link_count > 0
    assert len(set(compute.names.tolist())) == compute.graph.device_count
    assert diff_cables((compute,), b"".join(cables_csv((compute,)))).is_same


def test_one_network_alone(networks, seeded_data_dir):
    (storage,) = cables("storage", pod__networks=ALL)
    assert storage.graph.link_count == networks[1].graph.link_count


def test_an_unknown_network_is_refused_with_those_that_are_there(seeded_data_dir):
    with pytest.raises(ScenarioError, match=r"'storage' is not a network of this design. One of: compute"):
        cables("storage")


def test_a_single_supernode_has_no_cables(seeded_data_dir):
    assert cables(pod__supernodes=1) == ()
    with pytest.raises(ScenarioError, match="It has none"):
        cables("compute", pod__supernodes=1)
