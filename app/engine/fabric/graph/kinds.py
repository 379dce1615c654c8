"""What devices do by their kind: hosts and servers end links, switches pass on what is for others."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph, Mask

HOST = "host"
END_KINDS = frozenset(
    {HOST, "management", "server", "storage_server", "service_server", "border", "gateway", "managed_switch",
     "power_strip"}
)  # fmt: skip
"""Kinds of devices in which links of their network end, and that pass nothing on; every other kind does."""
SWITCH_KINDS = frozenset({"managed_switch", "border", "gateway"})
"""Those of them that are switches nevertheless: of another network, or of the site."""


def passes_on(graph: FabricGraph) -> Mask:
    """Return whether each device passes on what comes in, as the switches of a network do."""
    return _of_kinds(graph, END_KINDS)


def is_switch(graph: FabricGraph) -> Mask:
    """Return whether each device is a switch, be it of another network; the others are hosts."""
    return _of_kinds(graph, END_KINDS - SWITCH_KINDS)


def hosts_forward(graph: FabricGraph) -> bool:
    """Return whether hosts are joined to hosts, and so pass on what is for others."""
    ends = ~is_switch(graph)
    return bool(np.any(ends[graph.links.lower] & ends[graph.links.upper]))


def _of_kinds(graph: FabricGraph, but: frozenset[str]) -> Mask:
    """Return whether each device is of another kind than these."""
    return np.array([kind not in but for kind in graph.kinds], bool)[graph.devices.kind]
