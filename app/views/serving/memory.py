"""Memory of an accelerator that serves, part by part, against the sequences that it holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.serving.footprint import running_tokens
from app.engine.performance.serving.kv_cache import DOWN_TO
from app.engine.performance.serving.latency import RETURN
from app.engine.performance.serving.memory import shared_prefix_bytes
from app.engine.performance.serving.replica_load import held_by, occupancy, reused
from app.engine.specs.serving import ACCELERATOR
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.served import Served, layout_words, middle, served

BATCHES = 25
BEYOND = 1.25
"""Batches are shown up to so many times the one that fits."""
LEAST = 8.0
"""Sequences that are shown at least, where not so many fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPoint:
    """An accelerator of a decode instance that holds so many sequences."""

    batch: float
    memory_bytes: float
    parts_bytes: dict[str, float]
    fits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextTier:
    """Sessions held in one tier of the prefix cache by a replica at the load of the scenario."""

    tier: str  # accelerator | host | peer | nvme
    held_tokens: float  # of contexts, in this tier
    time_s: float  # characteristic time: a context that waits longer is gone from it
    hit_share: float  # of the turns after the first, that find their context in it


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCache:
    """Reuse of contexts by sessions at the load of the scenario."""

    prefix_hit_share: float  # of the tokens of prompts, the system prompt included
    context_hit_share: float  # of the turns after the first
    sessions_alive: float  # on the pod
    tiers: tuple[ContextTier, ...]  # from the accelerators down


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """`usable_bytes` is what the engine takes of the memory that is fitted; `limit` sequences fit into it."""

    name: str
    mode: str
    layout: str
    accelerators_per_instance: float
    points: tuple[MemoryPoint, ...]
    here: MemoryPoint
    batch_limit: float
    usable_bytes: float
    fitted_bytes: float
    sequence_tokens: float  # of a running sequence, on average
    kv_bytes_per_request: float
    bytes_per_sequence: float  # that one more sequence takes of an accelerator
    shared_prefix_bytes: float  # of an accelerator, held once for all
    cache_tier: str  # accelerator | host | peer | nvme
    tier_bytes: float | None  # of it for each accelerator; None: the accelerators' own, as the next three
    offloaded_sequences: (
        float | None
    )  # of one instance, that it holds beside those in the accelerators' memory
    return_s: float | None  # in which the cached part of a prompt comes back
    saved_by_return_s: float | None  # against computing it again
    binds: str  # the largest part at the limit
    sessions: SessionCache | None  # None: requests are no sessions


def memory_view(scenario: EvaluatedScenario) -> MemoryView:
    """Memory by part against batch.

    Raises
    ------
    ScenarioError : the scenario serves no model
    """
    found = served(scenario, "Memory vs batch", ("batch_limit", "batch"), mixed=True)
    performance = found.performance
    limit, own = middle(performance.batch_limit), middle(performance.batch)
    highest = max(BEYOND * limit, 1.1 * own, LEAST)
    shown = np.unique([*np.round(np.linspace(0.0, highest, BATCHES)), own, limit])
    usable = middle(performance.memory_capacity_bytes)
    points = _points(found, shown, usable)
    at = dict(zip(shown.tolist(), points, strict=True))
    asked = found.setting.workload.requests
    edge, tier = at[limit], found.setting.tier
    return MemoryView(
        name=found.name,
        mode=found.replica.mode,
        layout=layout_words(found.replica.decode, found.on[0]),
        accelerators_per_instance=first_of(found.replica.decode.accelerators),
        points=tuple(points),
        here=at[own],
        batch_limit=limit,
        usable_bytes=usable,
        fitted_bytes=first_of(found.setting.machine.memory_bytes),
        sequence_tokens=first_of(running_tokens(asked)),
        kv_bytes_per_request=middle(performance.kv_bytes_per_request),
        bytes_per_sequence=(points[-1].memory_bytes - points[0].memory_bytes) / points[-1].batch,
        shared_prefix_bytes=first_of(shared_prefix_bytes(occupancy(found.setting, found.replica))),
        cache_tier=asked.cache_tier,
        tier_bytes=None if tier is None else first_of(tier.capacity_bytes),
        offloaded_sequences=_known(performance.offloaded_sequences),
        return_s=_known(performance.ttft_breakdown_s.get(RETURN)),
        saved_by_return_s=_known(performance.saved_by_return_s),
        binds=max(edge.parts_bytes, key=lambda name: edge.parts_bytes[name]),
        sessions=_sessions(found),
    )


def _sessions(found: Served) -> SessionCache | None:
    performance, asked = found.performance, found.setting.workload.requests
    if performance.prefix_hit_share is None or performance.context_hit_share is None:
        return None
    assert performance.sessions_alive is not None
    load = np.full(1, middle(performance.concurrency) / found.replicas)
    _, reuse = reused(found.setting, found.replica, load, found.limit)
    rooms = [first_of(room) for room in reuse.held_tokens]
    names = (ACCELERATOR, *DOWN_TO[asked.cache_tier])
    return SessionCache(
        prefix_hit_share=middle(performance.prefix_hit_share),
        context_hit_share=middle(performance.context_hit_share),
        sessions_alive=middle(performance.sessions_alive),
        tiers=tuple(
            ContextTier(
                tier=name,
                held_tokens=room - above,
                time_s=first_of(time),
                hit_share=first_of(share),
            )
            for name, room, above, time, share in zip(
                names, rooms, [0.0, *rooms], reuse.times_s, reuse.hit_shares, strict=False
            )
        ),
    )


def _known(figure: Array | None) -> float | None:
    return None if figure is None else middle(figure)


def _points(found: Served, batches: np.ndarray, usable: float) -> list[MemoryPoint]:
    held = held_by(found.setting, found.replica, batches)
    total = np.broadcast_to(held.memory_per_accelerator_bytes, batches.shape)
    parts = {name: np.broadcast_to(part, batches.shape) for name, part in held.breakdown_bytes.items()}
    return [
        MemoryPoint(
            batch=float(batches[row]),
            memory_bytes=float(total[row]),
            parts_bytes={name: float(part[row]) for name, part in parts.items()},
            fits=bool(total[row] <= usable),
        )
        for row in range(batches.size)
    ]
