"""The network that a group of ranks communicates over, from what the hardware sustains."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.network import Network, shared_link_bandwidth_bytes_per_s, torus_dimensions
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware, group_bandwidth_bytes_per_s
from app.engine.trace import Array, plain


def group_network(
    *,
    domain_ranks: Array,
    scale_out_bandwidth_bytes_per_s: Array,
    hardware: Hardware,
    a: PerformanceAssumptions,
) -> Network:
    """What a group with as many ranks in each scale-up domain communicates over."""
    dimensions, in_switch = np.ones(1), a.in_switch_efficiency
    if hardware.scale_up_topology == "torus":
        dimensions = torus_dimensions(
            full_bandwidth_bytes_per_s=hardware.scale_up_bandwidth_bytes_per_s,
            pair_bandwidth_bytes_per_s=hardware.scale_up_pair_bandwidth_bytes_per_s,
        )
    if hardware.scale_up_topology != "switched":
        in_switch = np.zeros(1)
    link = group_bandwidth_bytes_per_s(ranks=domain_ranks, hardware=hardware)
    if np.any(plain(a.link_sharers) != 1) or np.any(plain(a.host_staging_bytes_per_s) != 0):
        link = shared_link_bandwidth_bytes_per_s(
            ranks=domain_ranks,
            link_bandwidth_bytes_per_s=link,
            link_sharers=a.link_sharers,
            host_staging_bytes_per_s=a.host_staging_bytes_per_s,
        )
    return Network(
        scale_up_bandwidth_bytes_per_s=link,
        scale_out_bandwidth_bytes_per_s=scale_out_bandwidth_bytes_per_s,
        in_switch_efficiency=in_switch,
        in_switch_ranks=a.in_switch_reduction_ranks,
        launch_s=a.collective_launch_s,
        dimensions=dimensions,
        scale_up_hop_s=a.scale_up_hop_s,
        scale_out_hop_s=a.scale_out_hop_s,
        full_pipeline_s=a.collective_full_pipeline_s,
        own_part=a.own_part,
        domain_nics=a.domain_nics,
        level_overlap=a.level_overlap,
    )
