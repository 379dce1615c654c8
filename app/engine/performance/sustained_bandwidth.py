"""What links sustain of their data sheet, by accelerator and by group."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_RING = "[1] NVIDIA nccl-tests, doc/PERFORMANCE.md (bus bandwidth)"


@quantity(unit="B/s", source=_RING)
def sustained_scale_up_bandwidth_bytes_per_s(
    *, scale_up_bandwidth_bytes_per_s: Array, scale_up_efficiency: Array
) -> Array:
    """Scale-up bandwidth of large messages, per accelerator."""
    return scale_up_bandwidth_bytes_per_s * scale_up_efficiency


@quantity(unit="B/s", source=_RING)
def sustained_pair_bandwidth_bytes_per_s(
    *, scale_up_pair_bandwidth_bytes_per_s: Array, scale_up_efficiency: Array
) -> Array:
    """Scale-up bandwidth between two accelerators."""
    return scale_up_pair_bandwidth_bytes_per_s * scale_up_efficiency


@quantity(unit="B/s", source="definition")
def neighbour_bandwidth_bytes_per_s(
    *, pair_bandwidth_bytes_per_s: Array, full_bandwidth_bytes_per_s: Array
) -> Array:
    """Scale-up bandwidth from one rank to another; all links where nobody published that of a pair."""
    unknown = np.isnan(pair_bandwidth_bytes_per_s)
    return np.where(unknown, full_bandwidth_bytes_per_s, pair_bandwidth_bytes_per_s)


@quantity(unit="B/s", source=_RING)
def sustained_scale_out_bandwidth_bytes_per_s(
    *, scale_out_bandwidth_bytes_per_s: Array, scale_out_efficiency: Array
) -> Array:
    """Scale-out bandwidth of large messages, per accelerator."""
    return scale_out_bandwidth_bytes_per_s * scale_out_efficiency


@quantity(unit="B/s", source="[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901")
def across_units_bandwidth_bytes_per_s(
    *,
    scale_out_bandwidth_bytes_per_s: Array,
    oversubscription: Array,
    accelerators_used: Array,
    unit_accelerators: Array,
) -> Array:
    """Scale-out bandwidth of exchanges over the whole job.

    Divided by the oversubscription when the job is larger than one scalable unit: pessimistic, as
    if all of the traffic left the unit. Where there is no fabric there are no units to leave.
    """
    leaves_unit = (unit_accelerators > 0) & (accelerators_used > unit_accelerators)
    # An unknown unit is an unknown bandwidth, not one without oversubscription.
    known = np.where(np.isnan(unit_accelerators), np.nan, 1.0)
    return scale_out_bandwidth_bytes_per_s * known / np.where(leaves_unit, oversubscription, 1.0)


@quantity(unit="B/s", source=_RING)
def mesh_bandwidth_bytes_per_s(
    *, ranks: Array, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of a group in a full mesh.

    The links to the other members of the group: (n - 1) pairs, at most all links.
    """
    reached = np.minimum(np.maximum(ranks - 1, 1) * pair_bandwidth_bytes_per_s, full_bandwidth_bytes_per_s)
    # Where nobody published the rate of a pair, the group is taken to reach all links.
    return np.where(np.isnan(reached), full_bandwidth_bytes_per_s, reached)


@quantity(unit="B/s", source="[1] Jouppi et al. 2023, arXiv 2304.01433 (torus of chips)")
def torus_bandwidth_bytes_per_s(
    *, ranks: Array, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of a group in a torus.

    A compact group of n = 4^d chips closes rings over d dimensions with 2 links each, 2 d = log2(n)
    links; at most all links.
    """
    links = np.log2(np.maximum(ranks, 2))
    reached = np.minimum(links * pair_bandwidth_bytes_per_s, full_bandwidth_bytes_per_s)
    return np.where(np.isnan(reached), full_bandwidth_bytes_per_s, reached)
