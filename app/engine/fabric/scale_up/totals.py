"""The figures of a scale-up fabric as they are published; what is counted is said by its structure.

What a structure has none of, or always one of, is unknown all the same where the domain is.
"""

from __future__ import annotations

import functools

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_PLACE = "fabric.scale_up"
_DALLY = "[1] Dally, Towles 2004, Principles and Practices of Interconnection Networks (bisection bound)"


@quantity(unit="1", source="definition", at=f"{_PLACE}.tiers[].switches")
def tier_switches(*, switches: Array, links: Array) -> Array:
    """Switch chips of one tier of a scale-up domain."""
    return switches + 0 * links


tier_links = alias(
    "tier_links", "Links of one tier of a scale-up domain", of="links", at=f"{_PLACE}.tiers[].links"
)


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


domain_accelerators = alias(
    "domain_accelerators",
    "Accelerators per scale-up domain",
    of="accelerators",
    at=f"{_PLACE}.accelerators",
)


@quantity(unit="1", source="definition", at=f"{_PLACE}.planes")
def domain_planes(*, planes: Array, accelerators: Array) -> Array:
    """Switch planes of a scale-up domain; 1 where it has no switches."""
    return planes + 0 * accelerators


domain_links_per_accelerator = alias(
    "domain_links_per_accelerator",
    "Scale-up links per accelerator",
    of="links_per_accelerator",
    at=f"{_PLACE}.links_per_accelerator",
)


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


accelerator_bandwidth_bytes_per_s = alias(
    "accelerator_bandwidth_bytes_per_s",
    "Scale-up link bandwidth per accelerator, one way",
    of="of_its_links",
    at=f"{_PLACE}.accelerator_bandwidth_bytes_per_s",
    unit="B/s",
)


@quantity(unit="B/s", source=_DALLY, at=f"{_PLACE}.all_to_all_bandwidth_bytes_per_s")
def all_to_all_bandwidth_bytes_per_s(
    *,
    accelerator_bandwidth_bytes_per_s: Array,
    bisection_bandwidth_bytes_per_s: Array,
    accelerators: Array,
    oversubscription: Array,
    share_beyond: Array,
) -> Array:
    """All-to-all bandwidth per accelerator, one way.

    The least of its links; its share of the bisection, of which half of what N accelerators send crosses it,
    4 B / N; and its share of the links up of its switch, over which the share of the others beyond that switch goes.
    """
    return np.minimum(
        np.minimum(accelerator_bandwidth_bytes_per_s, 4 * bisection_bandwidth_bytes_per_s / accelerators),
        accelerator_bandwidth_bytes_per_s / np.maximum(oversubscription * share_beyond, 1.0),
    )


bisection_bandwidth_bytes_per_s = alias(
    "bisection_bandwidth_bytes_per_s",
    "Bisection bandwidth of a scale-up domain, one way",
    of="of_the_thinnest_cut",
    at=f"{_PLACE}.bisection_bandwidth_bytes_per_s",
    unit="B/s",
)


@quantity(unit="1", source="definition", at=f"{_PLACE}.oversubscription")
def oversubscription(*, taper: Array, accelerators: Array) -> Array:
    """Oversubscription of a scale-up domain: links down over links up of its lower switches."""
    return taper + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.diameter_links")
def diameter_links(*, longest_path: Array, accelerators: Array) -> Array:
    """Diameter of a scale-up domain, in links."""
    return longest_path + 0 * accelerators


@quantity(unit="1", source="definition", at=f"{_PLACE}.mean_distance_links")
def mean_distance_links(*, mean_path: Array, accelerators: Array) -> Array:
    """Mean distance within a scale-up domain, in links."""
    return mean_path + 0 * accelerators


@quantity(unit="s", source="definition", at=f"{_PLACE}.latency_s")
def latency_s(*, steps: Array, step_latency_s: Array) -> Array:
    """Largest latency within a scale-up domain: as measured, else one latency a switch or hop."""
    return steps * step_latency_s


@quantity(unit="1", source="definition", at=f"{_PLACE}.distances[].accelerators")
def distance_accelerators(*, at_the_distance: Array, accelerators: Array) -> Array:
    """Accelerators at one distance from an accelerator."""
    return at_the_distance + 0 * accelerators


distance_bandwidth_bytes_per_s = alias(
    "distance_bandwidth_bytes_per_s",
    "Bandwidth between two accelerators at one distance, one way, with the fabric to themselves",
    of="of_one_pair",
    at=f"{_PLACE}.distances[].bandwidth_bytes_per_s",
    unit="B/s",
)


@quantity(unit="s", source="definition", at=f"{_PLACE}.distances[].latency_s")
def distance_latency_s(*, steps: Array, step_latency_s: Array) -> Array:
    """Latency between two accelerators at one distance: as measured, else one latency a switch or hop."""
    return steps * step_latency_s
