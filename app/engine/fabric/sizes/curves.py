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
from app.engine.quantities import quantity
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """From `accelerators` on, `then` has less than `before`, which had less up to there.

    `lowest` where no other curve lies below the two.
    """

    before: str
    then: str
    accelerators: float
    value: float
    lowest: bool


@quantity(unit="1", source="definition")
def crossing_accelerators(
    *, smaller: Array, larger: Array, difference_before: Array, difference_after: Array
) -> Array:
    """Accelerators at which two curves cross, between two sizes that were computed.

    On a straight line between the differences of the two, over the logarithm of the size.
    """
    share = difference_before / (difference_before - difference_after)
    return smaller * (larger / smaller) ** share


def crossings(*, names: tuple[str, ...], accelerators: Array, values: Array) -> tuple[Crossing, ...]:
    """Where curves (curves, sizes) change places, by size; unknown values cross nothing.

    Between sizes at which two curves are equal, the one that was lower stays so until the other is.
    """
    found = []
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            found += _of_pair(names, accelerators, values, first, second)
    return tuple(sorted(found, key=lambda crossing: crossing.accelerators))


def _of_pair(
    names: tuple[str, ...], accelerators: Array, values: Array, first: int, second: int
) -> list[Crossing]:
    apart = values[second] - values[first]
    told = np.flatnonzero(np.isfinite(apart) & (apart != 0))
    changes = np.flatnonzero(np.sign(apart[told[1:]]) != np.sign(apart[told[:-1]]))
    found = []
    for change in changes:
        left, right = told[change], told[change + 1]
        at = float(
            crossing_accelerators(
                smaller=accelerators[left],
                larger=accelerators[right],
                difference_before=apart[left],
                difference_after=apart[right],
            )
        )
        here = np.array([np.interp(np.log(at), np.log(accelerators), curve) for curve in values])
        before, then = (first, second) if apart[left] > 0 else (second, first)
        pair = here[[first, second]]
        others = np.delete(here, [first, second])
        found.append(
            Crossing(
                before=names[before],
                then=names[then],
                accelerators=at,
                value=float(pair.mean()),
                lowest=not bool(np.any(others < pair.min())),
            )
        )
    return found
