"""What it takes to hand a whole pod from one workload to the next, once a day each.

A workload that takes over starts its processes and reads its state from shared storage; a run writes a checkpoint
before it hands over. Both are in its own hours. While storage is read or written the accelerators idle.
"""

from __future__ import annotations

import numpy as np

from app.engine.operations import checkpointing
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.section import Reliability
from app.engine.performance.serving.section import ServingPerformance
from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="s", source="definition", at="workloads[].switching_s_per_day")
def switching_of_a_run_s_per_day(
    *, start_up_s: Array, checkpoint_read_s: Array, checkpoint_write_s: Array
) -> Array:
    """Switching time per day.

    Processes start on nodes that are there, weights or a checkpoint are read from shared storage, and a run
    writes a checkpoint before it hands over.
    """
    return start_up_s + checkpoint_read_s + checkpoint_write_s


@quantity(unit="s", source="definition", also_at="workloads[].switching_s_per_day")
def switching_of_a_service_s_per_day(*, start_up_s: Array, instances: Array, weights_load_s: Array) -> Array:
    """Time of a day that switching to a served model takes.

    Every instance reads the weights, all from the same storage at the same time.
    """
    return start_up_s + instances * weights_load_s


@quantity(unit="1", source="definition")
def instances(*, replicas: Array, instances_per_replica: Array) -> Array:
    """Instances that each hold a copy of the weights."""
    return replicas * instances_per_replica


@quantity(unit="1", source="definition")
def working_share(*, share: Array, switching_s_per_day: Array) -> Array:
    """Share of the day in which a workload works."""
    return np.maximum(share - switching_s_per_day / 86_400, 0)


@quantity(unit="h", source="definition", at="workloads[].working_hours_per_day")
def working_hours_per_day(*, working_share: Array) -> Array:
    """Working hours per day."""
    return 24 * working_share


def switching_s_per_day(
    reliability: Reliability, performance: object, assumptions: OperationsAssumptions
) -> Array:
    """By the kind of workload."""
    start_up_s = assumptions.local_restart_overhead_s
    if isinstance(performance, ServingPerformance):
        assert reliability.weights_load_s is not None, "a served model has weights"
        return switching_of_a_service_s_per_day(
            start_up_s=start_up_s,
            instances=instances(
                replicas=performance.replicas, instances_per_replica=_instances_per_replica(performance)
            ),
            weights_load_s=reliability.weights_load_s,
        )
    assert reliability.checkpoint_bytes is not None, "a run has checkpoints"
    assert reliability.checkpoint_write_s is not None
    return switching_of_a_run_s_per_day(
        start_up_s=start_up_s,
        checkpoint_read_s=checkpointing.checkpoint_read_s(
            checkpoint_bytes=reliability.checkpoint_bytes,
            storage_read_bandwidth_bytes_per_s=reliability.storage_read_bandwidth_bytes_per_s,
        ),
        checkpoint_write_s=reliability.checkpoint_write_s,
    )


def _instances_per_replica(performance: ServingPerformance) -> Array:
    """One, or those of a group that reads prompts and answers apart."""
    layout = performance.strategy
    if "prefill_instances" not in layout:
        return np.ones(1)
    return layout["prefill_instances"] + layout["decode_instances"]
