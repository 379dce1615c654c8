"""The ladder of memory below an accelerator's own: host, other accelerators of the domain, drives of the node, a pool.

Every tier is three numbers for each accelerator, and every formula takes them, whichever tier it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.quantities import quantity
from app.engine.specs import HOST_MEMORY, MemoryPool, SuperNode
from app.engine.trace import Array, plain

HOST, PEER, DRIVES, POOL = 0.0, 1.0, 2.0, 3.0
TIERS = {HOST: "host", PEER: "peer", DRIVES: "nvme", POOL: "pool"}
"""The tiers as a layout numbers them, and the words of scenarios."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTier:
    """Memory that an accelerator may leave things in, its share of it."""

    capacity_bytes: Array
    link_bytes_per_s: Array  # of the way there, one way
    medium_bytes_per_s: Array  # of the memory or drive itself
    latency_s: Array | None = None  # of one access; None: counted in the rates of its link


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTiers:
    """All tiers that a layout may choose of."""

    host: MemoryTier
    peer: MemoryTier
    drives: MemoryTier
    pool: MemoryTier | None = None  # None: the SuperNode has none

    def of(self, tier: Array) -> MemoryTier:
        """The tier of each layout; that of the host by itself where there is no other."""
        if np.all(plain(tier) == HOST):
            return self.host
        found = {
            name: chosen_tier(
                tier=tier,
                host=getattr(self.host, name),
                peer=getattr(self.peer, name),
                drives=getattr(self.drives, name),
            )
            for name in RATES
        }
        if np.any(plain(tier) == POOL):
            found = {
                name: chosen_pool(tier=tier, other=other, pool=_of_pool(self.pool, name))
                for name, other in found.items()
            }
        return MemoryTier(**found)


RATES = ("capacity_bytes", "link_bytes_per_s", "medium_bytes_per_s")


def _of_pool(pool: MemoryTier | None, name: str) -> Array:
    """A figure of the pool; of one that is not there its size is 0 and nothing else is known."""
    if pool is not None:
        found: Array = getattr(pool, name)
        return found
    return np.zeros(1) if name == "capacity_bytes" else np.full(1, np.nan)


@quantity(unit="1", source="definition")
def chosen_tier(*, tier: Array, host: Array, peer: Array, drives: Array) -> Array:
    """Of three figures that of the memory tier which the layout chooses."""
    return np.where(tier == PEER, peer, np.where(tier == DRIVES, drives, host))


@quantity(unit="1", source="definition")
def chosen_pool(*, tier: Array, other: Array, pool: Array) -> Array:
    """Of a figure of the pool of memory and of that of the other tiers the one of the tier which the layout chooses."""
    return np.where(tier == POOL, pool, other)


@quantity(unit="B", source="definition")
def host_memory_left_bytes(*, share_bytes: Array, pooled_bytes: Array) -> Array:
    """Memory of the hosts for each accelerator that they do not give to a pool."""
    return np.maximum(share_bytes - pooled_bytes, 0.0)


@quantity(unit="B/s", source="definition: an access to the memory of another host crosses the scale-up links")
def pool_link_bytes_per_s(*, pool_bytes_per_s: Array, scale_up_bytes_per_s: Array) -> Array:
    """Rate at which an accelerator reads or writes a pool in the memory of hosts: never above its scale-up links."""
    return np.minimum(pool_bytes_per_s, scale_up_bytes_per_s)


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
    host_bytes = host_memory_share_bytes(
        host_memory_bytes=supernode.host_memory_bytes, accelerators=supernode.accelerators
    )
    pool = supernode.pool
    if pool is not None and pool.technology == HOST_MEMORY:
        host_bytes = host_memory_left_bytes(share_bytes=host_bytes, pooled_bytes=pool.capacity_bytes)
    return MemoryTiers(
        host=MemoryTier(
            capacity_bytes=host_bytes,
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
        pool=None if pool is None else _pool_tier(pool, neighbour_bytes_per_s, a),
    )


def _pool_tier(pool: MemoryPool, neighbour_bytes_per_s: Array, a: PerformanceAssumptions) -> MemoryTier:
    """A pool as a tier: memory of the hosts is read as fast as they read it, modules as fast as their own links."""
    if pool.technology != HOST_MEMORY:
        rate = pool.bandwidth_bytes_per_s
        return MemoryTier(
            capacity_bytes=pool.capacity_bytes,
            link_bytes_per_s=rate,
            medium_bytes_per_s=rate,
            latency_s=pool.latency_s,
        )
    return MemoryTier(
        capacity_bytes=pool.capacity_bytes,
        link_bytes_per_s=pool_link_bytes_per_s(
            pool_bytes_per_s=pool.bandwidth_bytes_per_s, scale_up_bytes_per_s=neighbour_bytes_per_s
        ),
        medium_bytes_per_s=a.host_memory_bandwidth_bytes_per_s,
        latency_s=pool.latency_s,
    )
