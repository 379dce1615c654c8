"""Cables that someone lists against those of the design: what is missing, what is there too much, what is
wrong.

A cable is known by its two ends, whichever is named first. What agrees in both is there, and its part and length
are compared where both sides state them. Of the rest, two cables with each other's far ends are swapped; a cable
with one end as designed has its other end at a wrong port; a designed cable that no row is left for is missing, and
a row that no designed cable is left for unexpected. Ports that several rows name are told besides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.cabling.decimals import Text
from app.engine.fabric.graph.graph import NONE, Whole, ports_in_order

KINDS = ("missing", "unexpected", "wrong_port", "swapped", "wrong_part", "wrong_length", "duplicate_port")
MISSING, UNEXPECTED, WRONG_PORT, SWAPPED, WRONG_PART, WRONG_LENGTH, DUPLICATE_PORT = range(len(KINDS))
SAME_LENGTH_M = 0.005
"""Lengths are written to the centimetre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CableList:
    """Cables by the names of their ends. Parts and lengths that are not stated are empty and NaN."""

    a: Text  # (n,)
    z: Text
    part: Text
    length_m: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """d differences, kind by kind. -1 stands where there is no such cable."""

    kind: Whole  # (d,) index into KINDS
    designed: Whole  # (d,) cable of the design
    listed: Whole  # (d,) cable of the list
    other_designed: Whole  # (d,) the other of two that are swapped
    other_listed: Whole  # (d,) the same, or the earlier row that has the port already
    matched: int  # cables of the design whose two ends are as listed

    @property
    def count(self) -> int:
        return int(self.kind.size)

    def count_of(self, kind: str) -> int:
        """Number of differences of a kind."""
        return int(np.count_nonzero(self.kind == KINDS.index(kind)))


def compare_cables(design: CableList, listed: CableList) -> Differences:
    """Every difference once; a port of the design has one cable."""
    ends = _Ends(design, listed)
    row, matched = _matched(ends)
    swapped, partner = _swapped(ends, row, matched)
    free = ~matched
    free[ends.at_a[swapped]] = free[ends.at_z[swapped]] = False
    left = ends.is_new & (row == NONE)
    left[swapped] = left[partner] = False
    wrong, designed = _one_end_right(ends, left, free)
    left[wrong] = False
    free[designed] = False
    same = np.flatnonzero(row >= 0)
    parts, lengths = _wrong_pieces(design, listed, same, row[same])
    again = np.flatnonzero(ends.earlier >= 0)
    at_port = np.where(ends.at_a >= 0, ends.at_a, ends.at_z)
    nothing = np.empty(0, int)
    found = [
        (MISSING, np.flatnonzero(free), nothing, nothing, nothing),
        (UNEXPECTED, nothing, np.flatnonzero(left), nothing, nothing),
        (WRONG_PORT, designed, wrong, nothing, nothing),
        (SWAPPED, ends.at_a[swapped], swapped, ends.at_z[swapped], partner),
        (WRONG_PART, row[parts], parts, nothing, nothing),
        (WRONG_LENGTH, row[lengths], lengths, nothing, nothing),
        (DUPLICATE_PORT, at_port[again], again, nothing, ends.earlier[again]),
    ]
    return _together(found, int(matched.sum()))


class _Ends:
    """Both lists with their ends as numbers, those of the list turned round where they are named so."""

    def __init__(self, design: CableList, listed: CableList) -> None:
        known, number = np.unique(
            np.concatenate([design.a, design.z, listed.a, listed.z]), return_inverse=True
        )
        self.count = known.size
        self.design_a, self.design_z, a, z = np.split(
            number, np.cumsum([design.a.size, design.z.size, listed.a.size])
        )
        links = np.arange(design.a.size)
        self.link_of = np.full(self.count, NONE)
        self.link_of[self.design_a] = links
        self.link_of[self.design_z] = links
        is_z = np.zeros(self.count, bool)
        is_z[self.design_z] = True
        is_a = np.zeros(self.count, bool)
        is_a[self.design_a] = True
        turned = is_z[a] | is_a[z]
        self.a, self.z = np.where(turned, z, a), np.where(turned, a, z)
        self.at_a, self.at_z = self.link_of[self.a], self.link_of[self.z]  # cables designed at these ends
        self.key = self._keys(self.a, self.z)
        self.is_new = _first_use(self.key)  # not the same cable a second time
        self.earlier = self._earlier()

    def rows_between(self, one: Whole, other: Whole) -> Whole:
        """The first row with these two ends, whichever comes first; -1 where there is none."""
        order = np.argsort(self.key, kind="stable")
        keys = self._keys(one, other)
        place = np.searchsorted(self.key[order], keys)
        rows = np.append(order, NONE)[np.minimum(place, order.size)]
        return np.where((rows >= 0) & (np.append(self.key, -1)[rows] == keys), rows, NONE)

    def _keys(self, one: Whole, other: Whole) -> Whole:
        return np.minimum(one, other).astype(np.int64) * self.count + np.maximum(one, other)

    def _earlier(self) -> Whole:
        """The first row that has a port of each row already; -1 where there is none."""
        ends = np.stack([self.a, self.z], axis=1).ravel()  # row by row
        first = np.full(self.count, NONE)
        first[ends[::-1]] = np.arange(ends.size)[::-1] // 2
        again = (ports_in_order(ends) > 0).reshape(-1, 2)
        earliest = first[ends].reshape(-1, 2)
        return np.where(again[:, 0], earliest[:, 0], np.where(again[:, 1], earliest[:, 1], NONE))


