"""Rail-only: a Clos for each rail and no links between them; from rail to rail goes the scale-up fabric.

W. Wang et al., "Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion Parameters",
arXiv 2307.12169 (2023). Distances are those inside a rail; a change of rails is a scale-up hop on top.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.fabric import ports
from app.engine.fabric.topologies.clos.topology import clos_topology
from app.engine.fabric.topologies.clos.wiring import Wiring, wire
from app.engine.fabric.topologies.shape import Ask


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
