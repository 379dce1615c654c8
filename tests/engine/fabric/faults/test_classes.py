"""Parts of a fabric that it does not tell apart."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.faults.failed import colours, device_classes, failed, link_classes, nothing_failed
from tests.engine.fabric.faults.fabrics import host_ring, leaves_and_spines, rail_fabric


def classes(graph, lost=None):
    colour = colours(graph, (lost or nothing_failed(graph)).alive_links(graph))
    return colour, [len(link_classes(graph, colour, graph.of_tier(tier))) for tier in graph.tiers]


def test_a_regular_fabric_has_one_kind_of_each_part():
    graph = leaves_and_spines(hosts=12, leaves=3, spines=2)
    colour, links = classes(graph)
    assert links == [1, 1]
    assert len(device_classes(colour, np.arange(graph.device_count))) == 3
    assert classes(host_ring(7))[1] == [1]


def test_a_unit_that_is_not_full_is_a_kind_of_its_own():
    assert classes(rail_fabric(127))[1][:2] == [2, 2]


def test_a_lost_link_tells_its_ends_from_the_others():
    graph = leaves_and_spines(hosts=12, leaves=3, spines=2)
    colour, _ = classes(graph, failed(graph, links=graph.of_tier("spine")[:1]))
    leaves = device_classes(colour, graph.of_kind("leaf"))
    assert sorted(kind.members for kind in leaves) == [1, 2]
    assert len(device_classes(colour, graph.of_kind("spine"))) == 2


def test_members_of_all_classes_are_all_parts():
    graph = rail_fabric(127)
    colour, _ = classes(graph)
    links = graph.of_tier("spine")
    assert sum(kind.members for kind in link_classes(graph, colour, links)) == links.size
