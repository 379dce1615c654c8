"""Waiting jobs by class, in the order of their keys, with removal of any job."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice

from app.engine.fleet.demand import ClassTerms
from app.engine.fleet.policy import LaneState, Order

Entry = tuple[float, int, int]
"""Key, job, and the number of times that the job had left the queue before; entries of earlier visits are
void."""
FEW = 64


class Lanes:
    """The queue of a fleet. The entry of a job that leaves is marked void, and removed later with others."""

    def __init__(self, classes: Sequence[ClassTerms], keys: Sequence[float], order: Order) -> None:
        self.waiting = 0
        self._keys = keys
        self._order = order
        self._visits = [0] * len(keys)
        self._lanes: list[list[Entry]] = [[] for _ in classes]
        self._first = [0] * len(classes)
        self._void = [0] * len(classes)
        self.state = LaneState(classes=classes, usage=[0.0] * len(classes), in_use=[0] * len(classes))
        self._ranked = self._groups() if order.is_static else []

    def add(self, job: int, lane: int) -> None:
        """A job waits from now on."""
        entry = (self._keys[job], job, self._visits[job])
        entries = self._lanes[lane]
        if not entries or entry >= entries[-1]:
            entries.append(entry)
        else:
            insort(entries, entry, lo=self._first[lane])
        self.waiting += 1

    def leave(self, job: int, lane: int) -> None:
        """A job waits no longer."""
        self._visits[job] += 1
        self.waiting -= 1
        self._void[lane] += 1
        if self._void[lane] > FEW and 2 * self._void[lane] > len(self._lanes[lane]):
            visits = self._visits
            self._lanes[lane] = [entry for entry in self._lanes[lane] if visits[entry[1]] == entry[2]]
            self._first[lane] = self._void[lane] = 0

    def is_in(self, job: int, visit: int) -> bool:
        """Whether a job waits, and is still on this visit."""
        return self._visits[job] == visit

    def visit(self, job: int) -> int:
        """The number of the visit that a job is on."""
        return self._visits[job]

    def heads(self) -> Iterator[tuple[int, int]]:
        """The first job of each class with its class, those that go next first."""
        for group in self._ranked if self._order.is_static else self._groups():
            found = [(entry, lane) for lane in group if (entry := self._head(lane)) is not None]
            if len(found) > 1:
                found.sort()
            for entry, lane in found:
                yield entry[1], lane

    def in_order(self) -> Iterator[tuple[int, int]]:
        """Every job that waits with its class, those that go next first."""
        for group in self._ranked if self._order.is_static else self._groups():
            if len(group) == 1:
                yield from ((entry[1], group[0]) for entry in self._alive(group[0]))
            else:
                streams = [((entry, lane) for entry in self._alive(lane)) for lane in group]
                yield from ((entry[1], lane) for entry, lane in merge(*streams))

    def _head(self, lane: int) -> Entry | None:
        entries, first, visits = self._lanes[lane], self._first[lane], self._visits
        while first < len(entries):
            entry = entries[first]
            if visits[entry[1]] == entry[2]:
                self._first[lane] = first
                return entry
            first += 1
        entries.clear()
        self._first[lane] = self._void[lane] = 0
        return None

    def _alive(self, lane: int) -> Iterator[Entry]:
        visits = self._visits
        for entry in islice(self._lanes[lane], self._first[lane], None):
            if visits[entry[1]] == entry[2]:
                yield entry

    def _groups(self) -> list[list[int]]:
        """Classes of equal rank together, the lowest rank first."""
        ranks = self._order.ranks(self.state)
        groups: dict[float, list[int]] = {}
        for lane, rank in enumerate(ranks):
            groups.setdefault(rank, []).append(lane)
        return [groups[rank] for rank in sorted(groups)]
