"""Distances and cuts, on graphs drawn by hand and on the rail-optimised fat tree."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.graph.measures import (
    diameter_and_mean,
    distances,
    fewest_links_between_halves,
    is_connected,
    links_cut,
    network_of,
)
from tests.engine.fabric.graph.test_graph import two_hosts_below_a_leaf
from tests.engine.fabric.pods import qm9700
from tests.engine.fabric.topologies.asks import ask, diameter_of, first, shape_and_graph


def test_two_hosts_below_a_leaf_are_two_links_apart() -> None:
    network = network_of(two_hosts_below_a_leaf())
    assert network.endpoints == 2
    assert distances(network, np.array([0])).tolist() == [[0, 2]]
    assert diameter_and_mean(network) == (2, 2)
    assert links_cut(network, np.array([True, False])) == 1
    assert fewest_links_between_halves(network) == 1


def test_too_many_halves_are_refused() -> None:
    _, graph = shape_and_graph(ask("torus_2d", 64, 4))
    with pytest.raises(ValueError, match="64 groups cannot all be tried: at most 22"):
        fewest_links_between_halves(network_of(graph))


@pytest.mark.parametrize(
    ("servers", "unit", "radix"),
    [
        (3, 2, 64),  # one switch takes all
        (8, 4, 8),  # two tiers
        (8, 4, 4),  # three tiers, two leaves a rail and unit
        (16, 4, 8),
    ],
)
def test_the_rail_fat_tree_is_as_its_formulas_say(servers: int, unit: int, radix: int) -> None:
    """Two NICs a server; whole units, so that every leaf is full."""
    switch = qm9700(ports=radix, max_logical_ports=radix)
    counted, graph = shape_and_graph(
        ask("rail_fat_tree", servers, 2, switch=switch, scalable_unit_supernodes=unit)
    )
    network = network_of(graph)
    diameter, mean = diameter_and_mean(network)
    links = graph.links
    assert is_connected(network)
    assert diameter == diameter_of(counted)
    assert mean == pytest.approx(first(counted.mean_path_links), rel=1e-12)
    switches = links.upper[links.tier >= 0]
    assert links.upper_port.max() < radix
    assert links.lower_port[np.isin(links.lower, switches)].max(initial=0) < radix
    host = links.lower[graph.of_tier("leaf")]
    assert links_cut(network, host < servers / 2) == pytest.approx(first(counted.bisection_links), abs=1)