def _matched(ends: _Ends) -> tuple[Whole, NDArray[np.bool_]]:
    """The designed cable that each row is, -1 for none; and which of the design are there."""
    same = (ends.at_a >= 0) & (ends.at_a == ends.at_z) & (ends.a != ends.z)
    row = np.where(same & ends.is_new, ends.at_a, NONE)
    matched = np.zeros(ends.design_a.size, bool)
    matched[row[row >= 0]] = True
    return row, matched


def _swapped(ends: _Ends, row: Whole, matched: NDArray[np.bool_]) -> tuple[Whole, Whole]:
    """Rows whose cable has the far end of another's, and that other row, each pair once."""
    known = (ends.at_a >= 0) & (ends.at_z >= 0) & (ends.at_a != ends.at_z) & ends.is_new
    rows = np.flatnonzero(known & (row == NONE))
    rows = rows[~matched[ends.at_a[rows]] & ~matched[ends.at_z[rows]]]
    mine, theirs = ends.at_a[rows], ends.at_z[rows]
    far = np.where(ends.design_a[mine] == ends.a[rows], ends.design_z[mine], ends.design_a[mine])
    near = np.where(ends.design_z[theirs] == ends.z[rows], ends.design_a[theirs], ends.design_z[theirs])
    partner = ends.rows_between(near, far)
    pair = partner > rows
    used = np.stack([mine[pair], theirs[pair]], axis=1).ravel()
    once = _first_use(used).reshape(-1, 2).all(axis=1)  # a row listed twice makes a cable part of two pairs
    return rows[pair][once], partner[pair][once]


def _one_end_right(ends: _Ends, left: NDArray[np.bool_], free: NDArray[np.bool_]) -> tuple[Whole, Whole]:
    """Rows with one end of a designed cable that no other row is, and that cable; each cable once."""
    rows, links = [], []
    free, left = free.copy(), left.copy()
    for at in (ends.at_a, ends.at_z):
        some = np.flatnonzero(left & (at >= 0))
        some = some[free[at[some]]]
        some = some[_first_use(at[some])]
        rows.append(some)
        links.append(at[some])
        left[some] = False
        free[at[some]] = False
    return np.concatenate(rows), np.concatenate(links)


def _wrong_pieces(design: CableList, listed: CableList, rows: Whole, links: Whole) -> tuple[Whole, Whole]:
    """Rows whose part, and rows whose length is not that of the design, where both are stated."""
    part, meant = listed.part[rows], design.part[links]
    other_part = (part != b"") & (meant != b"") & (part != meant)
    apart = np.abs(listed.length_m[rows] - design.length_m[links])
    return rows[other_part], rows[apart > SAME_LENGTH_M]  # NaN is not more


def _first_use(values: Whole) -> NDArray[np.bool_]:
    first = np.zeros(values.size, bool)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def _together(found: list[tuple[int, Whole, Whole, Whole, Whole]], matched: int) -> Differences:
    counts = [max(column.size for column in columns) for _, *columns in found]
    kind = np.repeat([kind for kind, *_ in found], counts)
    filled = [
        np.concatenate([column if column.size == count else np.full(count, NONE) for column, count in zip(each, counts, strict=True)])
        for each in zip(*(columns for _, *columns in found), strict=True)
    ]  # fmt: skip
    designed, listed, other_designed, other_listed = filled
    return Differences(
        kind=kind,
        designed=designed,
        listed=listed,
        other_designed=other_designed,
        other_listed=other_listed,
        matched=matched,
    )
