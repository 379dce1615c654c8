"""The figures of a scale-up fabric as they are published; what is counted is said by its structure.

What a structure has none of, or always one of, is unknown all the same where the domain is.
"""

from __future__ import annotations

import functools

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_PLACE = "fabric.scale_up"
_DALLY = "[1] Dally, Towles 2004, Principles and Practices of Interconnection Networks (bisection bound)"


@quantity(unit="1", source="definition", at=f"{_PLACE}.tiers[].switches")
def tier_switches(*, switches: Array, links: Array) -> Array:
    """Switch chips of one tier of a scale-up domain."""
    return switches + 0 * links


@quantity(unit="1", source="definition", at=f"{_PLACE}.tiers[].links")
def tier_links(*, links: Array) -> Array:
    """Links of one tier of a scale-up domain."""
    return 1 * links


@quantity(unit="1", source="definition", at=f"{_PLACE}.tiers[].cables")
def tier_cables(*, links: Array, cables_per_link: Array) -> Array:
    """Cables of one tier of a scale-up domain; none where links are traces of a board."""
    return links * cables_per_link


@quantity(unit="1", source="definition", at=f"{_PLACE}.switches_total")
def switches_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Switch chips of a scale-up domain."""
    return functools.reduce(np.add, by_tier)


@quantity(unit="1", source="definition", at=f"{_PLACE}.links_total")
def links_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Links of a scale-up domain."""
    return functools.reduce(np.add, by_tier)


@quantity(unit="1", source="definition", at=f"{_PLACE}.cables_total")
def cables_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Cables of a scale-up domain."""
    return functools.reduce(np.add, by_tier)


@quantity(unit="1", source="definition", at=f"{_PLACE}.accelerators")
def domain_accelerators(*, accelerators: Array) -> Array:
    """Accelerators of one scale-up domain."""
    return 1 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.planes")
def domain_planes(*, planes: Array, accelerators: Array) -> Array:
    """Switch planes of a scale-up domain that stand side by side; 1 where it has no switches."""
    return planes + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.links_per_accelerator")
def domain_links_per_accelerator(*, links_per_accelerator: Array) -> Array:
    """Scale-up links of one accelerator."""
    return 1 * links_per_accelerator


@quantity(unit="1", source="definition", at=f"{_PLACE}.circuit_switches")
def circuit_switches(*, switches: Array, accelerators: Array) -> Array:
    """Optical circuit switches of a scale-up domain."""
    return switches + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.circuit_switch_ports")
def circuit_switch_ports(*, ports: Array, accelerators: Array) -> Array:
    """Ports in use of each optical circuit switch."""
    return ports + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.optical_ends")
def optical_ends(*, ends: Array, accelerators: Array) -> Array:
    """Link ends that go to optical circuit switches."""
    return ends + 0 * accelerators


@quantity(unit="B/s", source="definition", at=f"{_PLACE}.accelerator_bandwidth_bytes_per_s")
def accelerator_bandwidth_bytes_per_s(*, of_its_links: Array) -> Array:
    """What the links of one accelerator come to, one way."""
    return 1 * of_its_links


@quantity(unit="B/s", source=_DALLY, at=f"{_PLACE}.all_to_all_bandwidth_bytes_per_s")
def all_to_all_bandwidth_bytes_per_s(
    *,
    accelerator_bandwidth_bytes_per_s: Array,
    bisection_bandwidth_bytes_per_s: Array,
    accelerators: Array,
    oversubscription: Array,
    share_beyond: Array,
) -> Array:
    """What each accelerator can send when all send to all, one way.

    The least of its links; its share of the bisection, of which half of what N accelerators send crosses it,
    4 B / N; and its share of the links up of its switch, over which the share of the others beyond that switch goes.
    """
    return np.minimum(
        np.minimum(accelerator_bandwidth_bytes_per_s, 4 * bisection_bandwidth_bytes_per_s / accelerators),
        accelerator_bandwidth_bytes_per_s / np.maximum(oversubscription * share_beyond, 1.0),
    )


@quantity(unit="B/s", source="definition", at=f"{_PLACE}.bisection_bandwidth_bytes_per_s")
def bisection_bandwidth_bytes_per_s(*, of_the_thinnest_cut: Array) -> Array:
    """Bisection bandwidth of a scale-up domain, one way."""
    return 1 * of_the_thinnest_cut


@quantity(unit="1", source="definition", at=f"{_PLACE}.oversubscription")
def oversubscription(*, taper: Array, accelerators: Array) -> Array:
    """Oversubscription of a scale-up domain: links down over links up of its lower switches."""
    return taper + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.diameter_links")
def diameter_links(*, longest_path: Array, accelerators: Array) -> Array:
    """Links between the two accelerators of a scale-up domain that are furthest apart."""
    return longest_path + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.mean_distance_links")
def mean_distance_links(*, mean_path: Array, accelerators: Array) -> Array:
    """Links between two accelerators of a scale-up domain, averaged over all pairs."""
    return mean_path + 0 * accelerators


@quantity(unit="s", source="definition", at=f"{_PLACE}.latency_s")
def latency_s(*, steps: Array, step_latency_s: Array) -> Array:
    """Latency between the accelerators that are furthest apart: as measured, else one latency a switch or hop."""
    return steps * step_latency_s


@quantity(unit="1", source="definition", at=f"{_PLACE}.distances[].accelerators")
def distance_accelerators(*, at_the_distance: Array, accelerators: Array) -> Array:
    """Accelerators at one distance of any of them."""
    return at_the_distance + 0 * accelerators


@quantity(unit="B/s", source="definition", at=f"{_PLACE}.distances[].bandwidth_bytes_per_s")
def distance_bandwidth_bytes_per_s(*, of_one_pair: Array) -> Array:
    """Bandwidth between two accelerators at one distance, one way, with the fabric to themselves."""
    return 1 * of_one_pair


@quantity(unit="s", source="definition", at=f"{_PLACE}.distances[].latency_s")
def distance_latency_s(*, steps: Array, step_latency_s: Array) -> Array:
    """Latency between two accelerators at one distance: as measured, else one latency a switch or hop."""
    return steps * step_latency_s
