"""The fabric section of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.fabric.collectives.shared_links import SharedLinks, nothing_shared
from app.engine.fabric.scale_up.figures import ScaleUp
from app.engine.trace import Array


def nothing() -> Array:
    """A count of zero."""
    return np.zeros(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """One layer of switches with the links that join it to the layer below, over all planes."""

    name: str  # leaf | spine | core | router | global | ...
    switches: Array
    links: Array
    cables: Array
    cabled_ports: Array  # of its switches, that lead down
    modules: Array  # at both ends of its links
    switch_modules: Array  # those in switches
    ports_used: Array  # share of the tier's ports that carry a link
    # of those in switches, at the lower ends of its links, where modules there are of another kind
    lower_modules: Array = field(default_factory=nothing, metadata={"figure": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class BillLine:
    """One role in the bill of materials."""

    item: str
    count: Array
    unit_price_usd: Array
    price_usd: Array
    power_w: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkTier:
    """One layer of switches of a network beside the compute fabric, with the links below it."""

    name: str  # leaf | spine | core | access | uplink
    switches: Array
    links: Array
    cables: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PodNetwork:
    """A network of the pod beside its compute fabric."""

    name: str  # storage | in_band | out_of_band
    kind: str  # protocol of its switches
    switch: str
    tiers: tuple[NetworkTier, ...]
    hosts: Array
    host_ports: Array
    node_bandwidth_bytes_per_s: Array  # one way
    servers: Array
    switches: Array
    links: Array
    cables: Array
    modules: Array
    power_w: Array
    price_usd: Array
    host_cores_freed: Array | None = None  # these two are of a card that the scenario names
    encrypted_bytes_per_s: Array | None = None  # of a host, one way


@dataclass(frozen=True, slots=True, kw_only=True)
class Fabric:
    """The scale-out fabric of a pod. Bandwidths are one way; per accelerator unless it says bisection."""

    topology: str
    tiers: tuple[Tier, ...]
    switches_total: Array
    links_total: Array
    cables_total: Array
    fibres_total: Array
    modules_total: Array
    scalable_units: Array
    unit_supernodes: Array  # of a whole scalable unit
    rails: Array
    planes: Array
    leaf_groups: Array
    evenness_switches: Array
    evenness_price_usd: Array
    lengths: tuple[Array, ...]  # of the dimensions of a lattice; boards have theirs before the others
    networked_supernodes: Array
    bisection_bandwidth_bytes_per_s: Array
    scale_up_bandwidth_bytes_per_s: Array
    scale_out_bandwidth_bytes_per_s: Array
    bandwidth_gap: Array
    oversubscription: Array
    diameter_links: Array
    mean_distance_links: Array
    latency_s: Array
    network_power_w: Array
    network_price_usd: Array
    bill: tuple[BillLine, ...]
    networks: tuple[PodNetwork, ...] = ()  # beside the compute fabric; their lines are in the bill
    shared_links: SharedLinks = field(default_factory=nothing_shared, metadata={"figure": False})
    scale_up: ScaleUp | None = None  # of one domain; None where it is not stated how it is joined
