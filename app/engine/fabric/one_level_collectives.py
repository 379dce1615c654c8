"""How long a collective takes on one level of the network, by the three-term model.

t = a + c sqrt(S) + f(n) S / B, with S the buffer size as nccl-tests counts it (the whole buffer: what an
all-gather ends with, what a reduce-scatter starts from, what one rank sends in an all-to-all), n the
ranks and f the bus-bandwidth factor. The constant a is start-up, the square root stands for the change
of protocol and the ramp of the pipeline at middle sizes, B is the bus bandwidth that a large message
reaches, one way and per rank.

One rank, or an empty message, takes exactly no time. Unknown stays unknown.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.message_time import all_reduce_factor, exchange_factor, transfer_time_s
from app.engine.quantities import quantity
from app.engine.trace import Array

_NCCL = "[1] NVIDIA nccl-tests, doc/PERFORMANCE.md (bus-bandwidth factors)"
_HOCKNEY = "[1] Hockney, Parallel Computing 20 (1994) 389-398 (latency and bandwidth model)"


@quantity(unit="s", source=_NCCL)
def all_reduce_time_s(
    *,
    message_bytes: Array,
    ranks: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """All-reduce time.

    t = a + c sqrt(S) + 2 (n - 1) / n S / B

    Parameters
    ----------
    message_bytes : S, buffer that every rank holds before and after [B]
    ranks : n, participants [1]
    bandwidth_bytes_per_s : B, bus bandwidth one way per rank; with reduction in the switch it may
        exceed the link rate [B/s]
    latency_s : a [s]
    sqrt_coefficient_s : c [s/B^0.5]
    """
    return transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=all_reduce_factor(ranks=ranks) * message_bytes,
        bandwidth_bytes_per_s=bandwidth_bytes_per_s,
        latency_s=latency_s,
        sqrt_coefficient_s=sqrt_coefficient_s,
    )


@quantity(unit="s", source=_NCCL)
def all_gather_time_s(
    *,
    message_bytes: Array,
    ranks: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """All-gather time.

    t = a + c sqrt(S) + (n - 1) / n S / B with S the whole gathered buffer [B]; see
    `all_reduce_time_s` for the parameters.
    """
    return transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=exchange_factor(ranks=ranks) * message_bytes,
        bandwidth_bytes_per_s=bandwidth_bytes_per_s,
        latency_s=latency_s,
        sqrt_coefficient_s=sqrt_coefficient_s,
    )


@quantity(unit="s", source=_NCCL)
def reduce_scatter_time_s(
    *,
    message_bytes: Array,
    ranks: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """Reduce-scatter time.

    t = a + c sqrt(S) + (n - 1) / n S / B with S the whole buffer before the reduction [B]; see
    `all_reduce_time_s` for the parameters.
    """
    return transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=exchange_factor(ranks=ranks) * message_bytes,
        bandwidth_bytes_per_s=bandwidth_bytes_per_s,
        latency_s=latency_s,
        sqrt_coefficient_s=sqrt_coefficient_s,
    )


@quantity(unit="s", source=_NCCL)
def all_to_all_time_s(
    *,
    message_bytes: Array,
    ranks: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """All-to-all time.

    t = a + c sqrt(S) + (n - 1) / n S / B with S what one rank sends, its own part counted [B]; see
    `all_reduce_time_s` for the parameters.
    """
    return transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=exchange_factor(ranks=ranks) * message_bytes,
        bandwidth_bytes_per_s=bandwidth_bytes_per_s,
        latency_s=latency_s,
        sqrt_coefficient_s=sqrt_coefficient_s,
    )


@quantity(unit="s", source=_NCCL)
def broadcast_time_s(
    *,
    message_bytes: Array,
    ranks: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """Broadcast time.

    t = a + c sqrt(S) + S / B, a pipelined broadcast; see `all_reduce_time_s` for the parameters.
    """
    return transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=np.where(ranks <= 1, 0.0, message_bytes + 0 * ranks),
        bandwidth_bytes_per_s=bandwidth_bytes_per_s,
        latency_s=latency_s,
        sqrt_coefficient_s=sqrt_coefficient_s,
    )


@quantity(unit="s", source=_HOCKNEY)
def point_to_point_time_s(
    *,
    message_bytes: Array,
    bandwidth_bytes_per_s: Array,
    latency_s: Array,
    sqrt_coefficient_s: Array,
) -> Array:
    """Point-to-point time.

    t = a + c sqrt(S) + S / B; see `all_reduce_time_s` for the parameters.
    """
    return transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=message_bytes,
        bandwidth_bytes_per_s=bandwidth_bytes_per_s,
        latency_s=latency_s,
        sqrt_coefficient_s=sqrt_coefficient_s,
    )
