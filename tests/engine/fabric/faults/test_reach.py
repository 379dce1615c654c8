"""Remaining reachability, against a search host by host."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.faults.effect import reach
from app.engine.fabric.faults.failed import by_chance, failed, nothing_failed, of_plane
from tests.engine.fabric.faults.fabrics import (
    host_ring,
    leaves_and_spines,
    rail_fabric,
    reached_from,
)


def test_a_whole_fabric_hangs_together():
    found = reach(*whole(rail_fabric(64)))
    assert (found.parts, found.joined_share, found.cut_off.any()) == (1, 1.0, False)


def test_hosts_of_a_lost_leaf_are_cut_off():
    graph = leaves_and_spines(hosts=12, leaves=3, spines=2)
    found = reach(graph, failed(graph, devices=graph.of_kind("leaf")[:1]).alive_links(graph))
    assert np.flatnonzero(found.cut_off).tolist() == [0, 1, 2, 3]
    assert found.parts == 1 + 4
    assert found.joined_pairs == 8 * 7 // 2


def test_without_spines_each_leaf_is_by_itself():
    graph = leaves_and_spines(hosts=12, leaves=3, spines=2)
    found = reach(graph, failed(graph, devices=graph.of_kind("spine")).alive_links(graph))
    assert found.parts == 3
    assert found.cut_off.sum() == 8
    assert found.joined_pairs == 3 * 6


def test_a_lost_plane_cuts_nobody_off():
    graph = rail_fabric(64, planes=2)
    assert reach(graph, of_plane(graph, 0).alive_links(graph)).joined_share == 1.0


def test_a_host_is_no_way_between_two_planes():
    """Host 0 is on plane 0 alone, host 1 on plane 1 alone, and host 2, on both, passes nothing on."""
    graph = rail_fabric(3, planes=2)
    leaf = graph.of_kind("leaf")
    links = graph.links
    gone = ((links.lower == 0) & (links.upper == leaf[1])) | ((links.lower == 1) & (links.upper == leaf[0]))
    found = reach(graph, failed(graph, links=np.flatnonzero(gone)).alive_links(graph))
    assert found.joined_pairs == 2
    assert not found.cut_off.any()  # both reach host 2, which reaches most


def test_hosts_of_a_ring_pass_on():
    graph = host_ring(6)
    assert reach(graph, failed(graph, links=np.array([0])).alive_links(graph)).parts == 1
    two = reach(graph, failed(graph, links=np.array([0, 2])).alive_links(graph))
    assert (two.parts, int(two.cut_off.sum())) == (2, 2)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(links=st.integers(0, 14), switches=st.integers(0, 3), seed=st.integers(0, 10**6), ring=st.booleans())
def test_reach_is_that_of_a_search_host_by_host(links, switches, seed, ring):
    graph = host_ring(15) if ring else leaves_and_spines(hosts=12, leaves=3, spines=2)
    alive = by_chance(graph, links=links, switches=0 if ring else switches, seed=seed).alive_links(graph)
    found = reach(graph, alive)
    sets = [reached_from(graph, alive, host, over_hosts=ring) for host in graph.of_kind("host").tolist()]
    assert found.joined_pairs == sum(len(reached) - 1 for reached in sets) / 2
    assert found.pairs == len(sets) * (len(sets) - 1) // 2
    most = max(len(reached) for reached in sets)
    assert found.cut_off.sum() == len(sets) - most  # here the relation has no overlaps


def whole(graph):
    return graph, nothing_failed(graph).alive_links(graph)
