"""Out and back in again: an export has no differences, and a change of it exactly that one."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.surfaces.files.cables.diff_text import COLUMNS, cable_diff_csv, cable_diff_text
from app.surfaces.files.cables.formats import cables_csv, cables_xlsx
from app.views.fabric.cable_diff import CableDiff, diff_cables
from tests.engine.fabric.cabling.fabrics import cables, pairs, superpod

NETWORK = cables(pairs(6))
BESIDE = dataclasses.replace(cables(pairs(3), ethernet=True), network="storage")
NETWORKS = (NETWORK, BESIDE)
LINKS = 12
Rows = list[list[str]]


def exported(networks=NETWORKS) -> Rows:
    return list(csv.reader(io.StringIO(b"".join(cables_csv(networks)).decode(), newline="")))


def compared(rows: Sequence[Sequence[str]], networks=NETWORKS) -> CableDiff:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return diff_cables(networks, text.getvalue().encode())


def kinds(diff: CableDiff) -> dict[str, int]:
    return {kind: count for kind, count in diff.counts.items() if count}


@pytest.mark.parametrize("write", [cables_csv, cables_xlsx])
@pytest.mark.parametrize("ethernet", [False, True])
def test_an_export_has_no_differences(write, ethernet: bool):
    networks = (dataclasses.replace(NETWORK, ethernet=ethernet), BESIDE)
    diff = diff_cables(networks, b"".join(write(networks)))
    assert diff.is_same
    assert diff.found.matched == diff.file.rows == 18
    assert diff.file.unknown_columns == diff.file.skipped_sheets == ()
    assert "Nothing differs." in cable_diff_text(diff, 5)


def test_an_export_of_a_whole_pod_has_no_differences():
    networks = (cables(superpod(33, management_ports=2)),)
    assert diff_cables(networks, b"".join(cables_csv(networks))).is_same


@pytest.mark.slow
@settings(max_examples=40)
@given(st.permutations(range(21)), st.lists(st.booleans(), min_size=18, max_size=18))
def test_neither_order_of_columns_nor_of_ends_matters(order: list[int], turned: list[bool]):
    heading, *rows = exported()
    mended = [heading]
    for turn, row in zip(turned, rows, strict=True):
        mended.append([*row[5:10], *row[:5], *row[10:]] if turn else row)
    assert compared([[row[place] for place in order] for row in mended]).is_same


MUTATIONS = st.sampled_from(
    ["missing", "unexpected", "wrong_port", "wrong_part", "wrong_length", "duplicate_port"]
)


@pytest.mark.slow
@settings(max_examples=60)
@given(MUTATIONS, st.integers(1, 18))
def test_a_change_makes_exactly_that_difference(kind: str, line: int):
    rows = exported()
    match kind:
        case "missing":
            del rows[line]
        case "unexpected":
            rows.append(["", "", "new", "", "1", "", "", "leaf-9", "", "1", *[""] * 11])
        case "wrong_port":
            rows[line][9] = "31/2"
        case "wrong_part":
            rows[line][10] = "another"
        case "wrong_length":
            rows[line][11] = "99"
        case "duplicate_port":
            rows.append(rows[line])
    diff = compared(rows)
    assert kinds(diff) == {kind: 1}
    (one,) = diff.differences()
    expected = {"missing": 0, "unexpected": 20, "duplicate_port": 20}.get(kind, line + 1)
    assert one.line == expected
    assert one.other_line == (line + 1 if kind == "duplicate_port" else 0)
    if kind != "unexpected":
        assert one.network == ("compute" if line <= LINKS else "storage")


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.integers(1, LINKS), min_size=2, max_size=2, unique=True))
def test_exchanged_far_ends_are_swapped(lines: list[int]):
    rows = exported()
    one, other = sorted(lines)
    rows[one][5:10], rows[other][5:10] = rows[other][5:10], rows[one][5:10]
    diff = compared(rows)
    assert kinds(diff) == {"swapped": 1}
    (found,) = diff.differences()
    assert (found.line, found.other_line) == (one + 1, other + 1)
    assert "; " in found.designed


def test_one_network_is_compared_alone():
    diff = compared(exported((NETWORK,)), (NETWORK,))
    assert diff.is_same
    assert kinds(compared(exported((NETWORK,)))) == {"missing": 6}


def test_the_answer_lists_some_and_counts_the_others():
    rows = exported()[:1]
    rows += [["", "", f"new-{one}", "", "1", "", "", "leaf-9", "", str(one), *[""] * 11] for one in range(5)]
    answer = compared(rows).as_json(most=3)
    assert answer["counts"]["missing"] == 18
    assert len(answer["differences"]) == 3
    assert answer["left_out"] == 20
    assert not answer["same"]


def test_differences_as_csv_never_compute():
    rows = exported()
    rows.append(["", "", "=cmd|'/c calc'!A1", "", "1", "", "", "+leaf", "", "1", *[""] * 11])
    rows[3][10] = "=1+1"
    text = b"".join(cable_diff_csv(compared(rows))).decode()
    found = list(csv.DictReader(io.StringIO(text, newline="")))
    assert tuple(found[0]) == COLUMNS
    assert {one["kind"] for one in found} == {"unexpected", "wrong_part"}
    assert not any(cell.startswith(("=", "+", "-", "@")) for one in found for cell in one.values())


def test_text_says_what_was_not_read():
    rows = [[*row, "x"] for row in exported()]
    rows[0][-1] = "Colour"
    del rows[4]
    text = cable_diff_text(compared(rows), 5)
    assert "1  missing" in text
    assert "missing: node-0002 2 to leaf-01-2 1/2" in text
    assert "columns Colour" in text


def test_lengths_that_no_side_states_are_not_compared():
    unknown = dataclasses.replace(NETWORK, length_m=np.full(LINKS, np.nan), part=np.full(LINKS, -1))
    assert compared(exported((NETWORK,)), (unknown,)).is_same
    assert compared(exported((unknown,)), (NETWORK,)).is_same
