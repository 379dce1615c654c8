"""Accelerators of one pod: where jobs are placed, in constant time whatever the number of SuperNodes.

SuperNodes are held in buckets by free accelerators, and a bit for each bucket says whether it has any: the
tightest SuperNode that holds a job is the lowest bit from the size of the job on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

Parts = list[tuple[int, int]]
"""SuperNodes of a job, with its accelerators in each.

Where accelerators are counted alone there is one, number 0.
"""


class Places(Protocol):
    """Accelerators of a pod that are free."""

    free_total: int
    size: int

    def place(self, count: int) -> Parts | None:
        """Take so many accelerators; None where they cannot be had."""
        ...

    def release(self, parts: Parts) -> None:
        """Give back the accelerators of a job."""
        ...

    def free_of(self, supernode: int) -> int:
        """Free accelerators of a SuperNode."""
        ...

    def take(self, supernode: int, count: int) -> None:
        """Take free accelerators of one SuperNode away, for a repair or maintenance."""
        ...

    def give(self, supernode: int, count: int) -> None:
        """Put accelerators back that were taken away."""
        ...

    def may_fit(self, count: int) -> bool:
        """Whether a job of this size may have a place now: False is certain."""
        ...

    def largest(self, count: int, least: int) -> int:
        """The most accelerators up to `count` that a job could have now; 0 where that is below `least`."""
        ...

    def freed(self, count: int, released: Iterable[Parts]) -> tuple[int, frozenset[int], int] | None:
        """How many of these releases, in their order, until a job of this size has a place; which SuperNodes
        it would then have, and how many more accelerators are free. None where even all are not enough."""
        ...


class Pooled:
    """Accelerators are counted, whatever SuperNode they are in."""

    def __init__(self, supernodes: int, size: int) -> None:
        self.size = supernodes * size
        self.free_total = self.size

    def place(self, count: int) -> Parts | None:
        if count > self.free_total:
            return None
        self.free_total -= count
        return [(0, count)]

    def release(self, parts: Parts) -> None:
        self.free_total += parts[0][1]

    def free_of(self, supernode: int) -> int:
        return self.free_total

    def take(self, supernode: int, count: int) -> None:
        self.free_total -= count

    def give(self, supernode: int, count: int) -> None:
        self.free_total += count

    def may_fit(self, count: int) -> bool:
        return count <= self.free_total

    def largest(self, count: int, least: int) -> int:
        most = min(count, self.free_total)
        return most if most >= least else 0

    def freed(self, count: int, released: Iterable[Parts]) -> tuple[int, frozenset[int], int] | None:
        free, reached = self.free_total, 0
        if free < count:
            for parts in released:
                free += parts[0][1]
                reached += 1
                if free >= count:
                    break
            else:
                return None
        return reached, frozenset(), free - count


class Packed:
    """Jobs that a SuperNode holds are inside one, the tightest; larger ones on whole SuperNodes and the rest
    tightly.

    With `spreads` a job that finds no such place takes the SuperNodes with the most free accelerators.
    """

    def __init__(self, supernodes: int, size: int, *, spreads: bool = False) -> None:
        self.size = size
        self.free_total = supernodes * size
        self._spreads = spreads
        self._free = [size] * supernodes
        self._buckets: list[list[int]] = [[] for _ in range(size + 1)]
        self._buckets[size] = list(range(supernodes - 1, -1, -1))  # the first is taken first
        self._at = list(range(supernodes - 1, -1, -1))
        self._mask = (1 << size) if supernodes else 0

    def place(self, count: int) -> Parts | None:
        if count > self.free_total:
            return None
        if count <= self.size:
            above = self._mask >> count
            if above:
                supernode = self._buckets[count + (above & -above).bit_length() - 1][-1]
                self._move(supernode, -count)
                return [(supernode, count)]
        else:
            parts = self._gang(count)
            if parts is not None:
                return parts
        return self._spread(count) if self._spreads else None

    def release(self, parts: Parts) -> None:
        for supernode, count in parts:
            self._move(supernode, count)

    def free_of(self, supernode: int) -> int:
        return self._free[supernode]

    def take(self, supernode: int, count: int) -> None:
        self._move(supernode, -count)

    def give(self, supernode: int, count: int) -> None:
        self._move(supernode, count)

    def may_fit(self, count: int) -> bool:
        if count > self.free_total or self._spreads:
            return count <= self.free_total
        if count <= self.size:
            return self._mask >> count != 0
        return len(self._buckets[self.size]) >= count // self.size

    def largest(self, count: int, least: int) -> int:
        if self._spreads:
            most = min(count, self.free_total)
        elif count <= self.size:
            most = min(count, self._mask.bit_length() - 1)
        else:
            whole = len(self._buckets[self.size])
            rest = count % self.size
            most = min(whole, count // self.size) * self.size
            if whole * self.size >= count - rest and rest and self._fits_beside(whole, count):
                most = count
            if not whole and least <= self.size:
                most = min(count, self._mask.bit_length() - 1)
        return most if most >= max(least, 1) else 0

    def freed(self, count: int, released: Iterable[Parts]) -> tuple[int, frozenset[int], int] | None:
        if self._spreads:
            return self._freed_anywhere(count, released)
        extra: dict[int, int] = {}
        whole = set(self._buckets[self.size]) if count > self.size else set()
        needed, rest = divmod(count, self.size)
        tight: int | None = None  # a SuperNode that holds the rest
        if count > self.size and rest:
            above = self._mask >> rest
            part = [self._buckets[free][-1] for free in range(rest, self.size) if self._mask >> free & 1]
            tight = part[0] if above and part else None
        reached = 0
        if len(whole) >= needed + (1 if rest and tight is None else 0) and count > self.size:
            return self._reserved(reached, whole, needed, tight)
        for parts in released:
            reached += 1
            for supernode, freed in parts:
                free = extra.get(supernode, self._free[supernode]) + freed
                extra[supernode] = free
                if count <= self.size:
                    if free >= count:
                        return reached, frozenset((supernode,)), 0
                elif free >= self.size:
                    whole.add(supernode)
                    if supernode == tight:
                        tight = None
                elif rest and free >= rest:
                    tight = supernode
            if count > self.size and len(whole) >= needed + (1 if rest and tight is None else 0):
                return self._reserved(reached, whole, needed, tight)
        return None

    def _reserved(
        self, reached: int, whole: set[int], needed: int, tight: int | None
    ) -> tuple[int, frozenset[int], int]:
        kept = sorted(whole)[: needed + (tight is None)]
        return reached, frozenset(kept if tight is None else [*kept, tight]), 0

    def _freed_anywhere(
        self, count: int, released: Iterable[Parts]
    ) -> tuple[int, frozenset[int], int] | None:
        free, reached = self.free_total, 0
        if free < count:
            for parts in released:
                free += sum(one for _, one in parts)
                reached += 1
                if free >= count:
                    break
            else:
                return None
        return reached, frozenset(), free - count

    def _gang(self, count: int) -> Parts | None:
        needed, rest = divmod(count, self.size)
        whole = self._buckets[self.size]
        if len(whole) < needed or (rest and not self._fits_beside(len(whole), count)):
            return None
        parts = [(supernode, self.size) for supernode in whole[len(whole) - needed :]]
        for supernode, _ in parts:
            self._move(supernode, -self.size)
        if rest:
            above = self._mask >> rest
            supernode = self._buckets[rest + (above & -above).bit_length() - 1][-1]
            self._move(supernode, -rest)
            parts.append((supernode, rest))
        return parts

    def _fits_beside(self, whole: int, count: int) -> bool:
        """Whether the rest of a gang has a place beside its whole SuperNodes."""
        needed, rest = divmod(count, self.size)
        partly = self._mask & ~(1 << self.size)
        return bool(partly >> rest) or whole > needed

    def _spread(self, count: int) -> Parts:
        """From the SuperNodes with the most free accelerators on; the last part as tight as it can be."""
        parts: Parts = []
        while count:
            most = self._mask.bit_length() - 1
            if count <= most:
                above = self._mask >> count
                most = count + (above & -above).bit_length() - 1
            supernode, taken = self._buckets[most][-1], min(most, count)
            self._move(supernode, -taken)
            parts.append((supernode, taken))
            count -= taken
        return parts

    def _move(self, supernode: int, change: int) -> None:
        """Another number of free accelerators in one SuperNode."""
        free = self._free[supernode]
        bucket = self._buckets[free]
        place, last = self._at[supernode], bucket.pop()
        if last != supernode:
            bucket[place] = last
            self._at[last] = place
        elif not bucket:
            self._mask &= ~(1 << free)
        free += change
        self._free[supernode] = free
        bucket = self._buckets[free]
        if not bucket:
            self._mask |= 1 << free
        self._at[supernode] = len(bucket)
        bucket.append(supernode)
        self.free_total += change
