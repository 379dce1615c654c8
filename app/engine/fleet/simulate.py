"""Jobs through a fleet, event by event: arrivals, ends, failures, repairs, maintenance, hours of the power
limit.

A job holds its accelerators from its start to its end or interruption: a segment. Jobs that are interrupted
wait again under their old key, with the work that is left. Every accelerator-second of a segment is
productive, slowed by being spread, overhead (restarts, checkpoints, resizing) or lost in a failure: the four
add up to what was held.

Failures take away the accelerators of a host or tray, and end the jobs on them. What a job did since its last
checkpoint is lost. One that gives way, to others, maintenance or the power limit, writes a checkpoint first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.fleet.demand import Jobs
from app.engine.fleet.policy import Policy
from app.engine.fleet.run import Run
from app.engine.fleet.snapshots import Snapshot
from app.engine.fleet.supply import Supply, largest_job
from app.engine.trace import Array

SEGMENT = ("job", "from_s", "to_s", "accelerators", "pod", "overhead", "productive", "slowed", "lost")
"""Columns of segments; the last four in accelerator-seconds. `pod` is -1 of rented accelerators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Results of the jobs of one replication.

    Parameters
    ----------
    start_s, end_s : of each job, shape (n,); nan where it has not started or ended
    rejected : jobs that the fleet can never hold
    interruptions : of each job
    segments : shape (segments, len(SEGMENT))
    away : accelerator-seconds in repair and maintenance between 0 and the horizon, by pod
    fragmented : accelerator-seconds free within the horizon while the first in the queue would have fit their
        sum
    failures, preemptions, resizes : counts
    snapshots : placement as most waited, and then at moments evenly over the horizon; empty where it is
        pooled
    """

    start_s: Array
    end_s: Array
    rejected: NDArray[np.bool_]
    interruptions: NDArray[np.int64]
    segments: Array
    away: Array
    fragmented: float
    failures: int
    preemptions: int
    resizes: int
    snapshots: tuple[Snapshot, ...]

    def column(self, name: str) -> Array:
        """A column of the segments."""
        return self.segments[:, SEGMENT.index(name)]


def simulate(jobs: Jobs, supply: Supply, policy: Policy, *, horizon_s: float, seed: int = 0) -> Outcome:
    """Every job to its end, or until three horizons after the last hour of the demand.

    Parameters
    ----------
    horizon_s : end of the demand: what is away and fragmented is counted until then
    seed : of failures; the same seed gives the same failures whatever the policy
    """
    rejected = impossible(jobs, supply)
    run = Run(jobs, supply, policy, rejected, horizon_s=horizon_s, seed=seed)
    run.to_the_end()
    return Outcome(
        start_s=np.asarray(run.first_start),
        end_s=np.asarray(run.ended),
        rejected=rejected,
        interruptions=np.asarray(run.interruptions, dtype=np.int64),
        segments=run.segments(),
        away=np.asarray(run.away),
        fragmented=run.fragmented,
        failures=run.failures,
        preemptions=run.preemptions,
        resizes=run.resizes,
        snapshots=run.snapshots.all(),
    )


def impossible(jobs: Jobs, supply: Supply) -> NDArray[np.bool_]:
    """Jobs that the fleet can never hold: larger than a pod and than what may be rented, their quota, or the
    power."""
    owned = largest_job(supply)
    if supply.power_share:
        owned = min(owned, int(max(supply.power_share) * supply.total))
    quota = np.array([one.quota or owned for one in jobs.classes] or [0])
    may_rent = np.array([one.may_rent for one in jobs.classes] or [False])
    rented = np.where(may_rent, supply.rented.accelerators, 0)
    most = np.maximum(np.minimum(owned, quota), rented)
    found: NDArray[np.bool_] = jobs.size > most[jobs.lane]
    return found
