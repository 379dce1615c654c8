"""The three-term time of one operation, and what two network levels together need for a byte."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_PIPELINE = (
    "[1] Hockney, Parallel Computing 20 (1994) 389-398 (latency and bandwidth model); "
    "[2] Johnsson, Ho, IEEE Trans. Comput. 38 (1989) 1249-1268 (best packet size of a pipelined message)"
)


@quantity(unit="s", source=_PIPELINE)
def transfer_time_s(
    *,
    message_bytes: Array,
    link_share: Array,
    wire_time_s_per_byte: Array,
    launch_s: Array,
    fill_s: Array,
    full_pipeline_s: Array,
) -> Array:
    """Time of one operation by the three-term model.

    t = a + c sqrt(S) + k S / B with a = launch + L and c = 2 sqrt(L k / B); 0 when nothing crosses a link.

    A message cut into p chunks that pass h hops of latency l takes (h + p) (l + T / p) but for what overlaps,
    T = k S / B; the best p makes that (sqrt(L) + sqrt(T))^2 with L = h l. So the ramp follows from latency
    and bandwidth. It levels off where the buffers are full and chunks grow no more: S is then replaced
    by S / (1 + T / T_full) under the root.

    Parameters
    ----------
    message_bytes : S, size of the buffer [B]
    link_share : what crosses links for each byte of the buffer [1]
    wire_time_s_per_byte : k / B, time of the busiest link for each byte of the buffer [s/B]
    launch_s : start of the operation [s]
    fill_s : L, latency of all hops in a row [s]
    full_pipeline_s : T_full, wire time of what the buffers hold [s]

    Validity: fitted to 512 B to 16 GiB.
    """
    wire = message_bytes * wire_time_s_per_byte
    ramp = 2 * np.sqrt(fill_s * wire / (1 + wire / full_pipeline_s))
    time = launch_s + fill_s + ramp + wire
    # An idle link costs nothing even where its bandwidth is unknown; unknown bytes stay unknown.
    return np.where(message_bytes * link_share <= 0, 0.0, time)


@quantity(unit="s/B", source="definition")
def wire_time_s_per_byte(
    *,
    scale_up_share: Array,
    scale_out_share: Array,
    scale_up_bandwidth_bytes_per_s: Array,
    scale_out_bandwidth_bytes_per_s: Array,
    level_overlap: Array,
) -> Array:
    """Time on the wire for each byte of the buffer, of two levels that partly run at once.

    The longer level plus the share of the shorter one that is not hidden.

    Parameters
    ----------
    scale_up_share, scale_out_share : bytes on a rank's link of each level for a byte of the buffer [1]
    level_overlap : share of the shorter level hidden behind the longer, 0 serial to 1 full [1]
    """
    up = np.where(scale_up_share <= 0, 0.0, scale_up_share / scale_up_bandwidth_bytes_per_s)
    out = np.where(scale_out_share <= 0, 0.0, scale_out_share / scale_out_bandwidth_bytes_per_s)
    return np.maximum(up, out) + (1 - level_overlap) * np.minimum(up, out)


@quantity(unit="s", source="definition")
def fastest_time_s(*, one_s: Array, other_s: Array) -> Array:
    """Time of the faster of two algorithms; the library chooses by size."""
    return np.minimum(one_s, other_s)
