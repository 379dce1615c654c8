"""The algorithms of collectives over g ranks in each of k domains: hops in a row and bytes on the links.

Bytes are shares of S, the buffer as nccl-tests counts it: what an all-gather ends with, what a reduce-scatter
starts from, what one rank sends in an all-to-all. One rank sends nothing. Unknown stays unknown.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_RING = (
    "[1] Patarasuk, Yuan 2009, J. Parallel Distrib. Comput. 69 117-124 (ring all-reduce); "
    "[2] NVIDIA nccl-tests, doc/PERFORMANCE.md (bytes on each link)"
)
_TREE = "[1] Sanders, Speck, Traeff 2009, Parallel Comput. 35 581-594 (two-tree algorithms)"
_SWITCH = "[1] Klenk et al. 2020, ISCA, 996-1009 (in-network reduction for GPU switches)"
_DIRECT = "[1] Thakur, Rabenseifner, Gropp 2005, Int. J. High Perform. Comput. Appl. 19 49-66"


@quantity(unit="1", source=_RING)
def ring_hops(*, domain_ranks: Array) -> Array:
    """Hops of one pass round a ring inside a domain."""
    return domain_ranks - 1


@quantity(unit="1", source=_RING)
def torus_ring_hops(*, domain_ranks: Array, dimensions: Array) -> Array:
    """Hops of one pass round rings along each dimension of a torus.

    d (g^(1/d) - 1) for d dimensions of equal length.
    """
    return dimensions * (domain_ranks ** (1 / dimensions) - 1)


@quantity(unit="s", source=_RING)
def ring_fill_s(
    *, passes: Array, hops: Array, domains: Array, scale_up_hop_s: Array, scale_out_hop_s: Array
) -> Array:
    """Latency of all hops of a ring.

    passes x (h hops in each of k domains + k - 1 hops between them): it grows with the ranks, and with
    the racks that they fill.
    """
    across = np.where(domains <= 1, 0.0, (domains - 1) * scale_out_hop_s)
    return passes * (hops * domains * scale_up_hop_s + across)


@quantity(unit="1", source=_RING)
def ring_scale_up_share(*, passes: Array, domain_ranks: Array, domains: Array, own_part: Array) -> Array:
    """Share of the buffer that a ring moves over each rank's scale-up link.

    (passes (n - 1) + own) / n with n = g k: every part but the rank's own, and what moving its own part
    from one buffer to the other costs of the link's time. None where a domain holds one rank.
    """
    ranks = domain_ranks * domains
    return np.where(domain_ranks <= 1, 0.0, (passes * (ranks - 1) + own_part) / ranks)


@quantity(unit="1", source=_RING)
def ring_scale_out_share(*, passes: Array, domain_ranks: Array, domains: Array, domain_nics: Array) -> Array:
    """Share of the buffer that a ring moves over each NIC.

    passes (n - 1) / n / min(g, NICs kept busy): rings side by side leave a domain over its NICs.
    """
    ranks = domain_ranks * domains
    return np.where(domains <= 1, 0.0, passes * (ranks - 1) / ranks / np.minimum(domain_ranks, domain_nics))


@quantity(unit="s", source=_TREE)
def tree_fill_s(*, hops: Array, domains: Array, scale_up_hop_s: Array, scale_out_hop_s: Array) -> Array:
    """Latency of all hops of a tree across domains.

    2 h hops inside a domain and 4 log2(k) between domains: up and down, each level into a domain and out of
    it again.
    """
    across = np.where(domains <= 1, 0.0, 2 * np.log2(domains) * scale_out_hop_s)
    return 2 * (hops * scale_up_hop_s + across)


@quantity(unit="1", source=_TREE)
def tree_scale_out_share(*, domain_ranks: Array, domains: Array, domain_nics: Array) -> Array:
    """Share of the buffer that a double binary tree moves over each NIC.

    1 / min(g, NICs kept busy) between two domains, twice that from three: a domain inside one of the two
    trees passes half of the buffer up and to two children, and is a leaf of the other.
    """
    times = np.where(domains <= 1, 0.0, np.where(domains > 2, 2.0, 1.0))
    return times / np.minimum(domain_ranks, domain_nics)


@quantity(unit="1", source=_SWITCH)
def reduced_scale_up_share(
    *, domain_ranks: Array, own_part: Array, in_switch_efficiency: Array, in_switch_ranks: Array
) -> Array:
    """Share of the buffer that reducing and spreading it inside a domain costs each rank's link.

    (2 (g - 1) + own) / g by a ring; 1 / e when the switch reduces, whichever is less: the buffer crosses
    each link once, at e times the speed of plain transfers, where a ring moves it nearly twice. The switch
    reduces nothing where e is 0 or the ranks are too few.
    """
    reduces = (in_switch_efficiency > 0) & (domain_ranks >= in_switch_ranks)
    switched = np.where(reduces, 1 / np.where(reduces, in_switch_efficiency, 1), np.inf)
    ring = (2 * (domain_ranks - 1) + own_part) / domain_ranks
    return np.where(domain_ranks <= 1, 0.0, np.minimum(ring, switched))


@quantity(unit="s", source=_DIRECT)
def direct_fill_s(
    *, domain_ranks: Array, domains: Array, scale_up_hop_s: Array, scale_out_hop_s: Array
) -> Array:
    """Latency of an exchange straight between all ranks.

    1 + log2(g) hops inside, 2 log2(k) across: peers are served side by side, and one after the other only
    as far as the log of their number.
    """
    inside = np.where(domain_ranks <= 1, 0.0, (1 + np.log2(domain_ranks)) * scale_up_hop_s)
    return inside + np.where(domains <= 1, 0.0, 2 * np.log2(domains) * scale_out_hop_s)


@quantity(unit="1", source=_DIRECT)
def direct_scale_up_share(*, domain_ranks: Array, domains: Array, own_part: Array) -> Array:
    """Share of the buffer that an all-to-all moves over each rank's scale-up link.

    (g - 1 + own) / n: what is for ranks of the same domain, and moving the rank's own part.
    """
    return np.where(domain_ranks <= 1, 0.0, (domain_ranks - 1 + own_part) / (domain_ranks * domains))


@quantity(unit="1", source=_DIRECT)
def direct_scale_out_share(*, domains: Array) -> Array:
    """Share of the buffer that an all-to-all moves over each rank's NIC.

    (k - 1) / k: what is for ranks of other domains.
    """
    return (domains - 1) / domains


@quantity(unit="1", source=_RING)
def chain_scale_up_share(*, domain_ranks: Array) -> Array:
    """Share of the buffer that a broadcast moves over each rank's scale-up link: all of it."""
    return np.where(domain_ranks <= 1, 0.0, 1.0)


@quantity(unit="1", source=_RING)
def chain_scale_out_share(*, domain_ranks: Array, domains: Array, domain_nics: Array) -> Array:
    """Share of the buffer that a broadcast moves over each NIC.

    1 / min(g, NICs kept busy): chains side by side.
    """
    return np.where(domains <= 1, 0.0, 1 / np.minimum(domain_ranks, domain_nics))
