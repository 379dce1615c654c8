"""Modelling assumptions of the operations room; values and sources in seed_data/assumptions."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsAssumptions:
    failures_per_node_day: Array
    rated_node_accelerators: Array
    failure_share_accelerators: Array
    failure_share_hosts: Array
    failure_share_network: Array
    failure_share_power_supplies: Array
    failure_share_local_storage: Array
    failure_share_software: Array
    repair_share_hosts: Array
    repair_share_network: Array
    repair_days: Array
    reset_days: Array
    unit_return_s: Array
    elastic_operation: Array
    spare_confidence: Array
    checkpoint_bytes_per_parameter: Array
    snapshot_bandwidth_bytes_per_s: Array
    checkpoint_synchronisation_s: Array
    drain_bandwidth_share: Array
    detection_s: Array
    restart_overhead_s: Array
    local_restart_overhead_s: Array
    local_recovery_share: Array
    node_recovery_share: Array
    node_write_bandwidth_bytes_per_s: Array
    node_read_bandwidth_bytes_per_s: Array
    corruptions_per_accelerator_hour: Array
    corruption_found_at_validation: Array
    validation_steps: Array
    rack_mtbf_hours: Array
    rack_mttr_hours: Array
    plane_mtbf_hours: Array
    plane_mttr_hours: Array
    checkpoint_overhead_target: Array
    storage_write_per_accelerator_bytes_per_s: Array
    storage_read_per_accelerator_bytes_per_s: Array
    storage_write_per_capacity_per_s: Array
    storage_read_per_capacity_per_s: Array
    storage_write_efficiency: Array
    storage_read_efficiency: Array
    storage_usable_share: Array
    storage_bulk_per_accelerator_bytes: Array
    storage_flash_power_w_per_pb: Array
    storage_flash_power_w_per_gb_s: Array
    storage_bulk_power_w_per_pb: Array
    storage_flash_racks_per_pb: Array
    storage_flash_racks_per_gb_s: Array
    storage_bulk_racks_per_pb: Array
    storage_port_bytes_per_s: Array
    storage_files_per_accelerator: Array
    storage_open_window_s: Array
    checkpoints_kept: Array
    token_bytes: Array
