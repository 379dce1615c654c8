"""The space of parallel layouts: which values each axis may take.

A layout of the space divides the accelerators, the batch, the sequence and the experts; whether it fits the
memory is found by computing it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.engine.performance.context_exchange import RING
from app.engine.performance.memory_tiers import HOST
from app.engine.performance.schedules import ONE_F_ONE_B, SCHEDULES
from app.engine.trace import Array

NONE, SELECTIVE, FULL = 0.0, 1.0, 2.0  # recomputation
KEPT, STATES_AWAY, ACTIVATIONS_AWAY, BOTH_AWAY = 0.0, 1.0, 2.0, 3.0  # offload to another tier of memory

Only = Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Which layouts are looked at.

    `only` holds the values that an axis may take, by its name in `Strategy`; an axis that is not named takes
    every value that is possible, from divisors of the accelerators, the batch, the sequence and the experts.
    """

    shortest_chunk_tokens: float = 1024.0  # share of a sequence below which it is not split
    tensor_in_domain: bool = False  # no tensor-parallel group leaves the scale-up domain
    only: Only = field(default_factory=dict)

    @property
    def held(self) -> Only:
        """What each axis may take: as asked for, or as held where no one asked."""
        return {**NOT_ASKED, **self.only}


WHOLE = Space()
"""Every layout, schedules, groups of shards and split experts among them. Exchange that runs beside nothing, ways of
context parallelism other than a ring and offload are looked at only where they are asked for: the first is never
faster, the others seldom."""

COUNTED = tuple(float(count) for count in range(1, 73))
GROUPS = (0.0, 8.0, 16.0, 32.0, 64.0, 72.0)
"""Replicas that share what ZeRO shards: all, or those of a node or of a scale-up domain."""
USUAL = Space(
    shortest_chunk_tokens=4096.0,
    tensor_in_domain=True,
    only={
        "tensor_parallel": COUNTED[:72],
        "pipeline_parallel": COUNTED[:64],
        "expert_parallel": COUNTED[:72],
        "micro_batch": (1, 2, 4, 8),
        "virtual_stages": (1, 2, 4, 8),
        "sequence_parallel": (1,),
        "zero_stage": (1, 2, 3),
        "schedule": (ONE_F_ONE_B,),
        "expert_tensor_ranks": (0.0,),
    },
)
"""What `parallelism: auto` looks through: degrees in use, without choices that cost speed for nothing.

Any degree up to those in use that divides what it splits: a domain of 72 needs threes, a pod of 5 SuperNodes
a five. Frameworks ask for no more: tensor parallelism divides heads, context parallelism the sequence, expert
parallelism the experts, and stages may be uneven (NVIDIA Megatron-Core, pipeline_model_parallel_layout)."""

NOT_ASKED: Only = {
    "tensor_overlap": (1.0,),
    "data_overlap": (1.0,),
    "context_exchange": (RING,),
    "expert_tensor_ranks": (0.0, *COUNTED),
    "schedule": tuple(SCHEDULES),
    "offload": (KEPT,),
    "offload_tier": (HOST,),
    "shard_ranks": GROUPS,
}
"""Default values of the axes."""


def held_values(only: Only, name: str, values: Any) -> list[float]:
    allowed = only.get(name)
    return [float(value) for value in values if allowed is None or value in allowed]


def allowed(only: Only, name: str, values: Array) -> Array:
    return np.array(held_values(only, name, values))


def divisors(whole: float) -> Array:
    """All divisors of a whole number, ascending.

    >>> divisors(12.0)
    array([ 1.,  2.,  3.,  4.,  6., 12.])
    """
    small = np.arange(1, int(np.sqrt(whole)) + 1)
    low = small[int(whole) % small == 0]
    return np.unique(np.concatenate([low, int(whole) // low])).astype(float)


def grid(axes: list[Any]) -> Array:
    """Every combination, one row an axis."""
    return np.stack([part.ravel() for part in np.meshgrid(*axes, indexing="ij")]).astype(float)
