"""Failures of a pod that serves a model: a replica that fails loads its weights again, and nothing else is lost.

Requests that were under way are asked again elsewhere; there are no checkpoints, and no run that falls behind.
A replica is interrupted by the hosts it runs on, whatever else the pod has. The rate is that of training jobs, their
software included: none of crashes of serving engines is published.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.operations import failures, storage
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.quantities import alias, quantity
from app.engine.specs import Operations, Pod, SuperNode
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.performance.serving.section import ServingPerformance

NO_CHECKPOINTS = "none"
"""The checkpoint scheme of a pod that serves, whatever its scenario says of checkpoints."""


weights_bytes = alias(
    "weights_bytes",
    "Model weights on shared storage",
    at="reliability.weights_bytes",
    unit="B",
    note="One copy of its weights, which all replicas read.",
    key=True,
)


@quantity(unit="s", source="definition", at="reliability.weights_load_s", key=True)
def weights_load_s(*, weights_bytes: Array, storage_read_bandwidth_bytes_per_s: Array) -> Array:
    """Weight loading time.

    Read once from shared storage for each replica that starts.
    """
    return weights_bytes / storage_read_bandwidth_bytes_per_s


@quantity(unit="s", source="definition", also_at="reliability.restart_s")
def replica_restart_s(*, detection_s: Array, overhead_s: Array, weights_load_s: Array) -> Array:
    """Time until a replica that failed answers again.

    Detection, rescheduling and start-up as of a training job, then reading the weights.
    """
    return detection_s + overhead_s + weights_load_s


@quantity(
    unit="s",
    source="[1] Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters, arXiv 2410.21680",
    at="reliability.replica_mtbf_s",
)
def replica_mtbf_s(
    *, exposed_accelerators: Array, failures_per_node_day: Array, rated_node_accelerators: Array
) -> Array:
    """Mean time between failures of one replica.

    24 h / (N r): the same whatever the size of the pod.

    Parameters
    ----------
    exposed_accelerators : of the hosts that a replica runs on; one of which it has a part can interrupt it as a whole
    failures_per_node_day : r, all-cause rate of a host of the published fleets with its share of the network
    rated_node_accelerators : accelerators of such a host, so that N = exposed / rated
    """
    return 24 * 3600 / (exposed_accelerators / rated_node_accelerators * failures_per_node_day)


@quantity(
    unit="1",
    percent=True,
    source="[1] Barlow, Proschan 1975, Statistical Theory of Reliability and Life Testing (alternating renewal)",
    at="reliability.replica_availability",
    key=True,
    better="more",
)
def replica_availability(*, replica_mtbf_s: Array, restart_s: Array, waiting_s: Array) -> Array:
    """Replica availability.

    M / (M + D): mean time between its failures over that and the time it is away, a wait for a working supernode
    included; 1 when nothing ever fails.
    """
    return np.where(np.isinf(replica_mtbf_s), 1.0, 1 / (1 + (restart_s + waiting_s) / replica_mtbf_s))


@quantity(unit="1", source="definition")
def nodes_of_all_kinds(*, by_kind: tuple[Array, ...]) -> Array:
    """Hosts of a replica on several kinds of SuperNode, none of which it has alike."""
    return sum(by_kind[1:], start=by_kind[0])


def _nodes(supernode: SuperNode, performance: ServingPerformance) -> Array:
    """Hosts that a replica runs on: those of each kind of SuperNode, which have as many accelerators."""
    per: dict[str, Array] = {
        "accelerators_per_supernode": supernode.accelerators,
        "nodes_per_supernode": supernode.nodes,
    }
    parts = performance.accelerators_per_replica_by_kind
    if parts is None:
        return failures.nodes_used(accelerators_used=performance.accelerators_per_replica, **per)
    return nodes_of_all_kinds(
        by_kind=tuple(failures.nodes_used(accelerators_used=part, **per) for part in parts)
    )


def serving_figures(
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    performance: ServingPerformance,
    pool: dict[str, Array],
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    """Storage, restarts and availability of the replicas."""
    bandwidth = storage.bandwidths(
        supernode=supernode, pod=pod, operations=operations, assumptions=assumptions
    )
    size = weights_bytes(weights_bytes=performance.weights_bytes)
    load = weights_load_s(
        weights_bytes=size,
        storage_read_bandwidth_bytes_per_s=bandwidth["storage_read_bandwidth_bytes_per_s"],
    )
    restart = replica_restart_s(
        detection_s=assumptions.detection_s, overhead_s=assumptions.restart_overhead_s, weights_load_s=load
    )
    between = replica_mtbf_s(
        exposed_accelerators=failures.exposed_accelerators(
            nodes_used=_nodes(supernode, performance),
            accelerators_per_supernode=supernode.accelerators,
            nodes_per_supernode=supernode.nodes,
        ),
        failures_per_node_day=assumptions.failures_per_node_day,
        rated_node_accelerators=assumptions.rated_node_accelerators,
    )
    return {
        **bandwidth,
        "weights_bytes": size,
        "weights_load_s": load,
        "restart_s": restart,
        "replica_mtbf_s": between,
        "replica_availability": replica_availability(
            replica_mtbf_s=between, restart_s=restart, waiting_s=pool["waiting_s"]
        ),
        **storage.tiers(
            stored_bytes=size,
            bandwidths=bandwidth,
            supernode=supernode,
            pod=pod,
            operations=operations,
            assumptions=assumptions,
        ),
    }
