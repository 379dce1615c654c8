"""Published fabrics: units, switches and cables a tier."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, SourcedKind


class ReferenceArchitecture(SourcedKind):
    """Counts as printed by the publisher of the design."""

    kind: ClassVar[str] = "reference_architectures"
    file: ClassVar[str] = "reference_architectures.csv"
    title: ClassVar[str] = "Reference architectures"

    name: str = text("system", min_length=1)
    vendor: str = text()
    confidence: str = text()
    notes: str = text()
    fabric: str = text()
    topology: str = text()
    tiers: Count = number()
    planes: Count = number()
    scalable_units: Count = number("num_scalable_units")
    nodes: Count = number("num_nodes")
    accelerators: Count = number("num_accelerators")
    accelerators_per_node: Count = number()
    nic_bandwidth_bytes_per_s: Number = number(
        "nic_gbit_s_per_accelerator", "Gbit/s", "one way, per accelerator"
    )
    leaf_switch_model: str = text()
    switch_ports: Count = number("switch_radix_ports")
    switch_port_bandwidth_bytes_per_s: Number = number("switch_port_gbit_s", "Gbit/s", "one way, per port")
    leaf_down_ports: Count = number()
    leaf_up_ports: Count = number()
    leaf_switches: Count = number("num_leaf_switches")
    spine_switches: Count = number("num_spine_switches")
    core_switches: Count = number("num_core_switches")
    node_leaf_cables: Count = number("cables_node_leaf")
    leaf_spine_cables: Count = number("cables_leaf_spine")
    spine_core_cables: Count = number("cables_spine_core")
    management_ports_on_leaf: Count = number()
    oversubscription_top_tier: Number = number()
    rail_optimised: str = text()
    scale_up_domain_accelerators: Count = number("scale_up_domain_size")
