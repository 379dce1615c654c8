"""Links and cables by tier and part."""

from __future__ import annotations

import math

import numpy as np

from app.engine.fabric.cabling.schedule import cable_counts
from tests.engine.fabric.cabling.fabrics import cables, pairs, superpod


def test_links_of_one_part_are_counted_and_measured():
    """Of six links every other is of each part; lengths go 1, 2, 3.5 m and again."""
    first, second = cable_counts(cables(pairs(3)))
    assert first[:5] == ("compute", "leaf", "MMA4Z00-NS 2xSR4", 3, 3)
    assert second[:5] == ("compute", "leaf", "DAC 800G, 2 m", 3, 3)
    assert (first.shortest_m, first.longest_m, first.total_m) == (1.0, 3.5, 6.5)
    assert (second.shortest_m, second.longest_m, second.total_m) == (1.0, 3.5, 6.5)


def test_a_cable_of_several_links_is_bought_once():
    graph = superpod(32)
    of_spines = graph.links.tier == 1
    network = cables(
        graph,
        part=of_spines.astype(int),
        cable_links=np.array([1, 2]),
        length_m=np.where(of_spines, 20.0, 3.0),
    )
    leaf, spine = cable_counts(network)
    assert (leaf.links, leaf.cables, leaf.total_m) == (256, 256, 768.0)
    assert (spine.links, spine.cables, spine.total_m) == (256, 128, 2560.0)


def test_what_is_not_known_stays_so():
    (only,) = cable_counts(cables(pairs(1), part=np.full(2, -1), length_m=np.full(2, np.nan)))
    assert only.part == ""
    assert math.isnan(only.shortest_m)
    assert math.isnan(only.total_m)
