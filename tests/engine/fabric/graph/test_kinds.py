"""What devices do by their kind."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.graph.graph import (
    NO_PORT,
    FabricGraph,
    devices_of,
    hosts_forward,
    is_switch,
    links_between,
    passes_on,
)


def joined(counts: dict[str, int], *links: tuple[int, int]) -> FabricGraph:
    devices, _ = devices_of(counts, plane={}, group={}, rail={})
    lower, upper = np.array(links, int).reshape(-1, 2).T
    return FabricGraph(
        kinds=tuple(counts),
        tiers=("leaf",),
        devices=devices,
        links=links_between(tier=0, lower=lower, upper=upper, lower_port=NO_PORT, upper_port=NO_PORT),
        link_bandwidth_bytes_per_s=np.ones(1),
    )


def test_switches_of_other_networks_pass_nothing_on():
    graph = joined({"host": 1, "management": 1, "managed_switch": 1, "leaf": 1, "router": 1})
    assert passes_on(graph).tolist() == [False, False, False, True, True]
    assert is_switch(graph).tolist() == [False, False, True, True, True]


def test_hosts_pass_on_where_they_are_joined_to_each_other():
    assert hosts_forward(joined({"host": 3}, (0, 1), (1, 2)))
    assert not hosts_forward(joined({"host": 2, "leaf": 1}, (0, 2), (1, 2)))
    assert not hosts_forward(joined({"host": 2, "managed_switch": 1}, (0, 2), (1, 2)))
