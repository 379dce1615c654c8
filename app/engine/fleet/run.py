"""The event loop of a fleet and the accounts of its jobs.

Bare Python numbers and lists: a million jobs take seconds.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from heapq import heapify, heappop, heappush
from math import floor, inf, nan

import numpy as np
from numpy.typing import NDArray

from app.engine.fleet.backfill import Backfilling
from app.engine.fleet.demand import Jobs
from app.engine.fleet.lanes import Lanes
from app.engine.fleet.outages import CAP, END, FAIL, MAINTAIN, RENT, Event, Outages
from app.engine.fleet.placement import Packed, Parts, Places, Pooled
from app.engine.fleet.policy import Policy
from app.engine.fleet.snapshots import Snapshots
from app.engine.fleet.supply import Supply
from app.engine.trace import Array

BLOCK = 32_768
"""Segments that are kept as Python numbers before they become an array."""
RENTED = -1
PATIENCE = 3.0
"""Time after which a run that does not finish is stopped, in horizons of the demand."""
WORTH_RESIZING = 4.0
"""Least remaining time of an elastic job that grows, in times of a resize."""


class Run:
    """One replication. Public attributes are its state and results."""

    def __init__(
        self, jobs: Jobs, supply: Supply, policy: Policy, rejected: NDArray[np.bool_], *, horizon_s: float, seed: int
    ) -> None:  # fmt: skip
        count = jobs.count
        self.supply, self.policy, self.horizon_s = supply, policy, horizon_s
        self.size, self.lane = jobs.size.tolist(), jobs.lane.tolist()
        self.least, self.left = jobs.least.tolist(), jobs.work_s.tolist()
        self.stretch = np.divide(
            jobs.estimate_s, jobs.work_s, out=np.ones(count), where=jobs.work_s > 0
        ).tolist()
        self._arrived = jobs.arrived_s.tolist()
        self._rejected = rejected.tolist()
        self.lanes = Lanes(jobs.classes, policy.order.keys(jobs).tolist(), policy.order)
        self.classes = jobs.classes
        self.quota = [one.quota or inf for one in jobs.classes]
        spreads = supply.placement == "across"
        self.places: list[Places] = [
            Pooled(pod.supernodes, pod.accelerators)
            if supply.placement == "pooled"
            else Packed(pod.supernodes, pod.accelerators, spreads=spreads)
            for pod in supply.pods
        ]
        self.rented_free = supply.rented.accelerators
        self.in_use, self.cap, self.now = 0, inf, 0.0
        self.first_start, self.ended = [nan] * count, [nan] * count
        self.interruptions = [0] * count
        self.away = [0.0] * len(supply.pods)
        self.fragmented, self.failures, self.preemptions, self.resizes = 0.0, 0, 0, 0
        self.blocked = -1
        # of running jobs
        self.parts: list[Parts | None] = [None] * count
        self.pod, self.began, self.accelerators = [0] * count, [0.0] * count, [0] * count
        self.estimated_end = [0.0] * count
        self._overhead, self._rate, self._slow = [0.0] * count, [1.0] * count, [1.0] * count
        self._again = [0.0] * count  # overhead of the next start
        self._epoch = [0] * count
        self.running: list[list[dict[int, None]]] = [[{} for _ in jobs.classes] for _ in supply.pods]
        self.by_end: list[list[tuple[float, int]]] = [[] for _ in supply.pods]
        self._plans_ends = policy.backfill != "none"
        self._tracks = any(pod.failures_per_s for pod in supply.pods) or bool(supply.maintenance)
        self.on: list[dict[int, dict[int, None]]] = [{} for _ in supply.pods]
        self.small: dict[int, None] = {}
        self.events: list[Event] = []
        self._blocks: list[Array] = []
        self._rows: list[tuple[float, ...]] = []
        self._queue_for_rent: dict[int, None] = {}
        self._free_while_blocked = 0
        self._stall = 1.0 - supply.stall_share
        self.backfilling = Backfilling(self)
        self.snapshots = Snapshots(self, horizon_s)
        self._left_to_end = count - sum(self._rejected)
        self._until = max(horizon_s, self._arrived[-1] if count else 0.0) * (1.0 + PATIENCE)
        self._outages = Outages(self, self._until, seed)

    def to_the_end(self) -> None:
        """Every event until all jobs have ended."""
        events, arrived, count = self.events, self._arrived, len(self._arrived)
        heapify(events)
        until = self._until
        place, last = 0, 0.0
        horizon, state, half_life = self.horizon_s, self.lanes.state, self.policy.half_life_s
        uses, snapshots = not self.policy.order.is_static, self.snapshots
        while self._left_to_end:
            coming = arrived[place] if place < count else inf
            now = events[0][0] if events else inf
            now = min(now, coming)
            if now == inf or now > until:
                break
            if now >= snapshots.next_s:
                snapshots.until(now)
            self.now = now
            if now > last:
                if self._free_while_blocked and last < horizon:
                    self.fragmented += self._free_while_blocked * (min(now, horizon) - last)
                if uses:
                    kept = 0.5 ** ((now - last) / half_life)
                    state.usage = [
                        used * kept + held * (now - last)
                        for used, held in zip(state.usage, state.in_use, strict=True)
                    ]
                last = now
            changed = False
            while events and events[0][0] <= now:
                _, kind, job, other = heappop(events)
                if kind == END:
                    if self._epoch[job] == other:
                        self._end(job)
                        changed = True
                else:
                    changed = self._happens(kind, job, other) or changed
            came = -1
            while place < count and arrived[place] <= now:
                if not self._rejected[place]:
                    came = self._arrives(place) if came == -1 else self._arrives(place, many=True)
                place += 1
            if changed or came == -2:
                self._schedule()
            elif came >= 0:
                self._came(came)

    def segments(self) -> Array:
        """All segments, in the order of their ends; what still runs is closed."""
        for lanes in self.running:
            for lane in lanes:
                for job in list(lane):
                    self._close(job, keeps=True)
        self._flush()
        return np.concatenate(self._blocks) if self._blocks else np.empty((0, 9))

    # starting

    def start(self, job: int, accelerators: int = 0) -> bool:
        """Place a job at full size or with a number of accelerators; return whether it now runs."""
        count = accelerators or self.size[job]
        lane = self.lane[job]
        if self.in_use + count > self.cap or self.lanes.state.in_use[lane] + count > self.quota[lane]:
            return False
        for pod, places in enumerate(self.places):
            parts = places.place(count)
            if parts is not None:
                self.begin(job, pod, parts, count)
                return True
        return False

    def begin(self, job: int, pod: int, parts: Parts, count: int) -> None:
        """A job runs on these accelerators from now on."""
        now, lane = self.now, self.lane[job]
        if pod == RENTED:
            speed, slow = self.supply.rented.speed, 1.0
        else:
            speed, slow = self.supply.pods[pod].speed, 1.0
            least = -(-count // self.places[pod].size)
            if len(parts) > least:
                slow = self.supply.across_slowdown
            self.in_use += count
            self.running[pod][lane][job] = None
            if self._tracks:
                for supernode, _ in parts:
                    self.on[pod].setdefault(supernode, {})[job] = None
        self.lanes.state.in_use[lane] += count
        rate = speed * count / self.size[job] / slow
        again = self._again[job]
        run = again + self.left[job] / (rate * self._stall)
        self.parts[job], self.pod[job], self.began[job], self.accelerators[job] = parts, pod, now, count
        self._overhead[job], self._rate[job], self._slow[job] = again, rate, slow
        self._epoch[job] += 1
        if self.first_start[job] != self.first_start[job]:
            self.first_start[job] = now
        heappush(self.events, (now + run, END, job, self._epoch[job]))
        if pod != RENTED:
            if self._plans_ends:
                end = now + run * self.stretch[job]
                self.estimated_end[job] = end
                insort(self.by_end[pod], (end, job))
            if count < self.size[job]:
                self.small[job] = None

    def expected(self, job: int) -> float:
        """Run time of a job on the first pod, as its user estimates it."""
        return float((self._again[job] + self.left[job] / self._stall) * self.stretch[job])

    def queue(self, job: int) -> None:
        """A job waits from now on."""
        lane = self.lane[job]
        self.lanes.add(job, lane)
        if self.rented_free and self.classes[lane].may_rent:
            due = max(self._arrived[job] + self.supply.rented.after_s, self.now)
            heappush(self.events, (due, RENT, job, self.lanes.visit(job)))

    def interrupt(self, job: int, *, keeps: bool, again_s: float) -> None:
        """Stop a running job, with a checkpoint of now or back to its last one; it is in no queue yet."""
        self.backfilling.is_disturbed = True
        self._close(job, keeps=keeps)
        self.interruptions[job] += 1
        self._again[job] = again_s

    def give_way(self, job: int) -> None:
        """A job writes a checkpoint and waits again."""
        self.preemptions += 1
        self.interrupt(job, keeps=True, again_s=self.supply.restart_s + self.supply.checkpoint_s)
        self.queue(job)

    def victims(self, pod: int, below: float = inf) -> list[int]:
        """Running jobs of lower priority that may be stopped: the lowest priority first, and the latest
        start."""
        order = sorted(
            (lane for lane, one in enumerate(self.classes) if one.is_preemptible and one.priority < below),
            key=lambda lane: self.classes[lane].priority,
        )
        return [job for lane in order for job in reversed(self.running[pod][lane])]

    # events

    def _arrives(self, job: int, *, many: bool = False) -> int:
        """A job comes: -1 where it runs at once, its number where it waits, -2 where several came
        together."""
        if not many and not self.lanes.waiting and self.start(job):
            return -1
        self.queue(job)
        return -2 if many else job

    def _came(self, job: int) -> None:
        """One job came and waits, and nothing else changed."""
        if self.blocked >= 0 and self.lanes.waiting > 1:
            first = next(self.lanes.heads(), (-1, 0))[0]
            if first == self.blocked:
                self.backfilling.one(job, first)
                self._note_free()
                return
        self._schedule()

    def _end(self, job: int) -> None:
        pod = self.pod[job]
        if self._plans_ends and pod != RENTED:
            self.backfilling.ended(job, pod, self.estimated_end[job])
        self._close(job, keeps=True, ends=True)
        self.ended[job] = self.now
        self._left_to_end -= 1
        if pod == RENTED:
            self._rent_next()

    def _happens(self, kind: int, job: int, other: int) -> bool:
        """An event other than an end; whether anything changed for those who wait."""
        if kind == RENT:
            if self.lanes.is_in(job, other) and self.parts[job] is None:
                self._queue_for_rent[job] = None
                self._rent_next()
            return False
        if kind == CAP:
            self._outages.new_cap()
        elif kind == FAIL:
            return self._outages.fails(job, other)
        elif kind == MAINTAIN:
            self._outages.maintain(other)
        else:  # BACK: `job` is the pod, `other` a number of what was taken
            self._outages.back(job, other)
        return True

    def _schedule(self) -> None:
        """Start all that can start, in the order of the policy."""
        while True:
            first = -1
            for job, lane in self.lanes.heads():
                if self.lanes.state.in_use[lane] + self.least[job] <= self.quota[lane]:
                    first = job
                    break
            if first < 0:
                self.blocked, self._free_while_blocked = -1, 0
                if not self.lanes.waiting:
                    self.backfilling.forget()
                if self.policy.resizes and self.small:
                    self._grow()
                return
            if not (self.start(first) or self._smaller(first) or self.backfilling.make_room(first)):
                break
            self.lanes.leave(first, self.lane[first])
            self.backfilling.started(first)
        self.blocked = first
        self.backfilling.all(first)
        self._note_free()
        self.snapshots.queue_is(self.lanes.waiting)

    def _note_free(self) -> None:
        """Free accelerators that are enough for the first in the queue, but in the wrong places."""
        wanted = self.size[self.blocked]
        self._free_while_blocked = max(
            (
                places.free_total
                for places in self.places
                if places.free_total >= wanted and self.in_use + wanted <= self.cap
            ),
            default=0,
        )

    def _smaller(self, job: int) -> bool:
        """Start an elastic job with fewer accelerators than its full size."""
        if not self.policy.resizes or self.least[job] >= self.size[job]:
            return False
        room = int(min(self.size[job], self.cap - self.in_use, self.quota[self.lane[job]]))
        most = max(places.largest(room, self.least[job]) for places in self.places)
        return most > 0 and self.start(job, most)

    def _grow(self) -> None:
        """Elastic jobs take what is free, where it is worth the time that it takes."""
        for job in list(self.small):
            pod, held = self.pod[job], self.accelerators[job]
            room = int(min(self.size[job], held + self.cap - self.in_use))
            if self.places[pod].largest(room - held, 1) == 0:
                continue
            if self.left[job] / self._rate[job] < WORTH_RESIZING * self.supply.resize_s:
                continue
            self.resize(job, room)

    def resize(self, job: int, most: int) -> None:
        """A running elastic job goes on with as many accelerators as it can have, up to `most`."""
        self.interrupt(job, keeps=True, again_s=self.supply.resize_s)
        self.interruptions[job] -= 1
        self.resizes += 1
        count = max(places.largest(most, self.least[job]) for places in self.places)
        if not (count and self.start(job, count)):
            self.queue(job)

    def _rent_next(self) -> None:
        """Those who have waited long enough go to rented accelerators, in that order."""
        for job in list(self._queue_for_rent):
            if self.parts[job] is not None or self.ended[job] == self.ended[job]:
                del self._queue_for_rent[job]
            elif self.size[job] <= self.rented_free:
                del self._queue_for_rent[job]
                self.rented_free -= self.size[job]
                self.lanes.leave(job, self.lane[job])
                self.backfilling.started(job)
                self.begin(job, RENTED, [(0, self.size[job])], self.size[job])
            else:
                return

    # accounts

    def _close(self, job: int, *, keeps: bool, ends: bool = False) -> None:
        """End the segment of a running job and give its accelerators back."""
        pod, count, began, rate = self.pod[job], self.accelerators[job], self.began[job], self._rate[job]
        parts, lane, lasted = self.parts[job], self.lane[job], self.now - began
        assert parts is not None
        overhead = min(self._overhead[job], lasted)
        worked = lasted - overhead
        if ends:
            progress = done = self.left[job]
            worked = done / (rate * self._stall)
            lasted = overhead + worked
        else:
            progress = done = min(worked * self._stall * rate, self.left[job])
            if not keeps:
                whole = self.supply.checkpoint_interval_s * rate
                done = floor(progress / whole) * whole
            self.left[job] -= done
        ideal = done / rate * count / self._slow[job]
        self._rows.append(
            (
                job,
                began,
                began + lasted,
                count,
                pod,
                (overhead + worked * (1.0 - self._stall)) * count,
                ideal,
                ideal * (self._slow[job] - 1.0),
                (progress - done) / rate * count,
            )
        )
        if len(self._rows) >= BLOCK:
            self._flush()
        self.parts[job] = None
        self._epoch[job] += 1
        self.lanes.state.in_use[lane] -= count
        if pod == RENTED:
            self.rented_free += count
            return
        self.places[pod].release(parts)
        self.in_use -= count
        del self.running[pod][lane][job]
        self.small.pop(job, None)
        if self._plans_ends:
            by_end = self.by_end[pod]
            del by_end[bisect_left(by_end, (self.estimated_end[job], job))]
        if self._tracks:
            for supernode, _ in parts:
                del self.on[pod][supernode][job]

    def _flush(self) -> None:
        if self._rows:
            self._blocks.append(np.asarray(self._rows, dtype=float))
            self._rows.clear()
