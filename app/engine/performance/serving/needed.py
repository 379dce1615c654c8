"""SuperNodes that a demand needs, by what one replica answers within what is promised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.serving.held import stated_replica
from app.engine.performance.serving.loaded import Replica
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.sizing import Sizing, sizing
from app.engine.quantities import quantity
from app.engine.specs import ServingWorkload, SuperNode
from app.engine.trace import Array


@quantity(unit="1/s", source="definition")
def requests_per_s_of_a_replica(*, requests_per_s_limit: Array, replicas: Array) -> Array:
    """Requests that one replica answers at most, within what is promised."""
    return requests_per_s_limit / replicas


def needed(
    *,
    workload: ServingWorkload,
    supernode: SuperNode,
    requests_per_s_limit: Array,
    replicas: Array,
    replica: Replica,
    accelerators_per_replica: Array,
    replica_availability: Array | None = None,
) -> Sizing | None:
    """What the demand of a workload needs; None where none is stated.

    `replica_availability` None: replicas that never fail, which is right for what is needed without headroom.
    """
    demand = workload.demand
    if demand is None:
        return None
    return sizing(
        requests_per_s=demand.requests_per_s,
        peak_to_mean=demand.peak_to_mean,
        growth_per_year=demand.growth_per_year,
        years=demand.years,
        requests_per_s_per_replica=requests_per_s_of_a_replica(
            requests_per_s_limit=requests_per_s_limit, replicas=replicas
        ),
        accelerators_per_replica=accelerators_per_replica,
        placed_accelerators=replica.placed(supernode.scale_up_domain_accelerators),
        supernode_accelerators=supernode.accelerators,
        replica_availability=np.ones(1) if replica_availability is None else replica_availability,
        availability=workload.level.availability,
    )


def with_headroom(
    performance: ServingPerformance,
    *,
    workload: ServingWorkload,
    supernode: SuperNode,
    replica_availability: Array | None,
) -> ServingPerformance:
    """The same with the SuperNodes that a demand needs where replicas fail, once it is known how often they do."""
    found = needed(
        workload=workload,
        supernode=supernode,
        requests_per_s_limit=performance.requests_per_s_limit,
        replicas=performance.replicas,
        replica=stated_replica(performance),
        accelerators_per_replica=performance.accelerators_per_replica,
        replica_availability=replica_availability,
    )
    if found is None:
        return performance
    return replace(performance, supernodes_needed_with_headroom=found.supernodes_with_headroom)
