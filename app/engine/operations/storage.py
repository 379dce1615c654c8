"""Shared storage: what a job asks of it, and the tiers that are sized to that.

Flash holds checkpoints and the data of the run, and is the larger of what that takes and of what comes along with the
bandwidth. A tier of disks or objects holds what a site keeps beside the run. Jobs get a share of a rated bandwidth, so
what is bought is rated higher than what is asked for. A bandwidth that a scenario states is what jobs get; that of a
system of the catalog is rated.
"""

from __future__ import annotations

import numpy as np

from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.quantities import quantity, unknown
from app.engine.specs import Operations, Pod, SuperNode
from app.engine.trace import Array

_SUPERPOD = "[1] NVIDIA DGX SuperPOD H100 reference architecture RA-11333-001, table 6"
_YOUNG = "[1] Young, Communications of the ACM 17 (1974) 530-531, first-order overhead sqrt(2 C / M)"


@quantity(unit="1", source="definition")
def pod_accelerators(*, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Accelerators of the pod."""
    return supernodes * accelerators_per_supernode


@quantity(unit="B/s", source=_SUPERPOD, at="reliability.storage_write_bandwidth_bytes_per_s")
def storage_write_bandwidth_bytes_per_s(
    *,
    stated_bytes_per_s: Array,
    pod_accelerators: Array,
    per_accelerator_bytes_per_s: Array,
    storage_write_efficiency: Array,
    is_rated: Array,
) -> Array:
    """Write bandwidth that jobs get of the shared storage.

    As the scenario states for the whole system, else a published rule of thumb per accelerator. A system of the
    catalog is rated, and gives jobs a share of that.
    """
    by_rule = pod_accelerators * per_accelerator_bytes_per_s
    stated = stated_bytes_per_s * np.where(is_rated > 0, storage_write_efficiency, 1.0)
    return np.where(np.isnan(stated_bytes_per_s), by_rule, stated)


@quantity(unit="B/s", source=_SUPERPOD, at="reliability.storage_read_bandwidth_bytes_per_s")
def storage_read_bandwidth_bytes_per_s(
    *,
    stated_bytes_per_s: Array,
    pod_accelerators: Array,
    per_accelerator_bytes_per_s: Array,
    storage_read_efficiency: Array,
    is_rated: Array,
) -> Array:
    """Read bandwidth that jobs get of the shared storage.

    As the scenario states for the whole system, else a published rule of thumb per accelerator. A system of the
    catalog is rated, and gives jobs a share of that.
    """
    by_rule = pod_accelerators * per_accelerator_bytes_per_s
    stated = stated_bytes_per_s * np.where(is_rated > 0, storage_read_efficiency, 1.0)
    return np.where(np.isnan(stated_bytes_per_s), by_rule, stated)


@quantity(unit="B", source="definition")
def stored_with_dataset_bytes(
    *, checkpoint_bytes: Array, checkpoints_kept: Array, dataset_bytes: Array
) -> Array:
    """Checkpoints and dataset on shared storage."""
    return checkpoint_bytes * checkpoints_kept + dataset_bytes


@quantity(unit="B/s", source=_YOUNG, at="reliability.blocking_bandwidth_bytes_per_s")
def blocking_bandwidth_bytes_per_s(*, checkpoint_bytes: Array, mtbf_s: Array, overhead: Array) -> Array:
    """Write bandwidth for low-overhead blocking checkpoints.

    B = S / C with C = eps^2 M / 2: stalls and lost work together take eps of the time.

    Parameters
    ----------
    checkpoint_bytes : S, size of one checkpoint [B]
    mtbf_s : M, mean time between interruptions [s]
    overhead : eps, allowed share of the time
    """
    return checkpoint_bytes * 2 / (overhead**2 * mtbf_s)


@quantity(unit="B", source="definition")
def stored_bytes(
    *, checkpoint_bytes: Array, checkpoints_kept: Array, tokens: Array, token_bytes: Array
) -> Array:
    """Checkpoints and training data on shared storage."""
    return checkpoint_bytes * checkpoints_kept + tokens * token_bytes


@quantity(unit="B/s", source="definition", at="reliability.storage_write_rated_bytes_per_s")
def storage_write_rated_bytes_per_s(
    *, storage_write_bandwidth_bytes_per_s: Array, storage_write_efficiency: Array
) -> Array:
    """Rated write bandwidth that has to be bought: what jobs get over their share of it."""
    return storage_write_bandwidth_bytes_per_s / storage_write_efficiency


@quantity(unit="B/s", source="definition", at="reliability.storage_read_rated_bytes_per_s")
def storage_read_rated_bytes_per_s(
    *, storage_read_bandwidth_bytes_per_s: Array, storage_read_efficiency: Array
) -> Array:
    """Rated read bandwidth that has to be bought: what jobs get over their share of it."""
    return storage_read_bandwidth_bytes_per_s / storage_read_efficiency


@quantity(unit="B", source="definition", at="reliability.storage_flash_bytes")
def storage_flash_bytes(
    *,
    stored_bytes: Array,
    usable_share: Array,
    storage_write_rated_bytes_per_s: Array,
    write_per_capacity_per_s: Array,
    storage_read_rated_bytes_per_s: Array,
    read_per_capacity_per_s: Array,
    stated_capacity_bytes: Array,
) -> Array:
    """Capacity of the flash tier.

    As the scenario states, else the largest of what has to be held, with slack, and what comes along with the write
    and the read bandwidth: flash file systems are bought by the appliance.
    """
    for_bandwidth = np.maximum(
        storage_write_rated_bytes_per_s / write_per_capacity_per_s,
        storage_read_rated_bytes_per_s / read_per_capacity_per_s,
    )
    sized = np.maximum(stored_bytes / usable_share, for_bandwidth)
    return np.where(np.isnan(stated_capacity_bytes), sized, stated_capacity_bytes)


@quantity(unit="B", source="definition", at="reliability.storage_bulk_bytes")
def storage_bulk_bytes(
    *,
    pod_accelerators: Array,
    bulk_per_accelerator_bytes: Array,
    usable_share: Array,
    storage_flash_bytes: Array,
    stated_capacity_bytes: Array,
) -> Array:
    """Capacity of the disk or object tier.

    What a site holds beside the run, with slack, less what flash has room for; nothing where the scenario states the
    capacity of its storage.
    """
    held = np.maximum(pod_accelerators * bulk_per_accelerator_bytes / usable_share - storage_flash_bytes, 0)
    return np.where(np.isnan(stated_capacity_bytes), held, 0.0)


@quantity(unit="B", source="definition", at="reliability.storage_capacity_bytes")
def storage_capacity_bytes(*, storage_flash_bytes: Array, storage_bulk_bytes: Array) -> Array:
    """Capacity of the shared storage, all tiers."""
    return storage_flash_bytes + storage_bulk_bytes


@quantity(unit="W", source="definition", at="reliability.storage_power_w")
def storage_tiers_power_w(
    *,
    storage_flash_bytes: Array,
    storage_bulk_bytes: Array,
    storage_write_rated_bytes_per_s: Array,
    flash_w_per_pb: Array,
    flash_w_per_gb_s: Array,
    bulk_w_per_pb: Array,
) -> Array:
    """Power of the shared storage.

    Flash by capacity and by rated write bandwidth, disks by capacity.
    """
    flash_w = (
        storage_flash_bytes / 1e15 * flash_w_per_pb + storage_write_rated_bytes_per_s / 1e9 * flash_w_per_gb_s
    )
    return flash_w + storage_bulk_bytes / 1e15 * bulk_w_per_pb


@quantity(unit="1", source="definition", at="reliability.storage_racks")
def storage_racks(
    *,
    storage_flash_bytes: Array,
    storage_bulk_bytes: Array,
    storage_write_rated_bytes_per_s: Array,
    flash_racks_per_pb: Array,
    flash_racks_per_gb_s: Array,
    bulk_racks_per_pb: Array,
) -> Array:
    """Racks of the shared storage: of flash the larger of capacity and bandwidth, in whole racks with the disks."""
    flash = np.maximum(
        storage_flash_bytes / 1e15 * flash_racks_per_pb,
        storage_write_rated_bytes_per_s / 1e9 * flash_racks_per_gb_s,
    )
    return np.ceil(flash + storage_bulk_bytes / 1e15 * bulk_racks_per_pb)


@quantity(unit="1", source="definition", at="reliability.storage_ports")
def storage_ports(
    *,
    storage_write_rated_bytes_per_s: Array,
    storage_read_rated_bytes_per_s: Array,
    port_bytes_per_s: Array,
) -> Array:
    """Ports of storage servers: what carries the larger of the rated bandwidths."""
    return np.ceil(
        np.maximum(storage_write_rated_bytes_per_s, storage_read_rated_bytes_per_s) / port_bytes_per_s
    )


@quantity(unit="1/s", source="definition", at="reliability.storage_metadata_per_s")
def storage_metadata_per_s(
    *, accelerators_used: Array, files_per_accelerator: Array, open_window_s: Array
) -> Array:
    """Files opened per second at a checkpoint: metadata operations that storage must take."""
    return accelerators_used * files_per_accelerator / open_window_s


def bandwidths(
    *, supernode: SuperNode, pod: Pod, operations: Operations, assumptions: OperationsAssumptions
) -> dict[str, Array]:
    """Write and read bandwidth of a pod's shared storage, rated and delivered, by their names in the evaluation."""
    accelerators = pod_accelerators(
        supernodes=pod.supernodes, accelerators_per_supernode=supernode.accelerators
    )
    is_rated = np.zeros(1) if operations.storage.is_rated is None else operations.storage.is_rated
    delivered = {
        "storage_write_bandwidth_bytes_per_s": storage_write_bandwidth_bytes_per_s(
            stated_bytes_per_s=operations.storage.write_bandwidth_bytes_per_s,
            pod_accelerators=accelerators,
            per_accelerator_bytes_per_s=assumptions.storage_write_per_accelerator_bytes_per_s,
            storage_write_efficiency=assumptions.storage_write_efficiency,
            is_rated=is_rated,
        ),
        "storage_read_bandwidth_bytes_per_s": storage_read_bandwidth_bytes_per_s(
            stated_bytes_per_s=operations.storage.read_bandwidth_bytes_per_s,
            pod_accelerators=accelerators,
            per_accelerator_bytes_per_s=assumptions.storage_read_per_accelerator_bytes_per_s,
            storage_read_efficiency=assumptions.storage_read_efficiency,
            is_rated=is_rated,
        ),
    }
    return delivered | {
        "storage_write_rated_bytes_per_s": storage_write_rated_bytes_per_s(
            storage_write_bandwidth_bytes_per_s=delivered["storage_write_bandwidth_bytes_per_s"],
            storage_write_efficiency=assumptions.storage_write_efficiency,
        ),
        "storage_read_rated_bytes_per_s": storage_read_rated_bytes_per_s(
            storage_read_bandwidth_bytes_per_s=delivered["storage_read_bandwidth_bytes_per_s"],
            storage_read_efficiency=assumptions.storage_read_efficiency,
        ),
    }


def tiers(
    *,
    stored_bytes: Array,
    bandwidths: dict[str, Array],
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    """Flash and disks with their power, racks and ports, by their names in the evaluation."""
    a, stated = assumptions, operations.storage.capacity_bytes
    write = bandwidths["storage_write_rated_bytes_per_s"]
    read = bandwidths["storage_read_rated_bytes_per_s"]
    of_capacity = {
        "usable_share": a.storage_usable_share,
        "stated_capacity_bytes": unknown() if stated is None else stated,
    }
    flash = storage_flash_bytes(
        **of_capacity,
        stored_bytes=stored_bytes,
        storage_write_rated_bytes_per_s=write,
        write_per_capacity_per_s=a.storage_write_per_capacity_per_s,
        storage_read_rated_bytes_per_s=read,
        read_per_capacity_per_s=a.storage_read_per_capacity_per_s,
    )
    bulk = storage_bulk_bytes(
        **of_capacity,
        pod_accelerators=pod_accelerators(
            supernodes=pod.supernodes, accelerators_per_supernode=supernode.accelerators
        ),
        bulk_per_accelerator_bytes=a.storage_bulk_per_accelerator_bytes,
        storage_flash_bytes=flash,
    )
    both = {"storage_flash_bytes": flash, "storage_bulk_bytes": bulk}
    return both | {
        "storage_capacity_bytes": storage_capacity_bytes(**both),
        "storage_power_w": storage_tiers_power_w(
            **both,
            storage_write_rated_bytes_per_s=write,
            flash_w_per_pb=a.storage_flash_power_w_per_pb,
            flash_w_per_gb_s=a.storage_flash_power_w_per_gb_s,
            bulk_w_per_pb=a.storage_bulk_power_w_per_pb,
        ),
        "storage_racks": storage_racks(
            **both,
            storage_write_rated_bytes_per_s=write,
            flash_racks_per_pb=a.storage_flash_racks_per_pb,
            flash_racks_per_gb_s=a.storage_flash_racks_per_gb_s,
            bulk_racks_per_pb=a.storage_bulk_racks_per_pb,
        ),
        "storage_ports": storage_ports(
            storage_write_rated_bytes_per_s=write,
            storage_read_rated_bytes_per_s=read,
            port_bytes_per_s=a.storage_port_bytes_per_s,
        ),
        "storage_metadata_per_s": storage_metadata_per_s(
            accelerators_used=pod.accelerators_used,
            files_per_accelerator=a.storage_files_per_accelerator,
            open_window_s=a.storage_open_window_s,
        ),
    }
