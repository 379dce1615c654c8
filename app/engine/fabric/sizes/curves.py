"""What the compute fabric of a pod takes by its size, for each of several topologies."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.prices import ENDS, joined_by, priced_plan
from app.engine.fabric.problems import fabric_problems
from app.engine.fabric.section import evaluate_fabric
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.problems import Problem
from app.engine.specs import Networks, Pod, SuperNode
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeCurve:
    """One topology over all sizes; not a number from the size on that it cannot join.

    `ends` is what ends it: the problem of the first size that it cannot join, None where it joins all.
    """

    topology: str
    title: str
    price_usd: Array  # (sizes, 3): low, typical, high
    power_w: Array  # (sizes,), as all below
    switches: Array
    cables: Array
    bisection_bandwidth_bytes_per_s: Array  # of one accelerator
    mean_distance_links: Array
    ends: Problem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Sizes in SuperNodes and in accelerators, and the curves over them."""

    supernodes: Array
    accelerators: Array
    curves: tuple[SizeCurve, ...]


def size_curves(
    *,
    pod: Pod,
    supernode: SuperNode,
    assumptions: FabricAssumptions,
    topologies: Sequence[str],
    supernodes: Array,
    prices: Mapping[str, tuple[float, float, float]],
) -> Sizes:
    """Price and power of the compute fabric over sizes in rising order.

    Each topology is the one its rule makes of a size: numbers of tiers, shapes and groups that the plan states
    for one size are left open. The networks beside the compute fabric are left out: they are the same in all.
    """
    alone = dataclasses.replace(pod, networks=Networks(), fabric=priced_plan(pod.fabric, prices), floor=None)
    curves = [
        _curve(
            pod=joined_by(alone, topology),
            supernode=supernode,
            assumptions=assumptions,
            supernodes=supernodes,
        )
        for topology in topologies
    ]
    return Sizes(
        supernodes=supernodes,
        accelerators=supernodes * supernode.accelerators,
        curves=tuple(curves),
    )


def _curve(*, pod: Pod, supernode: SuperNode, assumptions: FabricAssumptions, supernodes: Array) -> SizeCurve:
    of_sizes = dataclasses.replace(pod, supernodes=supernodes[:, None])
    fabric = evaluate_fabric(pod=of_sizes, supernode=supernode, assumptions=assumptions)
    joined, ends = _joined(pod, supernode, assumptions, supernodes)

    def over_sizes(values: Array, width: int = 1) -> Array:
        kept = np.where(np.arange(supernodes.size) < joined, 1.0, np.nan)[:, None]
        found: Array = np.broadcast_to(values, (supernodes.size, width)) * kept
        return found

    per_accelerator = fabric.bisection_bandwidth_bytes_per_s / (of_sizes.supernodes * supernode.accelerators)
    return SizeCurve(
        topology=pod.fabric.topology,
        title=TOPOLOGIES[pod.fabric.topology].title,
        price_usd=over_sizes(fabric.network_price_usd, len(ENDS)),
        power_w=over_sizes(fabric.network_power_w)[:, 0],
        switches=over_sizes(fabric.switches_total)[:, 0],
        cables=over_sizes(fabric.cables_total)[:, 0],
        bisection_bandwidth_bytes_per_s=over_sizes(per_accelerator)[:, 0],
        mean_distance_links=over_sizes(fabric.mean_distance_links)[:, 0],
        ends=ends,
    )


def _joined(
    pod: Pod, supernode: SuperNode, assumptions: FabricAssumptions, supernodes: Array
) -> tuple[int, Problem | None]:
    """Number of the rising sizes that the topology joins, by halving, and the problem of the next one."""
    few, many, ends = 0, supernodes.size, None
    while few < many:
        middle = (few + many) // 2
        problem = not_joined(pod, supernode, assumptions, supernodes[middle])
        if problem is None:
            few = middle + 1
        else:
            many, ends = middle, problem
    return few, ends


def not_joined(pod: Pod, supernode: SuperNode, assumptions: FabricAssumptions, size: float) -> Problem | None:
    """Why so many SuperNodes cannot be joined; None where they can."""
    one = dataclasses.replace(pod, supernodes=np.full(1, float(size)))
    fabric = evaluate_fabric(pod=one, supernode=supernode, assumptions=assumptions)
    found = fabric_problems(pod=one, supernode=supernode, fabric=fabric, assumptions=assumptions)
    return next((problem for problem in found if problem.kind == "infeasible"), None)
