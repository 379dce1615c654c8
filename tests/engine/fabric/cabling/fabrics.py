"""Small fabrics for the tests of cabling."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.cabling.schedule import NetworkCables, rack_names, unplaced
from app.engine.fabric.graph.graph import FabricGraph, devices_of, links_between
from app.engine.fabric.topologies import asked_of, topology_of
from tests.engine.fabric.pods import pod
from tests.support import assumptions, dgx_h100


def superpod(supernodes: int, **changes: Any) -> FabricGraph:
    """A pod of DGX H100 below a rail-optimised fat tree."""
    ask = asked_of(
        pod=pod(supernodes, **changes),
        supernode=dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
    )
    return topology_of("rail_fat_tree").graph(ask)


def pairs(hosts: int) -> FabricGraph:
    """Hosts of two ports below two leaves of one unit, so that port h of a leaf is that of host h."""
    devices, first = devices_of(
        {"host": hosts, "leaf": 2}, plane={"leaf": np.zeros(2, int)}, group={"leaf": np.zeros(2, int)},
        rail={"leaf": np.arange(2)},
    )  # fmt: skip
    host, leaf = np.divmod(np.arange(hosts * 2), 2)
    links = links_between(
        tier=0, lower=first["host"] + host, upper=first["leaf"] + leaf, lower_port=leaf, upper_port=host
    )
    return FabricGraph(
        kinds=("host", "leaf"),
        tiers=("leaf",),
        devices=devices,
        links=links,
        link_bandwidth_bytes_per_s=np.full(1, 50e9),
    )


def cables(graph: FabricGraph, **changes: Any) -> NetworkCables:
    """The cables of a graph, two links to a cage, in four racks, of two parts and of lengths 1, 2 and 3.5 m."""
    racks = rack_names(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    made = unplaced("compute", graph, cage_links=np.full(graph.device_count, 2), ethernet=False)
    values = {
        "rack_names": racks,
        "rack": np.arange(graph.device_count) % 4,
        "bottom_u": np.arange(graph.device_count) % 42 + 1,
        "parts": np.array([b"MMA4Z00-NS 2xSR4", b"DAC 800G, 2 m"]),
        "part": np.arange(graph.link_count) % 2,
        "cable_links": np.array([1, 1]),
        "length_m": np.array([1.0, 2.0, 3.5])[np.arange(graph.link_count) % 3],
        "switch_type": b"MQM9700",
        "link_words": np.full(len(graph.tiers), b"4x-100G"),
    }
    return dataclasses.replace(made, **(values | changes))
