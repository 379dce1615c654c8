"""Devices that are wired alike are one place."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.graph.graph import places
from tests.engine.fabric.faults.fabrics import leaves_and_spines, three_tiers


def test_spines_that_reach_the_same_leaves_are_one_place():
    graph = leaves_and_spines(hosts=6, leaves=3, spines=4)
    place = places(graph, np.full(graph.link_count, True), graph.of_kind("host"))
    assert np.unique(place[graph.of_kind("spine")]).size == 1
    assert np.unique(place[graph.of_kind("leaf")]).size == 3  # their hosts differ
    assert np.unique(place[graph.of_kind("host")]).size == 6
    assert sorted(np.unique(place).tolist()) == list(range(3 + 6 + 1))


def test_a_spine_that_has_lost_a_link_is_a_place_of_its_own():
    graph = leaves_and_spines(hosts=6, leaves=3, spines=4)
    alive = np.full(graph.link_count, True)
    alive[graph.of_tier("spine")[0]] = False
    place = places(graph, alive, graph.of_kind("host"))
    assert np.unique(place[graph.of_kind("spine")]).size == 2


def test_what_is_merged_is_merged_with_its_own_kind():
    graph = three_tiers()
    place = places(graph, np.full(graph.link_count, True), graph.of_kind("host"))
    cores, spines = graph.of_kind("core"), graph.of_kind("spine")
    assert np.unique(place[cores]).size < cores.size
    assert not set(place[cores]) & set(place[spines])


def test_devices_that_stay_alone_are_places_of_their_own():
    graph = leaves_and_spines(hosts=2, leaves=1, spines=1)
    none = places(graph, np.full(graph.link_count, False), np.arange(graph.device_count))
    assert sorted(none.tolist()) == list(range(graph.device_count))
