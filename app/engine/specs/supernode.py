"""One scale-up domain as it is bought, with its accelerators and how they are joined."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    key: str
    name: str
    vendor: str
    generation: str  # volta | ampere | hopper | blackwell | rubin | cdna3 | tpu | trainium | ...
    peak_flop_per_s: Array  # at the workload's precision, dense
    peak_16_bit_flop_per_s: Array
    achievable_16_bit_flop_per_s: Array  # best measured dense matmul; NaN when no one measured
    memory_bytes: Array
    memory_bandwidth_bytes_per_s: Array
    scale_up_bandwidth_bytes_per_s: Array
    scale_up_pair_bandwidth_bytes_per_s: Array
    tdp_w: Array
    idle_w: Array
    price_usd: Array
    power_cap: Array | None = None  # power allowed over TDP; None: no cap


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPair:
    """What was measured between two accelerators of a domain that are so far apart."""

    distance: str  # other_die | one_switch | two_switches
    bandwidth_bytes_per_s: Array
    latency_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """What a link of the scale-up network runs over.

    Energy is that of one end per bit of rate; price of the whole link per Gbit/s; latency of one end.
    """

    name: str
    reach_m: Array
    energy_j_per_bit: Array
    usd_per_gbit_s: Array  # (1,), or (3,): low, typical, high
    latency_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUpPlan:
    """How the accelerators of one scale-up domain are joined. None: it has no such thing."""

    key: str
    name: str
    structure: str  # switch_planes | torus | mesh
    links_per_accelerator: Array
    link_bandwidth_bytes_per_s: Array  # of one link, one way
    cables_per_link: Array  # of the lowest tier, or of all links; 0 where they are traces of a board
    planes: Array | None = None  # switches side by side; each accelerator is linked to all of them
    switch_ports: Array | None = None  # of one chip of the highest tier
    taper: Array | None = None  # links down over links up of the lower of two tiers; None: one tier
    first_tier_accelerators: Array | None = None  # below one chip of the lower tier; None: what it can take
    upper_cables_per_link: Array | None = None
    lengths: tuple[Array, ...] = ()  # sides of a torus
    third_link_bandwidth_bytes_per_s: Array | None = None  # in its third dimension, where it is another
    cube_side: Array | None = None  # of its cubes, joined by optical circuit switches
    measured: tuple[MeasuredPair, ...] = ()
    media: tuple[
        Medium, ...
    ] = ()  # of links that stay with the lower switches, and of those to the upper ones
    price_level: Array = field(
        default_factory=lambda: np.ones(1)
    )  # of the whole as it is sold, over the sum of its parts


HOST_MEMORY, CXL = "host_memory", "cxl"
"""Composition of a pool of memory: memory of the hosts over the scale-up links, or modules behind CXL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPool:
    """Memory that every accelerator of a SuperNode reaches, whichever instance or rank left something there."""

    technology: str  # host_memory | cxl
    capacity_bytes: Array  # for each accelerator
    bandwidth_bytes_per_s: Array  # that one accelerator has to it, one way
    latency_s: Array  # of one access
    price_usd: Array | None = (
        None  # of a SuperNode's pool beside its own price; None: that price has it in it
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNode:
    """One scale-up domain as it is bought: a server, a rack or a set of racks."""

    key: str
    name: str
    accelerator: Accelerator
    accelerators: Array  # all that are bought together
    scale_up_domain_accelerators: Array  # that one collective can reach without the scale-out fabric
    scale_up_topology: str  # switched | mesh | torus
    scale_up_latency_s: Array
    nodes: Array  # hosts or trays: 1 for a DGX, 18 for an NVL72
    host_memory_bytes: Array  # of all its hosts
    scale_out_nics: Array  # compute NICs
    scale_out_nic_bandwidth_bytes_per_s: Array
    max_power_w: Array
    typical_power_w: Array
    liquid_share: Array  # share of the heat that liquid takes away, 0 to 1
    cooling: str  # air | liquid | hybrid | ""
    racks: Array
    rack_units: Array
    price_usd: Array
    price_is_listed: Array  # 1 when the price is the catalog's, so that a discount is taken off it
    price_includes_nics: bool
    price_includes_network: Array  # 1 when the price is of all IT: fabric and storage are in it
    channel_price_ratio: Array = field(
        default_factory=lambda: np.ones(1)
    )  # what this buyer pays over what the catalog's price was quoted to
    nic_slot_bandwidth_bytes_per_s: Array | None = None  # of one NIC; None: the NICs run as they come
    nic_made_for_bytes_per_s: Array | None = None  # rate of the NIC itself where it may run slower
    weight_kg: Array | None = None  # None as not a number: not published
    scale_up: ScaleUpPlan | None = None  # None: how its domain is joined is not published
    pool: MemoryPool | None = None  # None: it has none
