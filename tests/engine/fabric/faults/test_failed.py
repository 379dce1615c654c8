"""What fails: by index, by plane and rail, by feed and by chance."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.faults.failed import (
    by_chance,
    failed,
    nothing_failed,
    of_feed,
    of_plane,
    of_rail,
    planes_of,
    rails_of,
    together,
)
from tests.engine.fabric.faults.fabrics import leaves_and_spines, rail_fabric


def test_a_failed_switch_takes_its_links_with_it():
    graph = leaves_and_spines(hosts=4, leaves=2, spines=2)
    leaf = graph.of_kind("leaf")[0]
    lost = ~failed(graph, devices=np.array([leaf])).alive_links(graph)
    assert lost.sum() == 2 + 2  # its hosts and its spines
    assert nothing_failed(graph).alive_links(graph).all()


def test_a_rail_is_all_switches_that_serve_it():
    graph = rail_fabric(64)
    assert rails_of(graph).tolist() == list(range(8))
    assert of_rail(graph, 3).devices.sum() == 2  # a leaf in each of two units
    assert not of_rail(graph, 3).links.any()


def test_a_plane_is_all_of_its_switches():
    graph = rail_fabric(64, planes=2)
    assert planes_of(graph).tolist() == [0, 1]
    switches = graph.device_count - graph.of_kind("host").size
    assert of_plane(graph, 1).devices.sum() == switches / 2


def test_who_has_two_supplies_lives_on_the_other_feed():
    graph = leaves_and_spines(hosts=4, leaves=4, spines=2)
    rack = np.zeros(graph.device_count, int)
    assert not of_feed(graph, "A", device_rack=rack, racks=None, one_feed_kinds=()).devices.any()
    lost = of_feed(graph, "A", device_rack=rack, racks=None, one_feed_kinds=("leaf",)).devices
    assert graph.devices.number[lost].tolist() == [0, 2]
    assert set(graph.devices.kind[lost].tolist()) == {graph.kinds.index("leaf")}
    other = of_feed(graph, "B", device_rack=rack, racks=None, one_feed_kinds=("leaf",)).devices
    assert graph.devices.number[other].tolist() == [1, 3]


def test_a_feed_fails_only_in_the_racks_that_are_named():
    graph = leaves_and_spines(hosts=4, leaves=4, spines=2)
    rack = np.arange(graph.device_count)
    leaf = graph.of_kind("leaf")[2]
    lost = of_feed(graph, "A", device_rack=rack, racks=np.array([leaf]), one_feed_kinds=("leaf", "spine"))
    assert np.flatnonzero(lost.devices).tolist() == [leaf]


def test_chance_is_the_same_for_the_same_seed():
    graph = rail_fabric(64)
    once, again, other = (by_chance(graph, links=5, switches=3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(once.links, again.links)
    assert np.array_equal(once.devices, again.devices)
    assert once.links.sum() == 5
    assert once.devices.sum() == 3
    assert not once.devices[graph.of_kind("host")].any()
    assert not np.array_equal(once.links, other.links)


def test_more_than_there_are_cannot_fail_by_chance():
    with pytest.raises(ValueError, match="larger sample"):
        by_chance(leaves_and_spines(hosts=4, leaves=2, spines=2), links=0, switches=5, seed=1)


def test_failures_add_up():
    graph = leaves_and_spines(hosts=4, leaves=2, spines=2)
    both = together([failed(graph, links=np.array([1])), failed(graph, devices=np.array([5]))])
    assert np.flatnonzero(both.links).tolist() == [1]
    assert np.flatnonzero(both.devices).tolist() == [5]
