"""Supply of a fleet: pods, their failures and repairs, maintenance, the limit of power by hour, and rented
accelerators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array

Placement = Literal["pooled", "inside", "across"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PodSupply:
    """A pod: SuperNodes that are alike.

    Parameters
    ----------
    accelerators : of a SuperNode
    speed : of a job on it, over that on the first pod
    failures_per_s : of one SuperNode; 0 is never
    repair_s : mean time to repair, exponential
    failure_takes : accelerators that a failure takes away: those of a host or tray
    busy_w, idle_w : of one accelerator with its share of the pod, without cooling
    usd_per_hour : of one accelerator, used or not, without electricity
    """

    name: str
    supernodes: int
    accelerators: int
    speed: float = 1.0
    failures_per_s: float = 0.0
    repair_s: float = 86_400.0
    failure_takes: int = 0
    busy_w: float = 0.0
    idle_w: float = 0.0
    usd_per_hour: float = 0.0

    @property
    def total(self) -> int:
        return self.supernodes * self.accelerators


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """SuperNodes of a pod that are taken out for a while; jobs on them are stopped with a checkpoint."""

    pod: int
    from_s: float
    duration_s: float
    supernodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rented:
    """Accelerators that jobs may go to once they have waited: paid by the hour of use.

    Parameters
    ----------
    accelerators : at most; 0 is none
    after_s : waiting after which a job whose class may rent goes there
    busy_w : of one accelerator at work, without cooling; nan is the mean of the owned ones
    """

    accelerators: int = 0
    after_s: float = 0.0
    usd_per_hour: float = 0.0
    speed: float = 1.0
    busy_w: float = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """Pods of a fleet and what limits them.

    Parameters
    ----------
    placement : pooled counts accelerators alone; inside keeps a job that a SuperNode holds in one SuperNode,
        larger ones on whole SuperNodes; across does so where it can, and otherwise spreads the job, which is
        slower then
    across_slowdown : run time of a job over more SuperNodes than it needs, over that inside
    power_share : share of the accelerators that may be in use, by hour of the day, 24 values; empty is all
    checkpoint_interval_s : between checkpoints of a job; what was done since is lost in a failure
    checkpoint_s : that one stops a job; before it gives way, and every interval
    restart_s : from a start after an interruption until the job works
    resize_s : that an elastic job stands still as it grows or shrinks
    pue, usd_per_kwh, g_per_kwh : of the site; carbon by hour of the day in 24 values, or one
    """

    pods: tuple[PodSupply, ...]
    placement: Placement = "inside"
    across_slowdown: float = 1.0
    maintenance: tuple[Maintenance, ...] = ()
    power_share: tuple[float, ...] = ()
    rented: Rented = Rented()
    checkpoint_interval_s: float = 3600.0
    checkpoint_s: float = 0.0
    restart_s: float = 0.0
    resize_s: float = 0.0
    pue: float = 1.0
    usd_per_kwh: float = 0.0
    g_per_kwh: tuple[float, ...] = ()

    @property
    def total(self) -> int:
        return sum(pod.total for pod in self.pods)

    @property
    def stall_share(self) -> float:
        """Share of the running time that checkpoints stop a job."""
        return self.checkpoint_s / (self.checkpoint_interval_s + self.checkpoint_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureStream:
    """Failures of one pod until a time: when, of which SuperNode, at which of its accelerators, and how
    long."""

    at_s: Array
    supernode: NDArray[np.int64]
    place: NDArray[np.int64]
    away_s: Array


def draw_failures(pod: PodSupply, until_s: float, random: np.random.Generator) -> FailureStream:
    """Failures of the SuperNodes of a pod, each at a constant rate.

    Those of a part that is away take nothing more.
    """
    count = int(random.poisson(pod.failures_per_s * pod.supernodes * until_s))
    return FailureStream(
        at_s=np.sort(random.uniform(0.0, until_s, count)),
        supernode=random.integers(0, pod.supernodes, count),
        place=random.integers(0, pod.accelerators, count),
        away_s=random.exponential(pod.repair_s, count),
    )


def largest_job(supply: Supply) -> int:
    """The largest job that the fleet can ever hold: inside one pod."""
    return max((pod.total for pod in supply.pods), default=0)
