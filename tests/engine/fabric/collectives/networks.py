"""Networks that tests of collectives use: round figures, or the assumptions as they are shipped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.fabric.collectives.network import Group, Network
from app.engine.performance.assumptions import PerformanceAssumptions
from tests.support import assumptions, build, number


def network(**changes: float) -> Network:
    """100 GB/s in the domain and 10 GB/s per NIC, 1 us and 10 us a hop, nothing else."""
    plain = build(
        Network, scale_up_bandwidth_bytes_per_s=100e9, scale_out_bandwidth_bytes_per_s=10e9,
        in_switch_efficiency=0, in_switch_ranks=5, launch_s=5e-6, dimensions=1, scale_up_hop_s=1e-6,
        scale_out_hop_s=10e-6, full_pipeline_s=1e-3, own_part=0, domain_nics=1e6, level_overlap=1,
    )  # fmt: skip
    return replace(plain, **{name: number(value) for name, value in changes.items()})


def wires_only(**changes: float) -> Network:
    """The same without any latency: what is left is bytes over bandwidth."""
    return network(**{"launch_s": 0, "scale_up_hop_s": 0, "scale_out_hop_s": 0} | changes)


def group(domain_ranks: float, domains: float = 1) -> Group:
    return Group(domain_ranks=number(domain_ranks), domains=number(domains))


def shipped(generation: str, link_bytes_per_s: float, nic_bytes_per_s: float = np.nan) -> Network:
    """An NVLink generation with the constants of the catalog."""
    a = assumptions(
        "performance", PerformanceAssumptions, generation=generation, link="nvlink", precision="bf16"
    )
    return Network(
        scale_up_bandwidth_bytes_per_s=link_bytes_per_s * a.scale_up_efficiency,
        scale_out_bandwidth_bytes_per_s=nic_bytes_per_s * a.scale_out_efficiency,
        in_switch_efficiency=a.in_switch_efficiency,
        in_switch_ranks=a.in_switch_reduction_ranks,
        launch_s=a.collective_launch_s,
        dimensions=number(1),
        scale_up_hop_s=a.scale_up_hop_s,
        scale_out_hop_s=a.scale_out_hop_s,
        full_pipeline_s=a.collective_full_pipeline_s,
        own_part=a.own_part,
        domain_nics=a.domain_nics,
        level_overlap=a.level_overlap,
    )
