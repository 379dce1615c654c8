"""Policies of a fleet: order of the queue, backfilling and preemption. All of it applies to the same jobs.

A policy is an order of classes and of the jobs in each, with or without backfilling. A new order is a class
with two methods: `DeadlineFirst` is an example of one.

References
----------
.. [1] Lifka, The ANL/IBM SP scheduling system, JSSPP 1995 (EASY: only the first in the queue has a reservation)
.. [2] Mu'alem, Feitelson, IEEE TPDS 12 (2001) 529-543 (EASY and conservative backfilling)
.. [3] Kay, Lauder, CACM 31 (1988) 44-55 (fair share: use that is forgotten by half-lives)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from app.engine.fleet.demand import ClassTerms, Jobs
from app.engine.trace import Array

Backfill = Literal["none", "easy", "conservative"]


@dataclass(slots=True)
class LaneState:
    """State of the classes that an order may use.

    Parameters
    ----------
    usage : accelerator-seconds by class, those of a half-life ago counted half
    in_use : accelerators that each class has now
    """

    classes: Sequence[ClassTerms]
    usage: list[float]
    in_use: list[int]


class Order(Protocol):
    """Order of the queue: the job with the lowest key of the classes with the lowest rank is next."""

    @property
    def is_static(self) -> bool:
        """Return whether ranks depend on the class alone, so that they are computed once."""
        ...

    def keys(self, jobs: Jobs) -> Array:
        """The key of every job, shape (n,); asked once, before the first job arrives."""
        ...

    def ranks(self, state: LaneState) -> Sequence[float]:
        """The rank of every class now."""
        ...


@dataclass(frozen=True, slots=True)
class FirstInFirstOut:
    """By arrival, whatever the class."""

    is_static: bool = True

    def keys(self, jobs: Jobs) -> Array:
        return jobs.arrived_s

    def ranks(self, state: LaneState) -> Sequence[float]:
        return [0.0] * len(state.classes)


@dataclass(frozen=True, slots=True)
class ByPriority:
    """The class of the highest priority first, and in it by arrival."""

    is_static: bool = True

    def keys(self, jobs: Jobs) -> Array:
        return jobs.arrived_s

    def ranks(self, state: LaneState) -> Sequence[float]:
        return [-float(one.priority) for one in state.classes]


@dataclass(frozen=True, slots=True)
class FairShare:
    """The class that has used the least of its share, and in it by arrival."""

    is_static: bool = False

    def keys(self, jobs: Jobs) -> Array:
        return jobs.arrived_s

    def ranks(self, state: LaneState) -> Sequence[float]:
        return [used / one.share for used, one in zip(state.usage, state.classes, strict=True)]


@dataclass(frozen=True, slots=True)
class DeadlineFirst:
    """An example of a custom order: the earliest deadline first, over all classes."""

    is_static: bool = True

    def keys(self, jobs: Jobs) -> Array:
        return np.where(np.isfinite(jobs.deadline_s), jobs.deadline_s, 1e15 + jobs.arrived_s)

    def ranks(self, state: LaneState) -> Sequence[float]:
        return [0.0] * len(state.classes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a fleet is scheduled.

    Parameters
    ----------
    backfill : none, where the first that waits holds up all others; easy, where others may pass that do not
        delay it; conservative, where none that waits is delayed
    depth : jobs in the queue that are looked at in one pass of backfilling
    preempts : whether a job may take the place of jobs of lower priority
    resizes : whether elastic jobs start smaller, give way and grow
    half_life_s : after which use counts half, for fair share
    """

    name: str
    order: Order
    backfill: Backfill = "none"
    depth: int = 100
    preempts: bool = False
    resizes: bool = False
    half_life_s: float = 7 * 86_400.0


POLICIES: dict[str, Policy] = {
    "fifo": Policy(name="First in, first out", order=FirstInFirstOut()),
    "easy": Policy(name="EASY backfill", order=FirstInFirstOut(), backfill="easy"),
    "conservative": Policy(name="Conservative backfill", order=FirstInFirstOut(), backfill="conservative"),
    "priority": Policy(name="Priority", order=ByPriority()),
    "preemption": Policy(name="Priority with preemption", order=ByPriority(), backfill="easy", preempts=True),
    "fair_share": Policy(name="Fair share", order=FairShare(), backfill="easy"),
    "elastic": Policy(
        name="Priority, preemption and elastic jobs",
        order=ByPriority(),
        backfill="easy",
        preempts=True,
        resizes=True,
    ),
    "deadline": Policy(name="Earliest deadline first", order=DeadlineFirst(), backfill="easy"),
}
"""Policies by the key that documents name them by."""
