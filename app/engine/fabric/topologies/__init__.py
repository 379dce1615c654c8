"""Every way to join SuperNodes, by the name that scenarios use."""

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.topologies.rail_fat_tree import RAIL_FAT_TREE
from app.engine.fabric.topologies.shape import Ask, Topology
from app.engine.fabric.wiring import no_switch, plug
from app.engine.specs import Pod, SuperNode

TOPOLOGIES: dict[str, Topology] = {topology.name: topology for topology in (RAIL_FAT_TREE,)}


def topology_of(name: str) -> Topology:
    """A topology by its name; "none" is a fat tree of nothing.

    Raises
    ------
    ValueError : there is no such topology
    """
    if name == "none":
        return RAIL_FAT_TREE
    if name not in TOPOLOGIES:
        raise ValueError(f"unknown topology {name!r}: one of {', '.join(TOPOLOGIES)}, none")
    return TOPOLOGIES[name]


def asked_of(*, pod: Pod, supernode: SuperNode, assumptions: FabricAssumptions) -> Ask:
    """What the fabric of a pod is built for; of a switch nobody named nothing is known."""
    plugs = plug(pod=pod, supernode=supernode, switch=pod.fabric.switch or no_switch())
    return Ask(pod=pod, supernode=supernode, plugs=plugs, assumptions=assumptions)
