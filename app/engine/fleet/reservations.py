"""Estimated free accelerators of a pod over time, in which conservative backfilling makes reservations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.trace import Array

NEVER = float("inf")
PAST = 512
"""Past steps that are kept before they are removed."""


class Profile:
    """A step function: from `times[k]` on there are `free[k]` accelerators; below 0 where jobs are later than
    reserved."""

    def __init__(self, now: float, free: int, ends: Sequence[tuple[float, int]]) -> None:
        """`ends` are times, ascending, and how many accelerators come free at each."""
        at = np.array([now, *(time for time, _ in ends)], dtype=float)
        count = np.cumsum([free, *(count for _, count in ends)]).astype(float)
        last = np.append(at[1:] > at[:-1], True)  # of those at one time the last
        self._keep(at[last], count[last])

    @property
    def _times(self) -> Array:
        return self._room[0, : self._size]

    @property
    def _free(self) -> Array:
        return self._room[1, : self._size]

    def earliest(self, now: float, count: int, duration: float) -> float:
        """Earliest time at which a number of accelerators is free for a duration; NEVER where there is none.

        >>> profile = Profile(0.0, 2, [(3.0, 4), (5.0, 2)])
        >>> profile.earliest(0.0, 2, 10.0), profile.earliest(0.0, 5, 1.0), profile.earliest(0.0, 9, 1.0)
        (0.0, 3.0, inf)
        """
        first = self._at(now)
        times, short = self._times, first + np.flatnonzero(self._free[first:] < count)
        # it may start now, or as a step with too few ends; and no such step may begin before it is over
        after = np.append(times, NEVER)[short + 1]
        starts = np.maximum(np.concatenate(([now], after)), now)
        until = np.append(times[short], NEVER)
        if short.size and short[0] == first:
            starts, until = starts[1:], until[1:]
        found = np.flatnonzero((until >= starts + duration) & (starts < NEVER))
        return float(starts[found[0]]) if found.size else NEVER

    def free_at(self, now: float) -> float:
        """Accelerators that are neither in use nor reserved now."""
        return float(self._free[self._at(now)])

    def fits(self, now: float, count: int, duration: float) -> bool:
        """Whether so many accelerators are free from now on for so long."""
        first, last = self._at(now), int(np.searchsorted(self._times, now + duration))
        return bool(self._free[first : max(last, first + 1)].min() >= count)

    def take(self, start: float, end: float, count: int) -> None:
        """Take so many accelerators between two times; give them back where `count` is negative."""
        if end <= start:
            return
        first = self._cut(start)
        self._free[first : self._cut(end)] -= count

    def _at(self, now: float) -> int:
        """The step that holds now; those long over are forgotten."""
        place = max(int(np.searchsorted(self._times, now, side="right")) - 1, 0)
        if place > PAST:
            self._keep(self._times[place:], self._free[place:])
            place = 0
        return place

    def _cut(self, time: float) -> int:
        """The place of a step at this time, made where there is none."""
        times = self._times
        place, size = int(np.searchsorted(times, time)), self._size
        if place == size or times[place] != time:
            if size == self._room.shape[1]:
                self._keep(times, self._free)
                return self._cut(time)
            self._room[:, place + 1 : size + 1] = self._room[:, place:size]
            self._room[0, place] = time
            self._room[1, place] = self._room[1, max(place - 1, 0)]
            self._size += 1
        return place

    def _keep(self, times: Array, free: Array) -> None:
        """These steps, without those that change nothing, and room for as many again."""
        changes = np.append(True, free[1:] != free[:-1])
        self._size = int(changes.sum())
        self._room: Array = np.empty((2, 2 * self._size + PAST))
        self._room[0, : self._size], self._room[1, : self._size] = times[changes], free[changes]
