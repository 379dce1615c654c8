"""What the ranks of a collective talk over: a scale-up domain and, between domains, the scale-out fabric."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_TORUS = "[1] Dally, Towles 2004, Principles and Practices of Interconnection Networks (bisection bound)"
_PCIE = "[1] NVIDIA NCCL user guide, troubleshooting (PCI peer-to-peer and shared host memory)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Sustained bandwidths, one way and of one rank, and what one step costs."""

    scale_up_bandwidth_bytes_per_s: Array
    scale_out_bandwidth_bytes_per_s: Array
    in_switch_efficiency: Array  # of reduction in the switch, over plain transfers; 0: it does not reduce
    in_switch_ranks: Array  # from which the switch is asked to reduce
    launch_s: Array  # to start the operation on every rank
    dimensions: Array  # of a torus; 1 elsewhere
    scale_up_hop_s: Array  # a rank to its neighbour in the domain, small message
    scale_out_hop_s: Array  # a rank to its neighbour in the next domain, NICs and software included
    full_pipeline_s: Array  # wire time of what the buffers of a collective hold
    own_part: Array  # link time of the part a rank keeps, over that of a part it sends
    domain_nics: Array  # of one domain that one ring or tree keeps busy at most
    level_overlap: Array  # share of the shorter level's time hidden behind the longer
    rails_apart: Array = field(default_factory=lambda: np.zeros(1))  # 1: they meet in the domain alone
    forward_overlap: Array = field(default_factory=lambda: np.zeros(1))  # hidden share of a change of rails


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Where the ranks of a collective lie: as many in each domain, in as many domains."""

    domain_ranks: Array
    domains: Array


@quantity(unit="B/s", source=_PCIE)
def shared_link_bandwidth_bytes_per_s(
    *, ranks: Array, link_bandwidth_bytes_per_s: Array, link_sharers: Array, host_staging_bytes_per_s: Array
) -> Array:
    """Scale-up bandwidth of a rank where ranks share a link.

    Two ranks have their links to themselves; in larger groups the link to the rest of the host is shared
    among its `link_sharers`. Where the host copies instead of letting ranks reach each other, all of
    them share what it can copy.

    Parameters
    ----------
    ranks : of the group in the domain [1]
    link_bandwidth_bytes_per_s : of one rank, one way [B/s]
    link_sharers : ranks behind one upward link, 1 where a switch gives each its own [1]
    host_staging_bytes_per_s : of all copies through host memory together, 0 where there are none [B/s]
    """
    sharing = np.where(ranks > 2, link_sharers, 1.0)
    direct = link_bandwidth_bytes_per_s / sharing
    staged = (ranks > 2) & (host_staging_bytes_per_s > 0)
    return np.where(staged, np.minimum(direct, host_staging_bytes_per_s / ranks), direct)


@quantity(unit="1", source=_TORUS)
def torus_dimensions(*, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array) -> Array:
    """Dimensions of a torus: a chip has two links along each. One where the rate of a link is unknown."""
    dimensions = full_bandwidth_bytes_per_s / (2 * pair_bandwidth_bytes_per_s)
    return np.where(np.isnan(dimensions), 1.0, np.maximum(np.round(dimensions), 1.0))


@quantity(unit="B/s", source=_TORUS)
def torus_all_to_all_bandwidth_bytes_per_s(
    *, ranks: Array, dimensions: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """All-to-all bandwidth per rank in a torus.

    8 b / n^(1/d): half of what n ranks send crosses the middle of the longest ring, n^(1/d) long, over
    2 n / n^(1/d) links each way.
    """
    return 8 * pair_bandwidth_bytes_per_s / ranks ** (1 / dimensions)


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


_RAIL_ONLY = "[1] Wang et al., Rail-only, arXiv 2307.12169 (all-to-all in two steps)"


@quantity(unit="s/B", source=_RAIL_ONLY)
def rail_change_time_s_per_byte(
    *,
    scale_out_share: Array,
    domain_ranks: Array,
    scale_up_bandwidth_bytes_per_s: Array,
    rails_apart: Array,
    forward_overlap: Array,
) -> Array:
    """Time to change rails inside a scale-up domain, for each byte of the buffer.

    (g - 1) / g of what leaves a domain is for a rank of another rail. Where rails meet nowhere else it crosses the
    scale-up links first and its rail then.

    Parameters
    ----------
    scale_out_share : bytes on a rank's NIC for a byte of the buffer [1]
    domain_ranks : g, of the group in a domain, each on a rail of its own [1]
    rails_apart : 1 where rails meet in the domain alone [1]
    forward_overlap : share of it that is hidden behind the NICs [1]
    """
    forwarded = scale_out_share * (domain_ranks - 1) / domain_ranks
    exposed = rails_apart * (1 - forward_overlap)
    return np.where(exposed * forwarded <= 0, 0.0, exposed * forwarded / scale_up_bandwidth_bytes_per_s)


def exchange_wire_time_s_per_byte(
    group: Group, network: Network, *, scale_up_share: Array, scale_out_share: Array
) -> Array:
    """Time on the wire for each byte of what all ranks send each other: both levels, and changes of rails."""
    return wire_time_s_per_byte(
        scale_up_share=scale_up_share,
        scale_out_share=scale_out_share,
        scale_up_bandwidth_bytes_per_s=network.scale_up_bandwidth_bytes_per_s,
        scale_out_bandwidth_bytes_per_s=network.scale_out_bandwidth_bytes_per_s,
        level_overlap=network.level_overlap,
    ) + rail_change_time_s_per_byte(
        scale_out_share=scale_out_share,
        domain_ranks=group.domain_ranks,
        scale_up_bandwidth_bytes_per_s=network.scale_up_bandwidth_bytes_per_s,
        rails_apart=network.rails_apart,
        forward_overlap=network.forward_overlap,
    )


@quantity(unit="s", source="definition")
def fastest_time_s(*, one_s: Array, other_s: Array) -> Array:
    """Time of the faster of two algorithms; the library chooses by size."""
    return np.minimum(one_s, other_s)
