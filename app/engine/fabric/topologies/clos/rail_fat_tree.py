"""The rail-optimised folded Clos: a leaf a rail and unit, spines above, cores above those from three tiers."""

from __future__ import annotations

from app.engine.fabric.topologies.clos.topology import clos_topology
from app.engine.fabric.topologies.clos.wiring import Wiring, wire
from app.engine.fabric.topologies.shape import Ask


def rail_fat_tree_wiring(ask: Ask) -> Wiring:
    """Leaves by rail: NIC i of every node of a unit goes to a leaf of rail i."""
    return wire(pod=ask.pod, supernode=ask.supernode, plugs=ask.plugs, assumptions=ask.assumptions)


RAIL_FAT_TREE = clos_topology("rail_fat_tree", "Rail-optimised fat tree", rail_fat_tree_wiring)
