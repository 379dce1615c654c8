"""What one pipeline stage sends to the next, inside a scale-up domain and across domains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.times import send_receive_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.performance.sustained_rates import neighbour_bandwidth_bytes_per_s
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTransfer:
    """Seconds for one micro-batch, where neighbours share a domain and where they do not."""

    inside: Array
    outside: Array


@quantity(unit="s", source="definition")
def stage_transfer_time_s(*, share_domain: Array, inside_s: Array, outside_s: Array) -> Array:
    """Time to the next stage for one micro-batch: over scale-up where all stages share a domain."""
    return np.where(share_domain > 0, inside_s, outside_s)


def stage_transfer(*, message_bytes: Array, hardware: Hardware, a: PerformanceAssumptions) -> StageTransfer:
    """Both ways to the next stage."""
    return StageTransfer(
        inside=send_receive_time_s(
            message_bytes=message_bytes,
            bandwidth_bytes_per_s=neighbour_bandwidth_bytes_per_s(
                pair_bandwidth_bytes_per_s=hardware.scale_up_pair_bandwidth_bytes_per_s,
                full_bandwidth_bytes_per_s=hardware.scale_up_bandwidth_bytes_per_s,
            ),
            launch_s=a.collective_launch_s,
            hop_s=a.scale_up_hop_s,
            full_pipeline_s=a.collective_full_pipeline_s,
        ),
        outside=send_receive_time_s(
            message_bytes=message_bytes,
            bandwidth_bytes_per_s=hardware.scale_out_bandwidth_bytes_per_s,
            launch_s=a.collective_launch_s,
            hop_s=a.scale_out_hop_s,
            full_pipeline_s=a.collective_full_pipeline_s,
        ),
    )
