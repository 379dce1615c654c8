"""The ladder of memory below an accelerator's own: host, other accelerators of the domain, drives of the node.

Every tier is three numbers for each accelerator, and every formula takes them, whichever tier it is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.quantities import quantity
from app.engine.specs import SuperNode
from app.engine.trace import Array, plain

HOST, PEER, DRIVES = 0.0, 1.0, 2.0
TIERS = {HOST: "host", PEER: "peer", DRIVES: "nvme"}
"""The tiers as a layout numbers them, and the words of scenarios."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTier:
    """Memory that an accelerator may leave things in, its share of it."""

    capacity_bytes: Array
    link_bytes_per_s: Array  # of the way there, one way
    medium_bytes_per_s: Array  # of the memory or drive itself


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTiers:
    """All tiers that a layout may choose of."""

    host: MemoryTier
    peer: MemoryTier
    drives: MemoryTier

    def of(self, tier: Array) -> MemoryTier:
        """The tier of each layout; that of the host by itself where there is no other."""
        if np.all(plain(tier) == HOST):
            return self.host
        return MemoryTier(
            **{
                field.name: chosen_tier(
                    tier=tier,
                    host=getattr(self.host, field.name),
                    peer=getattr(self.peer, field.name),
                    drives=getattr(self.drives, field.name),
                )
                for field in fields(MemoryTier)
            }
        )


@quantity(unit="1", source="definition")
def chosen_tier(*, tier: Array, host: Array, peer: Array, drives: Array) -> Array:
    """Of three figures that of the memory tier which the layout chooses."""
    return np.where(tier == PEER, peer, np.where(tier == DRIVES, drives, host))


@quantity(unit="B", source="definition")
def host_memory_share_bytes(*, host_memory_bytes: Array, accelerators: Array) -> Array:
    """Memory of the hosts for each accelerator."""
    return host_memory_bytes / accelerators


def memory_tiers(
    *,
    supernode: SuperNode,
    neighbour_bytes_per_s: Array,
    memory_bandwidth_bytes_per_s: Array,
    assumptions: PerformanceAssumptions,
) -> MemoryTiers:
    """The tiers of a SuperNode.

    Drives stand behind the host: what goes there crosses the same link, and is held up by the drive.
    """
    a = assumptions
    return MemoryTiers(
        host=MemoryTier(
            capacity_bytes=host_memory_share_bytes(
                host_memory_bytes=supernode.host_memory_bytes, accelerators=supernode.accelerators
            ),
            link_bytes_per_s=a.host_link_bytes_per_s,
            medium_bytes_per_s=a.host_memory_bandwidth_bytes_per_s,
        ),
        peer=MemoryTier(
            capacity_bytes=a.peer_memory_bytes,
            link_bytes_per_s=neighbour_bytes_per_s,
            medium_bytes_per_s=memory_bandwidth_bytes_per_s,
        ),
        drives=MemoryTier(
            capacity_bytes=a.drive_bytes,
            link_bytes_per_s=a.host_link_bytes_per_s,
            medium_bytes_per_s=a.drive_bandwidth_bytes_per_s,
        ),
    )
