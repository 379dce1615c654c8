"""The tier of memory that cached keys and values wait in, as a scenario names it."""

from __future__ import annotations

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import (
    DRIVES,
    HOST,
    PEER,
    TIERS,
    MemoryTier,
    MemoryTiers,
    memory_tiers,
)
from app.engine.performance.sustained_bandwidth import (
    neighbour_bandwidth_bytes_per_s,
    sustained_pair_bandwidth_bytes_per_s,
    sustained_scale_up_bandwidth_bytes_per_s,
)
from app.engine.performance.sustained_rates import sustained_memory_bandwidth_bytes_per_s
from app.engine.specs import SuperNode
from app.engine.specs.serving import ACCELERATOR
from app.engine.trace import first_of

DOWN_TO = {
    ACCELERATOR: (),
    TIERS[HOST]: (TIERS[HOST],),
    TIERS[PEER]: (TIERS[PEER],),
    TIERS[DRIVES]: (TIERS[HOST], TIERS[DRIVES]),
}
"""Names of the tiers that a prefix cache goes down to, by the last of them."""


def cache_tier(name: str, supernode: SuperNode, of_chips: PerformanceAssumptions) -> MemoryTier | None:
    """The tier of a name; None for the accelerators' own memory."""
    return None if name == ACCELERATOR else _by_name(_tiers(supernode, of_chips))[name]


def cache_tiers(name: str, supernode: SuperNode, of_chips: PerformanceAssumptions) -> tuple[MemoryTier, ...]:
    """Tiers below the accelerators' own memory that contexts go down, up to the one of a name.

    Drives stand behind the host; other accelerators hold what no host does.
    """
    there = _by_name(_tiers(supernode, of_chips))
    return tuple(there[one] for one in DOWN_TO[name])


def host_tier(supernode: SuperNode, of_chips: PerformanceAssumptions) -> MemoryTier:
    """The memory of the host, an accelerator's share of it."""
    return _tiers(supernode, of_chips).host


def tiers_there(supernode: SuperNode, of_chips: PerformanceAssumptions) -> tuple[str, ...]:
    """Names of the tiers that a SuperNode has, the accelerators' own first; one of unknown size is there."""
    tiers = _by_name(_tiers(supernode, of_chips))
    has = {name: first_of(tier.capacity_bytes) != 0 for name, tier in tiers.items()}
    has[TIERS[PEER]] &= first_of(supernode.scale_up_domain_accelerators) != 1
    return (ACCELERATOR, *(name for name, there in has.items() if there))


def _by_name(tiers: MemoryTiers) -> dict[str, MemoryTier]:
    return {TIERS[HOST]: tiers.host, TIERS[PEER]: tiers.peer, TIERS[DRIVES]: tiers.drives}


def _tiers(supernode: SuperNode, of_chips: PerformanceAssumptions) -> MemoryTiers:
    accelerator, a = supernode.accelerator, of_chips
    return memory_tiers(
        supernode=supernode,
        neighbour_bytes_per_s=neighbour_bandwidth_bytes_per_s(
            pair_bandwidth_bytes_per_s=sustained_pair_bandwidth_bytes_per_s(
                scale_up_pair_bandwidth_bytes_per_s=accelerator.scale_up_pair_bandwidth_bytes_per_s,
                scale_up_efficiency=a.scale_up_efficiency,
            ),
            full_bandwidth_bytes_per_s=sustained_scale_up_bandwidth_bytes_per_s(
                scale_up_bandwidth_bytes_per_s=accelerator.scale_up_bandwidth_bytes_per_s,
                scale_up_efficiency=a.scale_up_efficiency,
            ),
        ),
        memory_bandwidth_bytes_per_s=sustained_memory_bandwidth_bytes_per_s(
            memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
            memory_bandwidth_fraction=a.memory_bandwidth_fraction,
        ),
        assumptions=a,
    )
