"""Room of a rack and what fits into it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.engine.fabric.floor.limits import demand_of_node, how_many_fit, own_racks, room_of_rack
from tests.engine.fabric.floor.cases import DGX_H100
from tests.engine.fabric.floor.rules import floor_rules


def test_the_least_of_five_limits_says_how_many_fit():
    room, node = room_of_rack(floor_rules()), demand_of_node(DGX_H100)
    assert room.tolist() == [42, 41_000, 50_000, 150_000, 1_200]
    assert node.tolist() == [8, 10_200, 10_200, 0, 130.5]
    assert how_many_fit(room, node) == 4
    assert how_many_fit(room, node * [1, 0.1, 1, 1, 1]) == 4  # 4.9 by air
    assert how_many_fit(room, node * [1, 0.1, 0.1, 1, 1]) == 5  # 5.25 by height
    assert how_many_fit(room, node * [0.1, 0.1, 0.1, 1, 1]) == 9  # 9.2 by weight


def test_a_part_of_a_unit_takes_a_whole_one():
    assert demand_of_node(dataclasses.replace(DGX_H100, units=8.5))[0] == 9


def test_what_is_unknown_limits_nothing():
    assert how_many_fit(np.array([10.0, 5.0]), np.array([2.0, np.nan])) == 5
    assert how_many_fit(np.array([10.0, np.nan]), np.array([2.0, 1.0])) == 5


@pytest.mark.parametrize(
    ("racks", "own"), [(0.0, 0), (0.25, 0), (1.0, 1), (1.25, 2), (16.0, 16), (np.nan, 0)]
)
def test_a_supernode_has_its_own_racks_where_it_fills_whole_ones(racks: float, own: int):
    assert own_racks(racks=np.full(1, racks))[0] == own
