"""Placement at moments of a run: which class each SuperNode works for, how full it is, and what is in
repair."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from app.engine.fleet.run import Run

MOMENTS = 24
"""Snapshots of a run: evenly over its horizon, and one more of the longest queue."""
MORE_WAIT = 1.25
"""Growth of the longest queue since its last snapshot at which it is taken again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One moment. Arrays are of shape (SuperNodes,) for each pod.

    Parameters
    ----------
    waiting : jobs in the queue
    used : accelerators that jobs hold
    lane : the class with the most of them, -1 where there is none
    away : accelerators in repair or maintenance
    """

    at_s: float
    waiting: int
    is_longest_queue: bool
    used: tuple[NDArray[np.int64], ...]
    lane: tuple[NDArray[np.int64], ...]
    away: tuple[NDArray[np.int64], ...]


class Snapshots:
    """Snapshots of one run; none are taken where accelerators are counted without their places."""

    def __init__(self, run: Run, horizon_s: float) -> None:
        self._run = run
        places = run.supply.placement != "pooled"
        self._step = horizon_s / (MOMENTS + 1)
        self.next_s = self._step if places and horizon_s > 0 else inf
        self._horizon_s = horizon_s
        self._longest: Snapshot | None = None
        self._most = 0 if places else inf
        self._taken: list[Snapshot] = []

    def until(self, now: float) -> None:
        """Take the snapshots that are due before an event at `now`: nothing has changed since the last
        event."""
        while self.next_s <= now and len(self._taken) < MOMENTS:
            self._taken.append(self._take(self.next_s))
            self.next_s = self._step * (len(self._taken) + 1)
        if len(self._taken) == MOMENTS:
            self.next_s = inf

    def queue_is(self, waiting: int) -> None:
        """Take one where the queue is longer than before by `MORE_WAIT`, so that there are at most a few
        dozen."""
        if waiting > self._most and self._run.now <= self._horizon_s:
            self._most = waiting * MORE_WAIT
            self._longest = self._take(self._run.now, is_longest=True)

    def all(self) -> tuple[Snapshot, ...]:
        """The longest queue first, where any job waited, then all others by time."""
        first = () if self._longest is None else (self._longest,)
        return (*first, *self._taken)

    def _take(self, at_s: float, *, is_longest: bool = False) -> Snapshot:
        run = self._run
        used, lane, away = [], [], []
        for pod, places in enumerate(run.places):
            supply = run.supply.pods[pod]
            held = np.zeros((supply.supernodes, max(len(run.classes), 1)), dtype=np.int64)
            for of_lane, jobs in enumerate(run.running[pod]):
                for job in jobs:
                    for supernode, count in run.parts[job] or ():
                        held[supernode, of_lane] += count
            total = held.sum(axis=1)
            free = np.array([places.free_of(one) for one in range(supply.supernodes)], dtype=np.int64)
            used.append(total)
            lane.append(np.where(total > 0, held.argmax(axis=1), -1))
            away.append(supply.accelerators - free - total)
        return Snapshot(
            at_s=at_s,
            waiting=run.lanes.waiting,
            is_longest_queue=is_longest,
            used=tuple(used),
            lane=tuple(lane),
            away=tuple(away),
        )
