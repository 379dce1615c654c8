"""Backfilling, preemption and shrinking, for when the first job in the queue has no place."""

from __future__ import annotations

from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from app.engine.fleet.reservations import NEVER, Profile

if TYPE_CHECKING:
    from app.engine.fleet.run import Run

EXACT = 1e-6  # s


class Backfilling:
    """Backfilling of one run. State kept between calls is valid until a job starts or stops."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._shadow, self._pod, self._extra = inf, -1, 0
        self._reserved: frozenset[int] = frozenset()
        self._is_stale = True
        self._profiles: list[Profile] = []
        self._planned: dict[int, tuple[float, float, int]] = {}  # from, until and pod, of waiting jobs
        self.is_disturbed = True

    def all(self, first: int) -> None:
        """Start jobs that may pass `first`, which has no place now."""
        run = self._run
        kind = run.policy.backfill
        if kind == "none" or run.lanes.waiting < 1:
            return
        if kind == "easy":
            self._pass(first)
        else:
            self._plan()

    def one(self, job: int, first: int) -> None:
        """Start a job that has just come where it may pass those who wait; nothing else has changed."""
        run = self._run
        if run.policy.backfill == "none" or run.lanes.waiting > run.policy.depth:
            return
        if run.policy.backfill == "easy":
            self._try(job, first)
        else:
            self._plan()

    def make_room(self, job: int) -> bool:
        """Start a job in the place of others: by preempting lower priority, or by shrinking elastic jobs."""
        run = self._run
        if run.in_use + run.size[job] > run.cap and not run.policy.preempts:
            return False
        if run.policy.preempts and self._preempt(job):
            return True
        return run.policy.resizes and self._shrink(job)

    def _preempt(self, job: int) -> bool:
        run = self._run
        count, priority = run.size[job], run.classes[run.lane[job]].priority
        if run.in_use + count > run.cap:
            return False
        for pod, places in enumerate(run.places):
            if places.size * len(run.running) == 0 or count > run.supply.pods[pod].total:
                continue
            below = sum(
                run.lanes.state.in_use[lane]
                for lane, one in enumerate(run.classes)
                if one.is_preemptible and one.priority < priority
            )
            if places.free_total + below < count:
                continue
            victims = run.victims(pod, priority)
            found = places.freed(count, (run.parts[one] or [] for one in victims))
            if found is None:
                continue
            reached, supernodes, _ = found
            for one in victims[:reached]:
                if not supernodes or any(where in supernodes for where, _ in run.parts[one] or ()):
                    run.give_way(one)
            if run.start(job):
                return True
        return False

    def _shrink(self, job: int) -> bool:
        """Shrink elastic jobs of no higher priority, those with the most to give first."""
        run = self._run
        count, priority = run.size[job], run.classes[run.lane[job]].priority
        if run.in_use >= run.cap:
            return False
        for pod, places in enumerate(run.places):
            can = [
                (run.accelerators[one] - run.least[one], one)
                for lane, held in enumerate(run.running[pod])
                if run.classes[lane].priority <= priority
                for one in held
                if run.accelerators[one] > run.least[one] and run.began[one] < run.now
            ]
            if places.free_total + sum(room for room, _ in can) < run.least[job] or not can:
                continue
            can.sort(reverse=True)
            wanted, given, chosen = run.least[job] - places.free_total, 0, []
            for room, one in can:
                chosen.append(one)
                given += room
                if given >= wanted:
                    break
            held = {one: run.accelerators[one] for one in chosen}
            for one in chosen:
                run.interrupt(one, keeps=True, again_s=run.supply.resize_s)
                run.interruptions[one] -= 1
                run.resizes += 1
            least = min(count, max(run.least[job], 1))
            started = run.start(job, least)
            for one in chosen:
                most = places.largest(held[one], run.least[one])
                if not (most and run.start(one, most)):
                    run.queue(one)
            if started:
                return True
        return False

    # EASY

    def _reserve(self, first: int) -> None:
        """Find when and where the first in the queue will have a place, as running jobs end."""
        run = self._run
        self._shadow, self._pod, self._extra, self._reserved = inf, -1, 0, frozenset()
        self._is_stale = False
        if run.in_use + run.size[first] > run.cap:
            self._shadow = run.now  # no job may pass one that waits for power
            return
        for pod, places in enumerate(run.places):
            by_end = run.by_end[pod]
            found = places.freed(run.size[first], (run.parts[job] or [] for _, job in by_end))
            if found is None:
                continue
            reached, supernodes, extra = found
            when = by_end[reached - 1][0] if reached else run.now
            if when < self._shadow:
                self._shadow, self._pod, self._extra, self._reserved = when, pod, extra, supernodes

    def _pass(self, first: int) -> None:
        self._is_stale = True
        for job, _ in self._may_start(first):
            self._try(job, first)

    def _may_start(self, first: int) -> list[tuple[int, int]]:
        """Jobs that wait behind the first and may have a place, as far as the policy looks."""
        run = self._run
        if not any(places.free_total for places in run.places):
            return []
        size, places = run.size, run.places
        waiting = islice(run.lanes.in_order(), run.policy.depth)
        if len(places) == 1:
            fits = places[0].may_fit
            return [(job, lane) for job, lane in waiting if job != first and fits(size[job])]
        return [
            (job, lane)
            for job, lane in waiting
            if job != first and any(one.may_fit(size[job]) for one in places)
        ]

    def _try(self, job: int, first: int) -> bool:
        """Start a job unless it would delay the first."""
        run = self._run
        count, lane = run.size[job], run.lane[job]
        if run.in_use + count > run.cap or run.lanes.state.in_use[lane] + count > run.quota[lane]:
            return False
        for pod, places in enumerate(run.places):
            if not places.may_fit(count):
                continue
            if self._is_stale:
                self._reserve(first)
            speed = run.supply.pods[pod].speed
            late = pod == self._pod and run.now + run.expected(job) / speed > self._shadow
            if late and not self._reserved and count > self._extra:
                continue
            parts = places.place(count)
            if parts is None:
                continue
            if pod == self._pod and not late and len(parts) > -(-count // places.size):
                late = run.now + run.expected(job) * run.supply.across_slowdown / speed > self._shadow
            if late and (
                any(where in self._reserved for where, _ in parts) if self._reserved else count > self._extra
            ):
                places.release(parts)
                continue
            if late and not self._reserved:
                self._extra -= count
            run.lanes.leave(job, lane)
            run.begin(job, pod, parts, count)
            return True
        return False

    # conservative

    def started(self, job: int) -> None:
        """Note that a job has started from the head of the queue or on rented accelerators: it holds them
        from now on."""
        self._release(job)
        self._hold(job)

    def forget(self) -> None:
        """Drop all reservations: no job waits, and jobs may start without being noted."""
        if self._profiles:
            self._profiles, self._planned = [], {}

    def ended(self, job: int, pod: int, until: float) -> None:
        """Note that a job ended early: its accelerators are free until its expected end."""
        if self._profiles and pod >= 0:
            self._profiles[pod].take(self._run.now, until, -self._run.accelerators[job])

    def _plan(self) -> None:
        """Start, in order and as far as the policy looks, each job that delays no other waiting job.

        Every waiting job has a reservation, made on arrival: the earliest time at which it delays no job
        before it. Accelerators that come free earlier than estimated go to the first job that fits, whose own
        reservation is released. A job whose time has come while free accelerators are in the wrong places
        keeps its turn, and its reservation moves with the time. All is planned again where accelerators are
        lost or come back.
        """
        run = self._run
        if self.is_disturbed or not self._profiles:
            self.is_disturbed = False
            self._planned = {}
            self._profiles = [
                Profile(
                    run.now,
                    places.free_total,
                    [(max(time, run.now), run.accelerators[job]) for time, job in run.by_end[pod]],
                )
                for pod, places in enumerate(run.places)
            ]
        now = run.now + EXACT
        spare = [profile.free_at(run.now) for profile in self._profiles]
        for job, _ in list(islice(run.lanes.in_order(), run.policy.depth)):
            is_new = job not in self._planned
            if is_new:
                self._reserve_for(job)
            reserved = self._planned.get(job)
            may = is_new or reserved is None or reserved[0] <= now or run.size[job] <= max(spare)
            if may and self._starts(job, reserved):
                spare = [profile.free_at(run.now) for profile in self._profiles]
                continue
            if reserved is not None and reserved[1] <= now:  # its reserved time is over before it had a place
                self._release(job)
                self._reserve_at(job, run.now, reserved[2])
                spare = [profile.free_at(run.now) for profile in self._profiles]

    def _reserve_for(self, job: int) -> None:
        """The earliest possible start of a job over all pods."""
        run = self._run
        best, chosen = NEVER, -1
        for pod, profile in enumerate(self._profiles):
            when = profile.earliest(run.now, run.size[job], self._takes(job, pod))
            if when < best:
                best, chosen = when, pod
        if chosen >= 0:
            self._reserve_at(job, best, chosen)

    def _reserve_at(self, job: int, when: float, pod: int) -> None:
        end = when + self._takes(job, pod)
        self._profiles[pod].take(when, end, self._run.size[job])
        self._planned[job] = when, end, pod

    def _starts(self, job: int, reserved: tuple[float, float, int] | None) -> bool:
        """Start a job where no reservation is in the way; a job whose reserved time has come only needs a
        place."""
        run = self._run
        count = run.size[job]
        for pod, profile in enumerate(self._profiles):
            if not run.places[pod].may_fit(count):
                continue
            is_mine = reserved is not None and reserved[2] == pod and reserved[0] <= run.now + EXACT
            if not is_mine and not self._fits(job, pod, profile, reserved):
                continue
            if self._begin(job, pod):
                self._release(job)
                self._hold(job)
                return True
        return False

    def _fits(self, job: int, pod: int, profile: Profile, reserved: tuple[float, float, int] | None) -> bool:
        """Return whether a job delays no other if it starts now; its own reservation does not count."""
        run = self._run
        count, takes = run.size[job], self._takes(job, pod)
        if reserved is None or reserved[2] != pod or reserved[0] >= run.now + takes:
            return profile.fits(run.now, count, takes)
        if not profile.fits(run.now, count, reserved[0] - run.now):
            return False
        profile.take(max(reserved[0], run.now), reserved[1], -count)
        found = profile.fits(run.now, count, takes)
        profile.take(max(reserved[0], run.now), reserved[1], count)
        return found

    def _takes(self, job: int, pod: int) -> float:
        return max(self._run.expected(job) / self._run.supply.pods[pod].speed, EXACT)

    def _release(self, job: int) -> None:
        """Release the reservation of a job from now on."""
        reserved = self._planned.pop(job, None)
        if reserved is not None:
            when, end, pod = reserved
            self._profiles[pod].take(max(when, self._run.now), end, -self._run.size[job])

    def _hold(self, job: int) -> None:
        """Take the accelerators of a job that now runs, until its expected end."""
        run = self._run
        if self._profiles and run.pod[job] >= 0:
            self._profiles[run.pod[job]].take(run.now, run.estimated_end[job], run.accelerators[job])

    def _begin(self, job: int, pod: int) -> bool:
        """Start a job on a pod, where quota, power and places allow it."""
        run = self._run
        count, lane = run.size[job], run.lane[job]
        if run.in_use + count > run.cap or run.lanes.state.in_use[lane] + count > run.quota[lane]:
            return False
        parts = run.places[pod].place(count)
        if parts is None:
            return False
        run.lanes.leave(job, lane)
        run.begin(job, pod, parts, count)
        return True
