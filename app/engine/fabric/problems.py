"""Problems of a fabric, and the smallest change that fixes it.

Unpublished inputs are not named here: whatever they leave unknown says so by itself.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.figures import Fabric
from app.engine.fabric.kinds import AUTO, KINDS, spoken_kinds
from app.engine.fabric.networks.problems import network_problems, no_network_problems
from app.engine.fabric.tier_parts import CLOS
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.fabric.topologies.port_problems import UPPER_TIERS, unused_fields
from app.engine.problems import Fix, Problem
from app.engine.specs import Pod, SuperNode
from app.engine.trace import first_of


def fabric_problems(
    *, pod: Pod, supernode: SuperNode, fabric: Fabric, assumptions: FabricAssumptions
) -> list[Problem]:
    """Problems of the scale-out fabric, of the first sample; none where there is nothing to join."""
    supernodes = first_of(pod.supernodes)
    if fabric.topology == "none" and supernodes <= 1:
        return no_network_problems(pod)
    if pod.fabric.topology == "none":
        return [_not_joined(supernodes)]
    if pod.fabric.switch is None:
        return [_no_switch()]
    with np.errstate(all="ignore"):
        ask = asked_of(pod=pod, supernode=supernode, assumptions=assumptions)
        topology = topology_of(pod.fabric.topology)
        found = topology.problems(ask, fabric)
        if topology.name not in CLOS:
            found += unused_fields(
                ask, title=f"A fabric of the topology {topology.title}", fields=UPPER_TIERS
            )
        found += network_problems(pod=pod, fabric=fabric, assumptions=assumptions)
    own = [_uneven_nics(supernode), _other_kind(pod)]
    return [*(problem for problem in own if problem), *found]


def _not_joined(supernodes: float) -> Problem:
    return Problem(
        kind="infeasible",
        field="pod.fabric.topology",
        constraint="topology",
        message=f"{supernodes:.0f} SuperNodes have no scale-out fabric to reach each other.",
        value=supernodes,
        limit=1,
        missed_by=supernodes - 1,
        unit="1",
        fix=Fix(
            field="pod.fabric.topology",
            value="rail_fat_tree",
            message="Join them by a rail-aligned fat tree.",
        ),
        affects=("fabric", "performance"),
    )


def _no_switch() -> Problem:
    return Problem(
        kind="missing_input",
        field="pod.fabric.switch",
        constraint="switch",
        message="No switch is named for the scale-out fabric, so its size, power and price are unknown.",
        affects=("fabric", "power", "cost"),
    )


def _other_kind(pod: Pod) -> Problem | None:
    """A kind of fabric that its switch does not speak."""
    asked, switch = pod.fabric.kind_asked, pod.fabric.switch
    if asked == AUTO or switch is None or asked in spoken_kinds(switch.protocol):
        return None
    return Problem(
        kind="infeasible",
        field="pod.fabric.kind",
        constraint="protocol",
        message=f"{switch.name} speaks {switch.protocol}, not {KINDS[asked].title}.",
        fix=Fix(
            field="pod.fabric.switch",
            value="auto",
            message=f"Take a switch of {KINDS[asked].title}, or leave the kind to the switch.",
        ),
        affects=("fabric", "performance"),
    )


def _uneven_nics(supernode: SuperNode) -> Problem | None:
    nics, nodes = first_of(supernode.scale_out_nics), first_of(supernode.nodes)
    if not nics % nodes > 0:
        return None
    even = float(np.ceil(nics / nodes) * nodes)
    return Problem(
        kind="warning",
        field="supernode.override.scale_out_nics",
        constraint="rails",
        message=f"{nics:.0f} compute NICs do not spread evenly over {nodes:.0f} nodes, so not every rail "
        "reaches every node.",
        value=nics,
        limit=even,
        missed_by=even - nics,
        unit="1",
        fix=Fix(
            field="supernode.override.scale_out_nics", value=even, message=f"Use {even:.0f} compute NICs."
        ),
        affects=("fabric",),
    )
