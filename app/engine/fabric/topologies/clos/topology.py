"""A folded Clos as a topology: all of it follows from how its leaves are wired.

Rail-only: a Clos for each rail and no links between them; from rail to rail goes the scale-up fabric.

W. Wang et al., "Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion Parameters",
arXiv 2307.12169 (2023). Distances are those inside a rail; a change of rails is a scale-up hop on top.

Dual top-of-rack: every NIC has a link to each of two leaves, so that no leaf takes a node down.

The two leaves of a rail share their spines. Where each has spines of its own, the fabric has two
planes instead. K. Qian et al., "Alibaba HPN", SIGCOMM 2024.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from app.engine.fabric import ports
from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.clos.graph import clos_graph
from app.engine.fabric.topologies.clos.problems import clos_problems
from app.engine.fabric.topologies.clos.shape import clos_shape
from app.engine.fabric.topologies.clos.wiring import Wiring, wire
from app.engine.fabric.topologies.shape import Ask, Shape, Topology
from app.engine.problems import Problem


def clos_topology(name: str, title: str, wiring: Callable[[Ask], Wiring]) -> Topology:
    """The topology that a way of wiring leaves makes."""

    def shape(ask: Ask) -> Shape:
        return clos_shape(ask, wiring(ask))

    def graph(ask: Ask) -> FabricGraph:
        return clos_graph(ask, wiring(ask))

    def ends(ask: Ask) -> FabricGraph:
        return clos_graph(ask, wiring(ask), with_ports=False)

    def problems(ask: Ask, fabric: Fabric) -> list[Problem]:
        return clos_problems(ask, wiring(ask))

    return Topology(name=name, title=title, shape=shape, graph=graph, ends=ends, problems=problems)


def fat_tree_wiring(ask: Ask) -> Wiring:
    """Leaves by rack: as many SuperNodes as a leaf takes, or several leaves for a large one."""
    rack = np.where(ask.plugs.networked_supernodes <= 0, 0.0, 1.0)
    plugs = dataclasses.replace(
        ask.plugs,
        rails=rack,
        endpoints_per_rail=ports.supernode_links(
            scale_out_nics=ask.supernode.scale_out_nics, links_per_nic=ask.plugs.links_per_nic
        ),
    )
    return wire(pod=ask.pod, supernode=ask.supernode, plugs=plugs, assumptions=ask.assumptions, units="racks")


FAT_TREE = clos_topology("fat_tree", "Fat tree by rack", fat_tree_wiring)


def rail_fat_tree_wiring(ask: Ask) -> Wiring:
    """Leaves by rail: NIC i of every node of a unit goes to a leaf of rail i."""
    return wire(pod=ask.pod, supernode=ask.supernode, plugs=ask.plugs, assumptions=ask.assumptions)


RAIL_FAT_TREE = clos_topology("rail_fat_tree", "Rail-optimised fat tree", rail_fat_tree_wiring)


def rail_only_wiring(ask: Ask) -> Wiring:
    """One rail's Clos, as often as there are rails."""
    joined = np.where(ask.plugs.networked_supernodes <= 0, 0.0, 1.0)
    plugs = dataclasses.replace(
        ask.plugs,
        rails=joined,
        endpoint_links=ports.rail_endpoint_links(
            endpoint_links=ask.plugs.endpoint_links, rails=ask.plugs.rails
        ),
    )
    return wire(
        pod=ask.pod,
        supernode=ask.supernode,
        plugs=plugs,
        assumptions=ask.assumptions,
        copies=ask.plugs.rails,
    )


RAIL_ONLY = clos_topology("rail_only", "Rail-only", rail_only_wiring)


SIDES = 2


def dual_tor_wiring(ask: Ask) -> Wiring:
    """Leaves by rail and side: each takes one of the two links of every NIC of its rail."""
    plugs = dataclasses.replace(
        ask.plugs,
        rails=ask.plugs.rails * float(SIDES),
        endpoints_per_rail=ask.plugs.endpoints_per_rail / float(SIDES),
    )
    return wire(pod=ask.pod, supernode=ask.supernode, plugs=plugs, assumptions=ask.assumptions, sides=SIDES)


DUAL_TOR = clos_topology("dual_tor", "Dual top-of-rack fat tree", dual_tor_wiring)
