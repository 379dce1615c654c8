"""Bandwidths of the levels of a pod, the gap between them, and the latency of the longest path."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_CLOS = "[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901 (fat trees)"


@quantity(unit="B/s", source="definition")
def scale_up_bandwidth_bytes_per_s(*, accelerator_bandwidth_bytes_per_s: Array) -> Array:
    """Scale-up bandwidth per accelerator, one way."""
    return 1 * accelerator_bandwidth_bytes_per_s


@quantity(unit="B/s", source="definition")
def scale_out_bandwidth_bytes_per_s(
    *,
    scale_out_nics: Array,
    scale_out_nic_bandwidth_bytes_per_s: Array,
    accelerators: Array,
    reachable: Array,
) -> Array:
    """Scale-out bandwidth per accelerator, one way.

    The compute NICs of a SuperNode shared by its accelerators; 0 where SuperNodes are not joined.

    Parameters
    ----------
    scale_out_nics : compute NICs of a SuperNode [1]
    scale_out_nic_bandwidth_bytes_per_s : of one NIC, one way [B/s]
    accelerators : of a SuperNode [1]
    reachable : 0 for several SuperNodes without a fabric between them, else 1 [1]
    """
    return scale_out_nics * scale_out_nic_bandwidth_bytes_per_s / accelerators * reachable


@quantity(unit="1", source="definition")
def bandwidth_gap(*, scale_up_bandwidth_bytes_per_s: Array, scale_out_bandwidth_bytes_per_s: Array) -> Array:
    """Scale-up bandwidth over scale-out bandwidth.

    Not defined where nothing leaves the SuperNode.
    """
    known = scale_out_bandwidth_bytes_per_s > 0
    divisor = np.where(known, scale_out_bandwidth_bytes_per_s, np.nan)
    return scale_up_bandwidth_bytes_per_s / divisor


@quantity(unit="B/s", source=_CLOS)
def bisection_bandwidth_bytes_per_s(
    *,
    endpoint_links: Array,
    uplinks_per_plane: Array,
    planes: Array,
    link_bandwidth_bytes_per_s: Array,
    tier_count: Array,
) -> Array:
    """Bisection bandwidth, one way.

    Half of the thinnest layer of links: below the leaves, or above them where they are
    oversubscribed. Nothing is oversubscribed further up.
    """
    narrowest = np.where(tier_count <= 1, endpoint_links, np.minimum(endpoint_links, uplinks_per_plane))
    bandwidth = narrowest * planes * link_bandwidth_bytes_per_s / 2
    return np.where(endpoint_links <= 0, 0.0, bandwidth)


@quantity(unit="1", source="definition")
def oversubscription(*, leaf_endpoints: Array, leaf_uplinks: Array, tier_count: Array) -> Array:
    """Oversubscription of a full leaf.

    Its links down over its links up; 1 without a tier above.
    """
    return np.where(tier_count <= 1, 1.0, leaf_endpoints / leaf_uplinks + 0 * tier_count)


@quantity(unit="1", source=_CLOS)
def switches_on_path(*, tier_count: Array) -> Array:
    """Switches on the longest path.

    2 t - 1 through t tiers: up to the top and down again.
    """
    return np.maximum(2 * tier_count - 1, 0.0)


@quantity(unit="m", source=_CLOS)
def path_length_m(
    *, tier_count: Array, node_cable_length_m: Array, spine_cable_length_m: Array, core_cable_length_m: Array
) -> Array:
    """Cable on the longest path.

    Twice the cables from a node to the top tier.
    """
    one_side = (
        np.where(tier_count >= 1, node_cable_length_m, 0.0)
        + np.where(tier_count >= 2, spine_cable_length_m, 0.0)
        + np.where(tier_count >= 3, core_cable_length_m, 0.0)
    )
    return 2 * one_side + 0 * tier_count


@quantity(unit="s", source=_CLOS)
def latency_s(
    *,
    tier_count: Array,
    switches_on_path: Array,
    path_length_m: Array,
    switch_latency_s: Array,
    nic_latency_s: Array,
    cable_latency_s_per_m: Array,
    optical_end_latency_s: Array,
) -> Array:
    """Latency of the longest path through the scale-out fabric, without queueing or software.

    Two NICs, every switch on the path, two optical ends a link (links = switches + 1) and the cable.

    Parameters
    ----------
    tier_count : tiers of switches; without any there is no path and no latency [1]
    switches_on_path : on the longest path [1]
    path_length_m : cable on the longest path [m]
    switch_latency_s : port to port of one switch [s]
    nic_latency_s : of one NIC with its host interface [s]
    cable_latency_s_per_m : of fibre or copper [s/m]
    optical_end_latency_s : forward error correction and signal processing of one end [s]
    """
    ends = 2 * (switches_on_path + 1)
    latency = (
        2 * nic_latency_s
        + switches_on_path * switch_latency_s
        + ends * optical_end_latency_s
        + path_length_m * cable_latency_s_per_m
    )
    return np.where(tier_count <= 0, 0.0, latency)
