"""Dual top-of-rack: every NIC has a link to each of two leaves, so that no leaf takes a node down.

The two leaves of a rail share their spines. Where each of them has spines of its own, the fabric has two
planes instead. K. Qian et al., "Alibaba HPN", SIGCOMM 2024.
"""

from __future__ import annotations

import dataclasses

from app.engine.fabric import ports
from app.engine.fabric.topologies.clos.topology import clos_topology
from app.engine.fabric.topologies.clos.wiring import Wiring, wire
from app.engine.fabric.topologies.shape import Ask
from app.engine.specs import Pod

SIDES = 2


def two_sided(pod: Pod) -> Pod:
    """The pod with modules that carry twice as many links: those of two sides have half the rate each."""
    plan = pod.fabric
    switch_end, node_end = (
        dataclasses.replace(module, links=ports.half_rate_links(links=module.links))
        for module in (plan.switch_transceiver, plan.node_transceiver)
    )
    plan = dataclasses.replace(plan, switch_transceiver=switch_end, node_transceiver=node_end)
    return dataclasses.replace(pod, fabric=plan)


def dual_tor_wiring(ask: Ask) -> Wiring:
    """Leaves by rail and side: each takes one of the two links of every NIC of its rail."""
    plugs = dataclasses.replace(
        ask.plugs,
        rails=ask.plugs.rails * float(SIDES),
        endpoints_per_rail=ask.plugs.endpoints_per_rail / float(SIDES),
    )
    return wire(pod=ask.pod, supernode=ask.supernode, plugs=plugs, assumptions=ask.assumptions, sides=SIDES)


DUAL_TOR = clos_topology("dual_tor", "Dual top-of-rack fat tree", dual_tor_wiring)
