"""Cables of a list against those of a design: each kind of difference, and exactly that."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.cabling.compare import KINDS, CableList, Differences, compare_cables

LINKS = 12


def listed(rows: list[tuple[str, str, str, float]]) -> CableList:
    a, z, part, length = zip(*rows, strict=True) if rows else ((), (), (), ())
    texts = [np.array([text.encode() for text in column] or [], "S") for column in (a, z, part)]
    return CableList(a=texts[0], z=texts[1], part=texts[2], length_m=np.array(length, float))


DESIGN = [
    (f"node-{link // 2}\t{link % 2}", f"leaf-{link % 2}\t{link // 2}", "SR4", 2.0) for link in range(LINKS)
]


def kinds(found: Differences) -> dict[str, int]:
    return dict(Counter(KINDS[kind] for kind in found.kind.tolist()))


def compared(rows: list[tuple[str, str, str, float]]) -> Differences:
    return compare_cables(listed(DESIGN), listed(rows))


@pytest.mark.slow
@given(st.permutations(range(LINKS)), st.lists(st.booleans(), min_size=LINKS, max_size=LINKS))
def test_order_of_rows_and_of_ends_does_not_matter(order: list[int], turned: list[bool]):
    rows = [DESIGN[link] for link in order]
    rows = [
        (z, a, *rest) if turn else (a, z, *rest) for turn, (a, z, *rest) in zip(turned, rows, strict=True)
    ]
    found = compared(rows)
    assert found.count == 0
    assert found.matched == LINKS


@pytest.mark.slow
@given(st.sets(st.integers(0, LINKS - 1), max_size=LINKS))
def test_what_is_left_out_is_missing(left_out: set[int]):
    found = compared([row for link, row in enumerate(DESIGN) if link not in left_out])
    assert kinds(found) == ({"missing": len(left_out)} if left_out else {})
    assert set(found.designed.tolist()) == left_out


@given(st.integers(1, 5))
def test_what_is_not_designed_is_unexpected(more: int):
    found = compared([*DESIGN, *((f"new-{one}\t1", f"leaf-9\t{one}", "", np.nan) for one in range(more))])
    assert kinds(found) == {"unexpected": more}
    assert found.listed.tolist() == list(range(LINKS, LINKS + more))


@given(st.integers(0, LINKS - 1), st.booleans(), st.booleans())
def test_one_end_elsewhere_is_a_wrong_port(link: int, far: bool, turned: bool):
    rows = list(DESIGN)
    a, z, *rest = rows[link]
    a, z = (a, f"{z}99") if far else (f"{a}99", z)
    rows[link] = (z, a, *rest) if turned else (a, z, *rest)
    found = compared(rows)
    assert kinds(found) == {"wrong_port": 1}
    assert (found.designed.tolist(), found.listed.tolist()) == ([link], [link])


@pytest.mark.slow
@given(st.data())
def test_two_cables_with_each_others_far_ends_are_swapped(data: st.DataObject):
    one, other = data.draw(st.lists(st.integers(0, LINKS - 1), min_size=2, max_size=2, unique=True))
    rows = list(DESIGN)
    rows[one], rows[other] = (
        (DESIGN[one][0], DESIGN[other][1], "SR4", 2.0),
        (DESIGN[other][1][:0] + DESIGN[one][1], DESIGN[other][0], "SR4", 2.0),  # the other end first
    )
    found = compared(rows)
    assert kinds(found) == {"swapped": 1}
    assert {int(found.listed[0]), int(found.other_listed[0])} == {one, other}
    assert {int(found.designed[0]), int(found.other_designed[0])} == {one, other}


def test_three_cables_in_a_ring_are_three_wrong_ports():
    rows = list(DESIGN)
    for link in range(3):
        rows[link] = (DESIGN[link][0], DESIGN[(link + 1) % 3][1], "SR4", 2.0)
    assert kinds(compared(rows)) == {"wrong_port": 3}


@pytest.mark.slow
@given(st.integers(0, LINKS - 1), st.sampled_from(["DR4", ""]), st.sampled_from([3.0, 2.004, np.nan]))
def test_part_and_length_are_compared_where_both_state_them(link: int, part: str, length: float):
    rows = list(DESIGN)
    rows[link] = (*DESIGN[link][:2], part, length)
    wanted = {"wrong_part": 1} if part else {}
    assert kinds(compared(rows)) == wanted | ({"wrong_length": 1} if length == 3 else {})


@given(st.integers(0, LINKS - 1))
def test_a_cable_listed_twice_uses_its_ports_twice(link: int):
    found = compared([*DESIGN, DESIGN[link]])
    assert kinds(found) == {"duplicate_port": 1}
    assert (found.listed.tolist(), found.other_listed.tolist()) == ([LINKS], [link])


def test_a_port_that_another_row_has_is_told_besides():
    rows = list(DESIGN)
    rows[4] = (DESIGN[4][0], DESIGN[1][1], "SR4", 2.0)
    assert kinds(compared(rows)) == {"wrong_port": 1, "duplicate_port": 1}


def test_a_cable_from_a_port_to_itself_is_no_cable():
    rows = list(DESIGN)
    rows[0] = (DESIGN[0][0], DESIGN[0][0], "SR4", 2.0)
    assert kinds(compared(rows)) == {"wrong_port": 1, "duplicate_port": 1}


def test_nothing_listed_and_nothing_designed():
    assert kinds(compared([])) == {"missing": LINKS}
    nothing = compare_cables(listed([]), listed(DESIGN))
    assert kinds(nothing) == {"unexpected": LINKS}
    assert compare_cables(listed([]), listed([])).count == 0


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_every_cable_of_either_side_is_accounted_for_once(ends: list[tuple[int, int]]):
    rows = [(DESIGN[a][0], DESIGN[z][1], "", np.nan) for a, z in ends]
    found = compared(rows)
    telling = found.kind < KINDS.index("wrong_part")
    designed = [*found.designed[telling].tolist(), *found.other_designed[telling].tolist()]
    named = [link for link in designed if link >= 0]
    assert len(named) == len(set(named)) == LINKS - found.matched
    again = set(found.listed[found.kind == KINDS.index("duplicate_port")].tolist())
    told = [*found.listed[telling].tolist(), *found.other_listed[telling].tolist()]
    assert {row for row in told if row >= 0} | again | {
        row for row, (a, z) in enumerate(ends) if a == z
    } == set(range(len(rows)))
