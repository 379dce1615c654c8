"""SuperNodes that a demand needs, by what one replica answers within the SLO."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.serving.replica_load import Replica, sides_of
from app.engine.performance.serving.replica_memory import places_of, stated_replica
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.sizing import Sizing, sizing
from app.engine.quantities import quantity
from app.engine.specs import ServingWorkload, SuperNode
from app.engine.specs.serving import INSTANCE, NODE
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Part of a replica on one kind of SuperNode: the accelerators that it takes up, with its gaps."""

    placed_accelerators: Array
    supernode_accelerators: Array
    supernode_nodes: Array


@quantity(unit="1/s", source="definition")
def requests_per_s_of_a_replica(*, requests_per_s_limit: Array, replicas: Array) -> Array:
    """Maximum request rate of a replica within the SLO."""
    return requests_per_s_limit / replicas


@quantity(unit="1", source="definition")
def failure_domain_accelerators(*, supernode_accelerators: Array, domains: Array) -> Array:
    """Accelerators of one failure domain: a node, or a whole SuperNode."""
    return supernode_accelerators / domains


def needed(
    *,
    workload: ServingWorkload,
    sides: tuple[Side, ...],
    requests_per_s_limit: Array,
    replicas: Array,
    accelerators_per_replica: Array,
    replica_availability: Array | None = None,
) -> Sizing | None:
    """Capacity that the demand of a workload needs; None where no demand is stated.

    `sides` are the parts of a replica, one on each kind of SuperNode that it is on.
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
        placed_accelerators=tuple(side.placed_accelerators for side in sides),
        supernode_accelerators=tuple(side.supernode_accelerators for side in sides),
        replica_availability=np.ones(1) if replica_availability is None else replica_availability,
        availability=workload.level.availability,
        n_plus=workload.level.n_plus,
        failure_domain_accelerators=tuple(
            _failure_domain(workload.level.failure_domain, side) for side in sides
        ),
    )


def _failure_domain(name: str, side: Side) -> Array:
    """Accelerators that fail together; 0 where an instance fails by itself."""
    if name == INSTANCE:
        return np.zeros(1)
    parts = side.supernode_nodes if name == NODE else np.ones(1)
    return failure_domain_accelerators(supernode_accelerators=side.supernode_accelerators, domains=parts)


def sides_needed(setting: Setting, replica: Replica) -> tuple[Side, ...]:
    """The parts of a replica of a setting."""
    return tuple(
        Side(
            placed_accelerators=part.placed(side.machine.domain_accelerators),
            supernode_accelerators=side.supernode_accelerators,
            supernode_nodes=side.supernode_nodes,
        )
        for side, part in sides_of(setting, replica)
    )


def with_headroom(
    performance: ServingPerformance,
    *,
    workload: ServingWorkload,
    supernodes: tuple[SuperNode, ...],
    replica_availability: Array | None,
) -> ServingPerformance:
    """The same with the SuperNodes that a demand needs where replicas fail, once it is known how often they do.

    `supernodes` are the kinds of the pod.
    """
    replica, places = stated_replica(performance), places_of(performance)
    found = needed(
        workload=workload,
        sides=_sides_by_kind(replica, supernodes, places),
        requests_per_s_limit=performance.requests_per_s_limit,
        replicas=performance.replicas,
        accelerators_per_replica=performance.accelerators_per_replica,
        replica_availability=replica_availability,
    )
    if found is None:
        return performance
    each = performance.supernodes_needed_by_kind
    return replace(
        performance,
        supernodes_needed_with_headroom=found.supernodes_with_headroom,
        supernodes_needed_with_headroom_by_kind=None
        if each is None
        else by_kind(found.supernodes_with_headroom_of_sides, places, len(each)),
    )


def _sides_by_kind(
    replica: Replica, supernodes: tuple[SuperNode, ...], places: tuple[int, ...]
) -> tuple[Side, ...]:
    halves = (replica,) if len(places) == 1 else replica.halves
    return tuple(
        Side(
            placed_accelerators=half.placed(supernodes[place].scale_up_domain_accelerators),
            supernode_accelerators=supernodes[place].accelerators,
            supernode_nodes=supernodes[place].nodes,
        )
        for half, place in zip(halves, places, strict=True)
    )


@quantity(unit="1", source="definition")
def none_of_kind(*, of_another: Array) -> Array:
    """SuperNodes needed of a kind that no instance runs on: 0."""
    return np.zeros_like(of_another)


def by_kind(of_sides: tuple[Array, ...], places: tuple[int, ...], kinds: int) -> tuple[Array, ...]:
    """A count of each kind of SuperNode of a pod; none of a kind that nothing runs on."""
    counted = dict(zip(places, of_sides, strict=True))
    none = none_of_kind(of_another=of_sides[0])
    return tuple(1 * counted[place] if place in counted else none for place in range(kinds))
