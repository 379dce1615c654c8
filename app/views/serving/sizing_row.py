"""One step of the way from a demand to hardware."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingRow:
    """`value` is in `unit`, unknown as NaN; `said` how it follows from those before it."""

    step: str
    title: str
    value: float
    unit: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxed:
    """Effect of relaxing one constraint on replica rate and capacity."""

    change: str
    title: str
    requests_per_s: float  # of a replica
    gain: float  # over what it answers now
    supernodes: float | None  # None: no demand is stated


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitWords:
    """Prefill and decode on instances of their own: their rates, and whole instances that waste least."""

    prefill_layout: str
    decode_layout: str
    prefill_requests_per_s: float  # of one instance
    decode_requests_per_s: float
    prefill_per_decode: float  # instances, not rounded
    prefill_instances: float
    decode_instances: float
    accelerators: float
    requests_per_s: float  # of the group
    idle_share: float
    stated_prefill_instances: float | None  # of the scenario's group; None: it is aggregated
    stated_decode_instances: float | None
    stated_idle_share: float | None
