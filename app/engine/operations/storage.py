"""Shared storage: its bandwidth, the bandwidth that checkpoints ask for, and its capacity."""

from __future__ import annotations

import numpy as np

from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.quantities import quantity
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
    *, stated_bytes_per_s: Array, pod_accelerators: Array, per_accelerator_bytes_per_s: Array
) -> Array:
    """Write bandwidth of the shared storage.

    As the scenario states for the whole system, else a published rule of thumb per accelerator.
    """
    by_rule = pod_accelerators * per_accelerator_bytes_per_s
    return np.where(np.isnan(stated_bytes_per_s), by_rule, stated_bytes_per_s)


@quantity(unit="B/s", source=_SUPERPOD, at="reliability.storage_read_bandwidth_bytes_per_s")
def storage_read_bandwidth_bytes_per_s(
    *, stated_bytes_per_s: Array, pod_accelerators: Array, per_accelerator_bytes_per_s: Array
) -> Array:
    """Read bandwidth of the shared storage.

    As the scenario states for the whole system, else a published rule of thumb per accelerator.
    """
    by_rule = pod_accelerators * per_accelerator_bytes_per_s
    return np.where(np.isnan(stated_bytes_per_s), by_rule, stated_bytes_per_s)


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


@quantity(unit="B", source="definition", at="reliability.storage_capacity_bytes")
def storage_capacity_bytes(
    *,
    stored_bytes: Array,
    usable_share: Array,
    storage_write_bandwidth_bytes_per_s: Array,
    write_per_capacity_per_s: Array,
) -> Array:
    """Capacity of the shared storage.

    The larger of what has to be held, with slack, and what comes along with the write bandwidth:
    flash file systems are bought by the appliance.
    """
    for_bandwidth = storage_write_bandwidth_bytes_per_s / write_per_capacity_per_s
    return np.maximum(stored_bytes / usable_share, for_bandwidth)


def bandwidths(
    *, supernode: SuperNode, pod: Pod, operations: Operations, assumptions: OperationsAssumptions
) -> dict[str, Array]:
    """Write and read bandwidth of a pod's shared storage, by their names in the evaluation."""
    accelerators = pod_accelerators(
        supernodes=pod.supernodes, accelerators_per_supernode=supernode.accelerators
    )
    return {
        "storage_write_bandwidth_bytes_per_s": storage_write_bandwidth_bytes_per_s(
            stated_bytes_per_s=operations.storage.write_bandwidth_bytes_per_s,
            pod_accelerators=accelerators,
            per_accelerator_bytes_per_s=assumptions.storage_write_per_accelerator_bytes_per_s,
        ),
        "storage_read_bandwidth_bytes_per_s": storage_read_bandwidth_bytes_per_s(
            stated_bytes_per_s=operations.storage.read_bandwidth_bytes_per_s,
            pod_accelerators=accelerators,
            per_accelerator_bytes_per_s=assumptions.storage_read_per_accelerator_bytes_per_s,
        ),
    }
