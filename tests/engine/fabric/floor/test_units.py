"""Who belongs to which unit."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.floor.units import supernode_groups, units_of_devices, units_of_supernodes
from tests.engine.fabric.floor.cases import two_tiers


def test_supernodes_have_the_group_of_their_first_host():
    graph = two_tiers([4, 4])
    assert supernode_groups({"compute": graph}, np.array([0, 2, 4, 6])).tolist() == [0, 0, 1, 1]


def test_supernodes_that_no_network_groups_come_in_units_of_a_row():
    none = supernode_groups({}, np.arange(5))
    assert none.tolist() == [-1] * 5
    assert units_of_supernodes(none, np.zeros(5, int), np.array([2]), np.array([1])).tolist() == [
        0,
        0,
        1,
        1,
        2,
    ]


def test_small_units_are_put_together():
    groups = np.repeat(np.arange(5), 2)
    units = units_of_supernodes(groups, np.zeros(10, int), np.array([9]), np.array([4]))
    assert units.tolist() == [0] * 4 + [1] * 4 + [2] * 2


def test_kinds_are_never_one_unit():
    units = units_of_supernodes(np.zeros(4, int), np.array([0, 0, 1, 1]), np.array([9, 9]), np.array([4, 4]))
    assert units.tolist() == [0, 0, 1, 1]


def test_switches_belong_to_the_unit_that_they_serve():
    graph = two_tiers([2, 2, 2], leaves=1, spines=1)
    unit_of_host = np.array([0, 0, 1, 1, 2, 2])
    units = units_of_devices(graph, unit_of_host)
    assert units[graph.of_kind("leaf")].tolist() == [0, 1, 2]
    assert units[graph.of_kind("spine")].tolist() == [-1]


def test_a_switch_of_two_neighbours_stands_with_the_first_and_one_of_many_with_none():
    graph = two_tiers([6])
    assert units_of_devices(graph, np.array([0, 0, 0, 1, 1, 1]))[graph.of_kind("leaf")].tolist() == [0]
    assert units_of_devices(graph, np.array([0, 0, 1, 1, 2, 2]))[graph.of_kind("leaf")].tolist() == [-1]
