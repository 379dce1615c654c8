"""What the fabric room assumes where no part says it."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricAssumptions:
    """Values of `seed_data/assumptions/fabric.csv`."""

    rack_unit_supernodes: Array
    node_cable_length_m: Array
    spine_cable_length_m: Array
    core_cable_length_m: Array
    cable_latency_s_per_m: Array
    optical_end_latency_s: Array
    nic_latency_s: Array
    spare_share: Array  # of modules and fibres, bought beyond what is installed
