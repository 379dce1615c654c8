"""Bandwidths of the levels of a pod, the gap between them, and the latency of the longest path."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

scale_up_bandwidth_bytes_per_s = alias(
    "scale_up_bandwidth_bytes_per_s",
    "Scale-up bandwidth per accelerator, one way",
    of="accelerator_bandwidth_bytes_per_s",
    at="fabric.scale_up_bandwidth_bytes_per_s",
    unit="B/s",
    key=True,
)


@quantity(unit="B/s", source="definition", key=True)
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


@quantity(unit="1", source="definition", key=True)
def bandwidth_gap(*, scale_up_bandwidth_bytes_per_s: Array, scale_out_bandwidth_bytes_per_s: Array) -> Array:
    """Scale-up over scale-out bandwidth.

    Not defined where nothing leaves the SuperNode.
    """
    known = scale_out_bandwidth_bytes_per_s > 0
    divisor = np.where(known, scale_out_bandwidth_bytes_per_s, np.nan)
    return scale_up_bandwidth_bytes_per_s / divisor


@quantity(unit="B/s", source="definition")
def bisection_bandwidth_bytes_per_s(
    *, bisection_links: Array, planes: Array, link_bandwidth_bytes_per_s: Array
) -> Array:
    """Bisection bandwidth, one way.

    Of the links that the thinnest cut into halves cuts, over all planes.
    """
    return np.where(bisection_links <= 0, 0.0, bisection_links * planes * link_bandwidth_bytes_per_s)


oversubscription = alias(
    "oversubscription",
    "Oversubscription",
    of="unit_over_beyond",
    at="fabric.oversubscription",
    note="Bandwidth inside a unit over what everybody can have beyond it at once. Links down over links up in a tree; what uniform traffic leaves of a link in other topologies.",
)


@quantity(unit="1", source="definition")
def diameter_links(*, path_links: tuple[Array, ...]) -> Array:
    """Diameter, in links."""
    return sum(path_links[1:], start=path_links[0])


mean_distance_links = alias(
    "mean_distance_links",
    "Mean distance between two nodes, in links",
    of="mean_path_links",
    at="fabric.mean_distance_links",
)
switches_on_path = alias(
    "switches_on_path", "Switches on the longest path", of="path_switches", at="fabric.switches_on_path"
)


@quantity(unit="m", source="definition")
def path_length_m(*, path_links: tuple[Array, ...], cable_lengths_m: tuple[Array, ...]) -> Array:
    """Cable on the longest path: the links of each layer times the length of one."""
    parts = [links * length for links, length in zip(path_links, cable_lengths_m, strict=True)]
    return sum(parts[1:], start=parts[0])


@quantity(unit="s", source="definition")
def path_switch_latency_s(
    *, switches_on_path: Array, leaf_latency_s: Array, spine_latency_s: Array, core_latency_s: Array
) -> Array:
    """Mean latency of the switches on the longest path.

    Two leaves, two spines where there are cores, and the top.
    """
    through_spine = (2 * leaf_latency_s + spine_latency_s) / 3
    through_core = (2 * leaf_latency_s + 2 * spine_latency_s + core_latency_s) / 5
    return np.where(
        switches_on_path <= 1, leaf_latency_s, np.where(switches_on_path <= 3, through_spine, through_core)
    )


@quantity(unit="s", source="definition")
def latency_s(
    *,
    diameter_links: Array,
    switches_on_path: Array,
    path_length_m: Array,
    switch_latency_s: Array,
    nic_latency_s: Array,
    cable_latency_s_per_m: Array,
    optical_end_latency_s: Array,
) -> Array:
    """Latency of the longest path through the scale-out fabric, without queueing or software.

    Two NICs, every switch on the path, two optical ends a link and the cable. Where no switch stands between
    two links, a node forwards: two NICs more.

    Parameters
    ----------
    diameter_links : on the longest path; without any there is no latency [1]
    switches_on_path : on the longest path [1]
    path_length_m : cable on the longest path [m]
    switch_latency_s : port to port of one switch [s]
    nic_latency_s : of one NIC with its host interface [s]
    cable_latency_s_per_m : of fibre or copper [s/m]
    optical_end_latency_s : forward error correction and signal processing of one end [s]
    """
    forwarding_nodes = np.maximum(diameter_links - 1 - switches_on_path, 0.0)
    ends = 2 * diameter_links
    in_switches_s = np.where(switches_on_path <= 0, 0.0, switches_on_path * switch_latency_s)
    latency = (
        2 * (1 + forwarding_nodes) * nic_latency_s
        + in_switches_s
        + ends * optical_end_latency_s
        + path_length_m * cable_latency_s_per_m
    )
    return np.where(diameter_links <= 0, 0.0, latency)
