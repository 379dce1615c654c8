"""The folded Clos by rack: all NICs of a SuperNode go to the leaf of its rack, whatever their rail."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.fabric import ports
from app.engine.fabric.topologies.clos.topology import clos_topology
from app.engine.fabric.topologies.clos.wiring import Wiring, wire
from app.engine.fabric.topologies.shape import Ask


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
