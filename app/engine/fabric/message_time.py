"""The three-term time of one message, and two network levels put together."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_NCCL = "[1] NVIDIA nccl-tests, doc/PERFORMANCE.md (bus-bandwidth factors)"
_HOCKNEY = "[1] Hockney, Parallel Computing 20 (1994) 389-398 (latency and bandwidth model)"


@quantity(unit="1", source=_NCCL)
def all_reduce_factor(*, ranks: Array) -> Array:
    """Share of the buffer that an all-reduce moves over each rank's link.

    2 (n - 1) / n: a reduce-scatter followed by an all-gather.
    """
    return 2 * (ranks - 1) / ranks


@quantity(unit="1", source=_NCCL)
def exchange_factor(*, ranks: Array) -> Array:
    """Share of the buffer that all-gather, reduce-scatter and all-to-all move over each link.

    (n - 1) / n: all but the rank's own part.
    """
    return (ranks - 1) / ranks


@quantity(unit="s", source=_HOCKNEY)
def transfer_time_s(
    *,
    message_bytes: Array,
    link_bytes: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """Time of one operation by the three-term model.

    t = a + c sqrt(S) + L / B, 0 when nothing crosses the link.

    Parameters
    ----------
    message_bytes : S, size of the buffer [B]
    link_bytes : L, what crosses the busiest link [B]
    bandwidth_bytes_per_s : B, bus bandwidth of large messages, one way [B/s]
    latency_s : a, fixed cost of the whole operation [s]
    sqrt_coefficient_s : c, cost of the ramp per square root of a byte [s/B^0.5]

    Validity: 512 B to 16 GiB, the range of the measurements that a, c and B are fitted to. B is an
    asymptote: beyond that range it must not exceed the best bus bandwidth measured.
    """
    time = latency_s + sqrt_coefficient_s * np.sqrt(message_bytes) + link_bytes / bandwidth_bytes_per_s
    # An idle link costs nothing even where its bandwidth is unknown; unknown bytes stay unknown.
    return np.where(link_bytes <= 0, 0.0, time)


@quantity(unit="s", source="definition")
def levels_time_s(*, scale_up_time_s: Array, scale_out_time_s: Array, overlap: Array) -> Array:
    """Time of two levels that partly run at once.

    The longer level plus the share of the shorter one that is not hidden.

    Parameters
    ----------
    scale_up_time_s, scale_out_time_s : each level alone [s]
    overlap : share of the shorter level hidden behind the longer, 0 serial to 1 full [1]
    """
    longer = np.maximum(scale_up_time_s, scale_out_time_s)
    return longer + (1 - overlap) * np.minimum(scale_up_time_s, scale_out_time_s)
