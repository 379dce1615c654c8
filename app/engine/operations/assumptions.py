"""Modelling assumptions of the operations room; values and sources in seed_data/assumptions."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsAssumptions:
    failures_per_node_day: Array
    job_failures_per_day: Array
    repair_days: Array
    spare_confidence: Array
    checkpoint_bytes_per_parameter: Array
    snapshot_bandwidth_bytes_per_s: Array
    checkpoint_synchronisation_s: Array
    persistent_interval_s: Array
    restart_overhead_s: Array
    local_restart_overhead_s: Array
    local_recovery_share: Array
    checkpoint_overhead_target: Array
    storage_write_per_accelerator_bytes_per_s: Array
    storage_read_per_accelerator_bytes_per_s: Array
    storage_write_per_capacity_per_s: Array
    storage_usable_share: Array
    checkpoints_kept: Array
    token_bytes: Array
