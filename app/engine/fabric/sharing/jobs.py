"""Several jobs on one fabric: the load that each puts on the links, and how much it slows the others.

Jobs are taken to communicate all at the same time, each host at the full rate of its NICs: the slow-down is that
of the moments that count, not of an average in which one job computes while the other talks.

Max-min fair pace of jobs that share links: no job can have more without a slower one having less.

Progressive filling [1]: all paces rise together until a link is full; jobs on it keep their pace, the others
rise on. A synchronous job's streams advance together, so it has one pace, and a full link gives each of its
jobs the same share of what they ask of it.

[1] Bertsekas, Gallager 1992, Data Networks, 2nd edition, section 6.5.2 (max-min flow control)

Traffic whose every stream keeps to one path drawn by chance: as with ECMP hashing.

Streams that happen on the same link share it while others stand idle, which is why a fabric without
oversubscription can still be slow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.faults.share import device_bytes_per_s
from app.engine.fabric.graph.graph import HOST, FabricGraph, Mask, Whole
from app.engine.fabric.sharing.demand import AllToAll, Demand, UnreachableError, ring, streams
from app.engine.fabric.sharing.ways import FAR, Ways, arcs, passing_arcs, spread_load
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
        float  # of its step that is communication over the fabric with nothing alongside it, when alone
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """Pace of each job, and the load of every arc at these paces."""

    pace_alone: Array  # (jobs,) of the full rate of its NICs
    pace: Array  # (jobs,)
    held_by: Whole  # (jobs,) the arc that holds it back, -1 where none does
    communication_slowdown: Array  # (jobs,)
    step_slowdown: Array  # (jobs,)
    utilisation: Array  # (2 m,) of every arc, first all links upwards and then all downwards


@quantity(unit="1", source=_FAIR)
def communication_slowdown(*, pace_alone: Array, pace: Array) -> Array:
    """Slow-down of a job's communication by the other jobs: its pace alone over its pace with them."""
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


FULL = 1 - 1e-9
"""A link this full is full: what is left of it is rounding."""


def fair_paces(load: Array, capacity: Array) -> tuple[Array, NDArray[np.intp]]:
    """Pace of every job and the link that holds it back, -1 where none does.

    Parameters
    ----------
    load : (links, jobs) what each job puts on each link at full pace [B/s]
    capacity : (links,) of each link; 0 carries nothing [B/s]
    """
    jobs = load.shape[1]
    pace, held_by = np.zeros(jobs), np.full(jobs, -1)
    rising = np.full(jobs, True)
    used = np.flatnonzero(load.any(axis=1))
    load, capacity = load[used], capacity[used]
    while rising.any():
        more = load[:, rising].sum(axis=1)
        taken = load[:, ~rising] @ pace[~rising]
        with np.errstate(divide="ignore", invalid="ignore"):
            most = np.where(more > 0, np.maximum(capacity - taken, 0.0) / more, np.inf)
        level = float(min(1.0, most.min(initial=1.0)))
        pace[rising] = level
        if level >= 1.0:
            break
        full = most <= level / FULL
        stopped = rising & (load[full] > 0).any(axis=0)
        for job in np.flatnonzero(stopped):
            held_by[job] = used[np.flatnonzero(full & (load[:, job] > 0))[0]]
        rising &= ~stopped
    return pace, held_by


def hashed_load(graph: FabricGraph, alive: Mask, demand: Demand, seed: int) -> Array:
    """(2 m,) what every arc carries of a demand, each stream on one of its shortest paths.

    Raises
    ------
    UnreachableError : a demand has a destination that cannot be reached
    """
    random = np.random.default_rng(seed)
    flows = streams(graph, alive, demand)
    load = flows.access
    tail, head, capacity = arcs(graph)
    arc = passing_arcs(graph, alive)
    arc = arc[np.argsort(tail[arc], kind="stable")]  # in the order of the edges of the ways
    ways = Ways.of(graph.device_count, tail[arc], head[arc], capacity[arc])
    targets, target = np.unique(flows.head, return_inverse=True)
    distance = ways.distances(targets)
    here = flows.tail.copy()
    left = distance[here, target]
    if (left == FAR).any():
        stream = int(np.argmax(left))
        raise UnreachableError(int(flows.tail[stream]), int(flows.head[stream]))
    while (moving := np.flatnonzero(distance[here, target] > 0)).size:
        row, edge = ways.onward(here[moving])
        nearer = distance[ways.head[edge], target[moving][row]] < distance[here[moving], target[moving]][row]
        row, edge = row[nearer], edge[nearer]
        draw = random.random(row.size)
        order = np.lexsort((draw, row))
        first = order[np.r_[True, row[order][1:] != row[order][:-1]]]
        chosen = edge[first]
        load += np.bincount(arc[chosen], weights=flows.amount[moving], minlength=load.size)
        here[moving] = ways.head[chosen]
    return load


PLACEMENTS = ("packed", "spread", "random")


def placed(graph: FabricGraph, free: NDArray[np.bool_], placement: str, hosts: int, seed: int) -> Whole:
    """So many free hosts, in the order of the job's ranks.

    packed : the first ones, in units as full as can be
    spread : one of each unit in turn
    random : drawn by chance, in an order drawn by chance

    Raises
    ------
    ValueError : there is no such placement
    """
    open_to = np.flatnonzero(free)
    if placement == "packed":
        return open_to[:hosts]
    if placement == "random":
        return np.random.default_rng(seed).choice(open_to, size=hosts, replace=False)
    if placement != "spread":
        raise ValueError(f"unknown placement {placement!r}: one of {', '.join(PLACEMENTS)}")
    unit = graph.devices.group[graph.of_kind(HOST)][open_to]
    _, first, of_unit = np.unique(unit, return_index=True, return_inverse=True)
    turn = np.arange(open_to.size) - first[of_unit]  # of each host in its unit
    return open_to[np.lexsort((unit, turn))][:hosts]
