"""Collectives over one level (see `one_level_collectives`) and over two.

Over two levels a message is never squeezed through one NIC: each of the g ranks of a scale-up domain
carries 1/g of it over its own NIC, between ranks of the same place in the k domains.
"""

from __future__ import annotations

from app.engine.fabric.message_time import levels_time_s, transfer_time_s
from app.engine.fabric.one_level_collectives import (
    all_gather_time_s,
    all_reduce_time_s,
    all_to_all_time_s,
    broadcast_time_s,
    point_to_point_time_s,
    reduce_scatter_time_s,
)
from app.engine.quantities import quantity
from app.engine.trace import Array

__all__ = [
    "all_gather_time_s",
    "all_reduce_time_s",
    "all_to_all_time_s",
    "broadcast_time_s",
    "hierarchical_all_gather_time_s",
    "hierarchical_all_reduce_time_s",
    "hierarchical_all_to_all_time_s",
    "point_to_point_time_s",
    "reduce_scatter_time_s",
    "transfer_time_s",
]

_HIERARCHICAL = (
    "[1] Thakur, Rabenseifner, Gropp, Int. J. High Perform. Comput. Appl. 19 (2005) 49-66 "
    "(reduce-scatter, all-reduce, all-gather composed by level)"
)


@quantity(unit="s", source=_HIERARCHICAL)
def hierarchical_all_reduce_time_s(
    *,
    message_bytes: Array,
    domain_ranks: Array,
    domains: Array,
    scale_up_bandwidth_bytes_per_s: Array,
    scale_out_bandwidth_bytes_per_s: Array,
    scale_up_latency_s: Array,
    scale_out_latency_s: Array,
    scale_up_sqrt_coefficient_s: Array,
    scale_out_sqrt_coefficient_s: Array,
    overlap: Array,
) -> Array:
    """Hierarchical all-reduce time.

    Reduce-scatter in the domain, all-reduce of S / g across domains on every NIC, all-gather in the
    domain: (g - 1) / g S / B_up twice, 2 (k - 1) / k S / g / B_out.

    Parameters
    ----------
    message_bytes : S, buffer of every rank [B]
    domain_ranks : g, ranks of one scale-up domain that take part [1]
    domains : k, scale-up domains that take part [1]
    scale_up_bandwidth_bytes_per_s : B_up, of all-gather and reduce-scatter per rank [B/s]
    scale_out_bandwidth_bytes_per_s : B_out, per rank, one way [B/s]
    scale_up_latency_s, scale_out_latency_s : fixed cost of each stage [s]
    scale_up_sqrt_coefficient_s, scale_out_sqrt_coefficient_s : ramp of each stage [s/B^0.5]
    overlap : share of the shorter level hidden behind the longer, 0 serial to 1 full [1]
    """
    scatter = reduce_scatter_time_s(
        message_bytes=message_bytes,
        ranks=domain_ranks,
        bandwidth_bytes_per_s=scale_up_bandwidth_bytes_per_s,
        latency_s=scale_up_latency_s,
        sqrt_coefficient_s=scale_up_sqrt_coefficient_s,
    )
    gather = all_gather_time_s(
        message_bytes=message_bytes,
        ranks=domain_ranks,
        bandwidth_bytes_per_s=scale_up_bandwidth_bytes_per_s,
        latency_s=scale_up_latency_s,
        sqrt_coefficient_s=scale_up_sqrt_coefficient_s,
    )
    across = all_reduce_time_s(
        message_bytes=message_bytes / domain_ranks,
        ranks=domains,
        bandwidth_bytes_per_s=scale_out_bandwidth_bytes_per_s,
        latency_s=scale_out_latency_s,
        sqrt_coefficient_s=scale_out_sqrt_coefficient_s,
    )
    return levels_time_s(scale_up_time_s=scatter + gather, scale_out_time_s=across, overlap=overlap)


@quantity(unit="s", source=_HIERARCHICAL)
def hierarchical_all_gather_time_s(
    *,
    message_bytes: Array,
    domain_ranks: Array,
    domains: Array,
    scale_up_bandwidth_bytes_per_s: Array,
    scale_out_bandwidth_bytes_per_s: Array,
    scale_up_latency_s: Array,
    scale_out_latency_s: Array,
    scale_up_sqrt_coefficient_s: Array,
    scale_out_sqrt_coefficient_s: Array,
    overlap: Array,
) -> Array:
    """Hierarchical all-gather time, and as long a reduce-scatter.

    (g - 1) / g S / B_up + (k - 1) / k S / g / B_out, S the whole gathered buffer [B]; see
    `hierarchical_all_reduce_time_s` for the parameters.
    """
    inside = all_gather_time_s(
        message_bytes=message_bytes,
        ranks=domain_ranks,
        bandwidth_bytes_per_s=scale_up_bandwidth_bytes_per_s,
        latency_s=scale_up_latency_s,
        sqrt_coefficient_s=scale_up_sqrt_coefficient_s,
    )
    across = all_gather_time_s(
        message_bytes=message_bytes / domain_ranks,
        ranks=domains,
        bandwidth_bytes_per_s=scale_out_bandwidth_bytes_per_s,
        latency_s=scale_out_latency_s,
        sqrt_coefficient_s=scale_out_sqrt_coefficient_s,
    )
    return levels_time_s(scale_up_time_s=inside, scale_out_time_s=across, overlap=overlap)


@quantity(unit="s", source=_HIERARCHICAL)
def hierarchical_all_to_all_time_s(
    *,
    message_bytes: Array,
    domain_ranks: Array,
    domains: Array,
    scale_up_bandwidth_bytes_per_s: Array,
    scale_out_bandwidth_bytes_per_s: Array,
    scale_up_latency_s: Array,
    scale_out_latency_s: Array,
    scale_up_sqrt_coefficient_s: Array,
    scale_out_sqrt_coefficient_s: Array,
    overlap: Array,
) -> Array:
    """Hierarchical all-to-all time.

    Of what a rank sends, (g - 1) / (g k) stays in its domain and (k - 1) / k leaves over its NIC; see
    `hierarchical_all_reduce_time_s` for the parameters.
    """
    inside = all_to_all_time_s(
        message_bytes=message_bytes / domains,
        ranks=domain_ranks,
        bandwidth_bytes_per_s=scale_up_bandwidth_bytes_per_s,
        latency_s=scale_up_latency_s,
        sqrt_coefficient_s=scale_up_sqrt_coefficient_s,
    )
    across = transfer_time_s(
        message_bytes=message_bytes,
        link_bytes=(domains - 1) / domains * message_bytes,
        bandwidth_bytes_per_s=scale_out_bandwidth_bytes_per_s,
        latency_s=scale_out_latency_s,
        sqrt_coefficient_s=scale_out_sqrt_coefficient_s,
    )
    return levels_time_s(scale_up_time_s=inside, scale_out_time_s=across, overlap=overlap)
