"""Every way to join SuperNodes, by the name that scenarios use."""

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.plugs import no_switch, plug, plug_directly
from app.engine.fabric.topologies.clos.topology import DUAL_TOR, FAT_TREE, RAIL_FAT_TREE, RAIL_ONLY
from app.engine.fabric.topologies.dragonflies.dragonfly import DRAGONFLY
from app.engine.fabric.topologies.dragonflies.dragonfly_plus import DRAGONFLY_PLUS
from app.engine.fabric.topologies.lattices.hammingmesh import HAMMINGMESH
from app.engine.fabric.topologies.lattices.hyperx import HYPERX
from app.engine.fabric.topologies.lattices.mesh import FULL_MESH, ND_FULL_MESH
from app.engine.fabric.topologies.lattices.torus import TORUS_2D, TORUS_3D
from app.engine.fabric.topologies.shape import Ask, Topology
from app.engine.specs import Pod, SuperNode

TOPOLOGIES: dict[str, Topology] = {
    topology.name: topology
    for topology in (
        RAIL_FAT_TREE,
        FAT_TREE,
        RAIL_ONLY,
        DUAL_TOR,
        DRAGONFLY,
        DRAGONFLY_PLUS,
        TORUS_2D,
        TORUS_3D,
        FULL_MESH,
        ND_FULL_MESH,
        HYPERX,
        HAMMINGMESH,
    )
}


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
    """Requirements on the fabric of a pod; the properties of a switch that is not named are unknown."""
    join = plug_directly if topology_of(pod.fabric.topology).direct else plug
    plugs = join(pod=pod, supernode=supernode, switch=pod.fabric.switch or no_switch())
    return Ask(pod=pod, supernode=supernode, plugs=plugs, assumptions=assumptions)
