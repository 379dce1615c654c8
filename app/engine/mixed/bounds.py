"""What binds in a mixed pod: the least that any kind has, or the most that any kind takes.

Nothing is known of a bound that is unknown of one kind.
"""

from __future__ import annotations

import functools

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="B", source="definition")
def least_memory_bytes(*, memories_bytes: tuple[Array, ...]) -> Array:
    """Least accelerator memory of all kinds in a mixed pod."""
    return functools.reduce(np.minimum, memories_bytes)


@quantity(unit="B", source="definition")
def least_host_memory_bytes(*, memories_bytes: tuple[Array, ...]) -> Array:
    """Least host memory of all kinds in a mixed pod."""
    return functools.reduce(np.minimum, memories_bytes)


@quantity(unit="B/s", source="definition")
def slowest_link_bytes_per_s(*, bandwidths_bytes_per_s: tuple[Array, ...]) -> Array:
    """Slowest link of its sort in a mixed pod: a group goes at the speed of its slowest rank."""
    return functools.reduce(np.minimum, bandwidths_bytes_per_s)


@quantity(unit="FLOP/s", source="definition")
def least_achievable_flop_per_s(*, achievable_flop_per_s: tuple[Array, ...]) -> Array:
    """Least of the measured matmul rates in a mixed pod."""
    return functools.reduce(np.minimum, achievable_flop_per_s)


@quantity(unit="s", source="definition")
def longest_latency_s(*, latencies_s: tuple[Array, ...]) -> Array:
    """Longest scale-up latency of all kinds in a mixed pod."""
    return functools.reduce(np.maximum, latencies_s)


@quantity(unit="degC", source="definition")
def lowest_coolant_limit_c(*, limits_c: tuple[Array, ...]) -> Array:
    """Coolant limit of a mixed pod: that of the kind that takes the coldest."""
    return functools.reduce(np.minimum, limits_c)
