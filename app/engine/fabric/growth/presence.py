"""What of the final fabric is there while its hosts arrive in their order."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole
from app.engine.fabric.graph.kinds import HOST, is_switch


def present(graph: FabricGraph, hosts: int) -> tuple[Mask, Mask]:
    """Devices and links of the final fabric that the first `hosts` hosts need.

    A switch with a host is there, and with it those of its kind in its unit: units of leaves and groups of
    routers are bought whole. So is a switch above one that is there, as far as it is of another kind. A link
    is there once both its ends are.
    """
    devices, links = graph.devices, graph.links
    there = np.zeros(graph.device_count, bool)
    there[graph.of_kind(HOST)[:hosts]] = True
    at_hosts = links.upper[(links.tier == 0) & there[links.lower]]
    there[at_hosts] = True
    there |= _in_units(graph, at_hosts)
    for tier in range(1, len(graph.tiers)):
        of_tier = (links.tier == tier) & (devices.kind[links.lower] != devices.kind[links.upper])
        there[links.upper[of_tier & there[links.lower]]] = True
    managers = graph.of_kind("management")
    served = np.isin(managers, links.lower[there[links.upper] & (links.tier == 0)])
    there[managers[served]] = True
    return there, there[links.lower] & there[links.upper]


def _in_units(graph: FabricGraph, switches: Whole) -> Mask:
    """Devices of the kinds and units of some switches."""
    devices = graph.devices
    units = int(devices.group.max(initial=0)) + 2
    unit = devices.kind.astype(np.int64) * units + devices.group
    grouped = switches[devices.group[switches] >= 0]
    return np.asarray((devices.group >= 0) & np.isin(unit, np.unique(unit[grouped])))


def free_ports(graph: FabricGraph, there: Mask, laid: Mask, switch_radix: int) -> int:
    """Ports of the switches that are there without a link that is."""
    switch = is_switch(graph)
    ends = np.concatenate([graph.links.lower[laid], graph.links.upper[laid]])
    return int(np.sum(there & switch)) * switch_radix - int(np.sum(switch[ends]))
