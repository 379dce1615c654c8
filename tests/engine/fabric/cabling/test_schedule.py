"""The cable schedule: a row a link, every port once, cables counted by what they carry."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.cabling.schedule import COLUMNS, NetworkCables, rack_names
from tests.engine.fabric.cabling.fabrics import cables, pairs, superpod


def rows(network: NetworkCables) -> list[dict[str, str]]:
    found = []
    for links in network.blocks(100):
        text = network.text(links)
        found += [
            dict(zip(text, (cell.decode() for cell in cells), strict=True))
            for cells in zip(*(column.tolist() for column in text.values()), strict=True)
        ]
    return found


def test_a_row_names_both_ends_length_and_part():
    first, second = rows(cables(pairs(2)))[:2]
    assert first == {
        "A-Rack": "R01-01", "A-U": "1", "A-Node Name": "node-0001", "A-Type": "Host", "A-Port": "1",
        "Z-Rack": "R02-01", "Z-RU": "3", "Z-Node Name": "leaf-01-1", "Z-Type": "Switch", "Z-Port": "1/1",
        "Part": "MMA4Z00-NS 2xSR4", "Length (m)": "1", "Network": "compute", "Tier": "leaf", "Rail": "1",
        "Plane": "1", "Cable": "1", "A-Cage": "1", "A-Sub-port": "1", "Z-Cage": "1", "Z-Sub-port": "1",
    }  # fmt: skip
    assert (second["A-Cage"], second["A-Sub-port"]) == ("1", "2")  # both ports of the host are in one module
    assert (second["Part"], second["Length (m)"], second["Rail"]) == ("DAC 800G, 2 m", "2", "2")
    assert tuple(first) == COLUMNS


@pytest.mark.parametrize("planes", [1, 2])
def test_there_is_a_row_a_link_and_every_port_once(planes: int):
    graph = superpod(33, scalable_unit_supernodes=32, management_ports=3, planes=planes)
    found = rows(cables(graph))
    assert len(found) == graph.link_count
    ends = [(row[f"{side}-Node Name"], row[f"{side}-Port"]) for row in found for side in "AZ"]
    assert len(set(ends)) == 2 * graph.link_count
    cages = [
        (row[f"{side}-Node Name"], row[f"{side}-Cage"], row[f"{side}-Sub-port"])
        for row in found
        for side in "AZ"
    ]
    assert len(set(cages)) == 2 * graph.link_count
    assert {row["Plane"] for row in found} == {str(plane + 1) for plane in range(planes)}


def test_what_is_not_known_is_left_blank():
    graph = pairs(1)
    nothing = {
        "rack": np.full(3, -1),
        "bottom_u": np.full(3, -1),
        "part": np.full(2, -1),
        "length_m": np.full(2, np.nan),
    }
    row = rows(cables(graph, **nothing))[0]
    assert {row[name] for name in ("A-Rack", "A-U", "Z-Rack", "Z-RU", "Part", "Length (m)")} == {""}


def test_a_fibre_is_a_cable_of_its_own():
    network = cables(pairs(4))
    assert network.cable.tolist() == list(range(8))
    assert network.cable_count == 8


def test_a_cable_of_two_links_joins_the_same_two_devices():
    """Two leaves of a pod of one unit have each two links to each of the spines, or a multiple of it."""
    graph = superpod(32)
    part = np.where(graph.links.tier == 1, 1, 0)
    network = cables(graph, part=part, cable_links=np.array([1, 2]))
    below, above = graph.of_tier("leaf"), graph.of_tier("spine")
    assert network.cable_count == below.size + above.size // 2
    assert network.cable[below].tolist() == list(range(below.size))  # counted as the links come
    ends = np.stack([graph.links.lower, graph.links.upper], axis=1)
    for cable in np.unique(network.cable[above])[:20]:
        links = np.flatnonzero(network.cable == cable)
        assert links.size == 2
        assert len(np.unique(ends[links], axis=0)) == 1


def test_an_odd_link_takes_a_cable_too():
    """Each host of a pair has one link to each leaf: nothing to share."""
    network = cables(pairs(3), part=np.ones(6, int), cable_links=np.array([1, 2]))
    assert network.cable.tolist() == list(range(6))


def test_links_are_found_by_device_and_by_rack():
    network = cables(pairs(4))
    assert network.links_at("node-0003").tolist() == [4, 5]
    assert network.links_at("leaf-01-2").tolist() == [1, 3, 5, 7]
    assert network.links_at("R02-02").tolist() == [6, 7]  # the fourth host stands there
    assert network.links_at("nowhere").tolist() == []


def test_racks_are_named_by_row_and_place():
    assert rack_names(np.array([0, 99]), np.array([4, 0])).tolist() == [b"R001-05", b"R100-01"]
    assert rack_names(np.empty(0, int), np.empty(0, int)).tolist() == []
