"""What a run loses to parts that many units share: racks, feeds, transformers, cooling, and planes of the fabric.

Beside the failures of hosts, which take away one unit each. A part that stops what it feeds interrupts the whole job,
empties the memory of what it takes away, and is waited for: by the whole job, or by the copies of the model that it
holds. A plane of switches among several takes away bandwidth alone, so that a step takes longer until it is back.

Closed form: rates add up, M' = 1 / (1 / M + sum of rates); waits and recoveries are means over all interruptions; and a
plane leaves 1 - rate x time out x share lost of the rest. The simulation draws every failure.

Not in it: parts that fail while others are out, and failures while a job waits.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.running.training_run import SHARED, Cause, RunPlan, SlowPart

HOUR_S = 3600.0
DAY_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPart:
    """Parts of one kind in the pod.

    Parameters
    ----------
    count : of them
    failures_per_day : of all parts together; counted when the spare is lost as well
    out_s : mean time until what is lost is back
    taken_share : of the pod, by one failure [1]
    lost_share : of the throughput of the job until it is back [1]
    stops : whether the job is interrupted; else it goes on more slowly
    """

    name: str
    label: str
    count: float
    failures_per_day: float
    out_s: float
    taken_share: float
    lost_share: float
    stops: bool

    @property
    def waiting_share(self) -> float:
        """Share of the time that is lost while such parts are out, without restarts and work done again."""
        return self.failures_per_day / DAY_S * self.out_s * self.lost_share


def share_of_copies(taken_share: float, copies: float) -> float:
    """Throughput that is lost while a share of the pod is: that of the copies it touches; all of a job with one copy.

    >>> share_of_copies(0.02, 1), share_of_copies(0.02, 16), share_of_copies(0.25, 16)
    (1.0, 0.0625, 0.25)
    """
    whole = max(np.floor(copies), 1.0)
    return float(min(np.ceil(np.round(taken_share * whole, 9)) / whole, 1.0))


def share_of_plane(exchange_share: float, planes: float) -> float:
    """Throughput that one plane of several takes away.

    Exchange takes P / (P - 1) times as long: x / (P - 1 + x) with x the exposed exchange over the step; all of it where
    there is one plane.

    >>> share_of_plane(0.2, 1), round(share_of_plane(0.2, 4), 4)
    (1.0, 0.0625)
    """
    if planes <= 1:
        return 1.0
    return exchange_share / (planes - 1 + exchange_share)


def with_shared_parts(plan: RunPlan, parts: Sequence[SharedPart]) -> RunPlan:
    """The plan of a run that shared parts interrupt or slow as well.

    No copy in memory outlasts a rack or a feed, so shares of recoveries from memory are those of the other failures.
    """
    stopping = [one for one in parts if one.stops and one.failures_per_day > 0]
    rate = 1 / plan.mtbf_s + sum(one.failures_per_day for one in stopping) / DAY_S
    own = 1 / plan.mtbf_s / rate
    causes = (
        *(dataclasses.replace(one, share=one.share * own) for one in plan.causes),
        *(
            Cause(
                component=one.name,
                takes_away=SHARED,
                needs_hardware=True,
                share=one.failures_per_day / DAY_S / rate,
                away_s=one.out_s,
                held_share=one.lost_share,
            )
            for one in stopping
        ),
    )
    slow = tuple(
        SlowPart(rate_per_s=one.failures_per_day / DAY_S, out_s=one.out_s, lost_share=one.lost_share)
        for one in parts
        if not one.stops
    )
    return dataclasses.replace(
        plan,
        mtbf_s=1 / rate,
        causes=causes,
        local_share=plan.local_share * own,
        node_share=plan.node_share * own,
        corruption_share=plan.corruption_share * own,
        slow_parts=slow,
    )


def waiting_with_shared_parts_s(plan: RunPlan, waiting_s: float, parts: Sequence[SharedPart]) -> float:
    """Mean wait after an interruption of a plan, with those of shared parts.

    Parameters
    ----------
    plan, waiting_s : without shared parts
    """
    stopping = [one for one in parts if one.stops]
    rate = 1 / plan.mtbf_s + sum(one.failures_per_day for one in stopping) / DAY_S
    return (waiting_s / plan.mtbf_s + sum(one.waiting_share for one in stopping)) / rate


def left_by_planes(parts: Sequence[SharedPart]) -> float:
    """Share of the throughput that parts leave that slow the job."""
    return float(np.prod([1 - one.waiting_share for one in parts if not one.stops]))
