"""Several jobs on one fabric: the load that each puts on the links, and how much it slows the others.

Jobs are taken to communicate all at the same time, each host at the full rate of its NICs: the slow-down is that
of the moments that count, not of an average in which one job computes while the other talks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.faults.share import device_bytes_per_s
from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole
from app.engine.fabric.graph.kinds import HOST
from app.engine.fabric.sharing.demand import AllToAll, ring
from app.engine.fabric.sharing.fair import fair_paces
from app.engine.fabric.sharing.hashed import hashed_load
from app.engine.fabric.sharing.spread import spread_load
from app.engine.quantities import quantity
from app.engine.trace import Array

RING, ALL_TO_ALL = "ring", "all_to_all"
PATTERNS = (RING, ALL_TO_ALL)
ADAPTIVE, ECMP = "adaptive", "ecmp"
ROUTINGS = (ADAPTIVE, ECMP)

_FAIR = "[1] Bertsekas, Gallager 1992, Data Networks, 2nd edition, section 6.5.2 (max-min flow control)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Hosts in the order of their ranks, and what they do when they communicate."""

    name: str
    hosts: Whole
    pattern: str
    exposed_share: (
        float  # of its step that is communication over the fabric with nothing beside it, when alone
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What becomes of each job, and what every arc carries at these paces."""

    pace_alone: Array  # (jobs,) of the full rate of its NICs
    pace: Array  # (jobs,)
    held_by: Whole  # (jobs,) the arc that holds it back, -1 where none does
    communication_slowdown: Array  # (jobs,)
    step_slowdown: Array  # (jobs,)
    utilisation: Array  # (2 m,) of every arc, first all links upwards and then all downwards


@quantity(unit="1", source=_FAIR)
def communication_slowdown(*, pace_alone: Array, pace: Array) -> Array:
    """Slow-down of a job's communication by the other jobs: its pace alone over its pace beside them."""
    return pace_alone / pace


@quantity(unit="1", source="definition")
def step_slowdown(*, exposed_share: Array, communication_slowdown: Array) -> Array:
    """Slow-down of a job's step by the other jobs.

    1 - e + e x slow-down of its communication, e the share of the step that waits for communication over the fabric.

    Validity: communication that is hidden stays hidden, so it is a lower bound where little is left to hide behind.
    """
    return 1 - exposed_share + exposed_share * communication_slowdown


def shared(graph: FabricGraph, alive: Mask, jobs: list[Job], *, routing: str, seed: int) -> Shared:
    """All jobs at once.

    Raises
    ------
    UnreachableError : hosts of a job have no way to each other
    """
    load = np.stack([job_load(graph, alive, job, routing, seed + at) for at, job in enumerate(jobs)], axis=1)
    capacity = np.tile(graph.link_bandwidth_bytes_per_s[graph.links.tier] * alive, 2)
    alone = np.concatenate([fair_paces(load[:, [at]], capacity)[0] for at in range(len(jobs))])
    pace, held_by = fair_paces(load, capacity)
    slower = communication_slowdown(pace_alone=alone, pace=pace)
    carried = load @ pace
    return Shared(
        pace_alone=alone,
        pace=pace,
        held_by=held_by,
        communication_slowdown=slower,
        step_slowdown=step_slowdown(
            exposed_share=np.array([job.exposed_share for job in jobs]), communication_slowdown=slower
        ),
        utilisation=np.divide(carried, capacity, out=np.zeros_like(carried), where=capacity > 0),
    )


def job_load(graph: FabricGraph, alive: Mask, job: Job, routing: str, seed: int) -> Array:
    """(2 m,) what a job puts on every arc when all its hosts send at the full rate of their NICs.

    Under ECMP the streams of a ring are hashed; those of an all-to-all are so many that they even out.
    """
    rate = float(device_bytes_per_s(graph, alive)[graph.of_kind(HOST)][job.hosts].min(initial=np.inf))
    if job.pattern == ALL_TO_ALL:
        return spread_load(graph, alive, AllToAll(job.hosts, rate))
    if routing == ECMP:
        return hashed_load(graph, alive, ring(job.hosts, rate), seed)
    return spread_load(graph, alive, ring(job.hosts, rate))


def tier_utilisation(graph: FabricGraph, utilisation: Array) -> dict[str, tuple[float, float]]:
    """Mean and peak utilisation of the arcs of each tier."""
    tier = np.tile(graph.links.tier, 2)
    found = {}
    for at, name in enumerate(graph.tiers):
        here = utilisation[tier == at]
        if here.size:
            found[name] = (float(here.mean()), float(here.max()))
    return found
