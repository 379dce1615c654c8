"""Steps of a ladder of bandwidths and latencies, from the registers of an accelerator to another site."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_REGISTERS = "definition: a fused multiply-add is two operations on three operands of four bytes"


@quantity(unit="B/s", source=_REGISTERS)
def register_bandwidth_bytes_per_s(*, vector_flop_per_s: Array) -> Array:
    """Peak register bandwidth of the vector units.

    Three operands of four bytes for the two operations of a fused multiply-add in FP32.
    """
    return 3 * 4 / 2 * vector_flop_per_s


@quantity(unit="B/s", source="definition")
def through_bandwidth_bytes_per_s(*, link_bytes_per_s: Array, memory_bytes_per_s: Array) -> Array:
    """Bandwidth of a memory over its link, the lower of both."""
    return np.minimum(link_bytes_per_s, memory_bytes_per_s)


@quantity(unit="B/s", source="definition")
def shared_bandwidth_bytes_per_s(*, whole_bytes_per_s: Array, accelerators: Array) -> Array:
    """Share of one accelerator in what all use together."""
    return whole_bytes_per_s / accelerators


@quantity(unit="s", source="definition")
def two_nics_latency_s(*, nic_latency_s: Array) -> Array:
    """Latency of two NICs: what scale-out takes at least, without switches and cables."""
    return 2 * nic_latency_s


@quantity(unit="s", source="[1] ITU-T G.652 fibre: group index about 1.47")
def one_way_latency_s(*, distance_km: Array, latency_s_per_km: Array) -> Array:
    """Travel time of light through fibre, one way."""
    return distance_km * latency_s_per_km


@quantity(unit="FLOP/B", source="[1] Williams, Waterman, Patterson, CACM 52 (2009) 65-76 (roofline)")
def flop_per_byte(*, peak_flop_per_s: Array, bandwidth_bytes_per_s: Array) -> Array:
    """Operations that must be done on a byte for a level to keep the arithmetic busy."""
    return peak_flop_per_s / bandwidth_bytes_per_s
