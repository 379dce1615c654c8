"""The scale-up fabric in the fabric section of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUpTier:
    """Links of one sort with the switches above them, in one domain."""

    name: str  # plane | lower | upper | dimension_1 | copper | optical | mesh
    switches: Array
    links: Array
    cables: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """Accelerators at the same distance from an accelerator."""

    name: str  # one_switch | two_tiers | dimension_1 | direct | other_die | ...
    accelerators: Array
    bandwidth_bytes_per_s: Array  # of one pair with the fabric to itself, one way
    latency_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUp:
    """The fabric inside one scale-up domain. Bandwidths are one way."""

    structure: str  # switch_planes | torus | mesh
    name: str
    accelerators: Array
    tiers: tuple[ScaleUpTier, ...]
    switches_total: Array
    links_total: Array
    cables_total: Array
    planes: Array
    links_per_accelerator: Array
    circuit_switches: Array
    circuit_switch_ports: Array  # in use, of each
    optical_ends: Array
    accelerator_bandwidth_bytes_per_s: Array
    all_to_all_bandwidth_bytes_per_s: Array
    bisection_bandwidth_bytes_per_s: Array
    oversubscription: Array
    diameter_links: Array
    mean_distance_links: Array
    latency_s: Array
    switch_power_w: Array
    optics_power_w: Array
    switch_price_usd: Array
    cable_price_usd: Array
    distances: tuple[Distance, ...]
