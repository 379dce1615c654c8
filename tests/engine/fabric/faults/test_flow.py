"""Bandwidth between hosts, against augmenting paths found one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.faults.failed import by_chance, failed, nothing_failed
from app.engine.fabric.faults.flow import capacities, flow_bytes_per_s
from tests.engine.fabric.faults.fabrics import (
    LINK,
    host_ring,
    largest_flow,
    leaves_and_spines,
    rail_fabric,
    three_tiers,
)


def flow(graph, one, other, lost=None):
    edges = capacities(graph, (lost or nothing_failed(graph)).alive_links(graph))
    return flow_bytes_per_s(edges, np.array(one), np.array(other))


def test_two_servers_have_all_their_nics():
    assert flow(rail_fabric(64), [0], [63]) == 8 * LINK


def test_halves_of_a_fabric_without_oversubscription_have_all_their_links():
    graph = rail_fabric(64)
    assert flow(graph, np.arange(32), np.arange(32, 64)) == 32 * 8 * LINK


def test_oversubscription_halves_what_leaves_a_unit():
    graph = rail_fabric(64, oversubscription=2)
    assert flow(graph, np.arange(32), np.arange(32, 64)) == 32 * 8 * LINK / 2


def test_a_ring_has_two_ways_round():
    graph = host_ring(6)
    assert flow(graph, [0], [3]) == 2 * LINK
    assert flow(graph, [0], [3], failed(graph, links=np.array([4]))) == LINK


def test_links_of_different_bandwidth_keep_their_proportion():
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    graph = replace(graph, link_bandwidth_bytes_per_s=np.array([50e9, 75e9]))
    assert flow(graph, [0, 1], [2, 3]) == 75e9


def test_nothing_flows_to_nobody_or_to_oneself():
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    assert flow(graph, [0], np.empty(0, int)) == 0
    assert flow(graph, [0], [2], failed(graph, devices=graph.of_kind("spine"))) == 0


def test_rates_without_a_common_part_are_taken_to_the_nearest_that_have_one():
    """Two hosts of a leaf with one uplink: 16.6667 GB/s each, and 33.3 GB/s up."""
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    graph = replace(graph, link_bandwidth_bytes_per_s=np.array([16_666_666_667, 33_300_000_001.0]))
    assert flow(graph, [0, 1], [2, 3]) == pytest.approx(33.3e9, rel=1 / 256)


def test_a_flow_beyond_whole_numbers_is_refused(monkeypatch):
    monkeypatch.setattr("app.engine.fabric.faults.flow.FINEST", 2**31)
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    graph = replace(graph, link_bandwidth_bytes_per_s=np.array([1e10, 1e10 + 1]))
    with pytest.raises(OverflowError, match="too large"):
        flow(graph, [0, 1], [2, 3])


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    shape=st.sampled_from(["two tiers", "three tiers", "ring"]),
    links=st.integers(0, 12),
    seed=st.integers(0, 10**6),
    pair=st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] != pair[1]),
)
def test_flow_is_that_of_augmenting_paths(shape, links, seed, pair):
    graph = SHAPES[shape]
    lost = by_chance(graph, links=links, switches=0, seed=seed)
    alive = lost.alive_links(graph)
    found = flow(graph, [pair[0]], [pair[1]], lost)
    if shape == "ring":
        around = [alive[pair[0] : pair[1]], np.r_[alive[pair[1] :], alive[: pair[0]]]]
        if pair[0] > pair[1]:
            around = [alive[pair[1] : pair[0]], np.r_[alive[pair[0] :], alive[: pair[1]]]]
        assert found == sum(bool(way.all()) for way in around) * LINK
    else:
        assert found == largest_flow(graph, alive, *pair)


SHAPES = {
    "two tiers": leaves_and_spines(hosts=12, leaves=3, spines=2, up=2),
    "three tiers": three_tiers(),
    "ring": host_ring(12),
}
