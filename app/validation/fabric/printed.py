"""The counts that a published fabric prints, and whether they can be right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from app.validation.rows import Row, UnsupportedRowError

COLUMNS = ("fabric", "topology", "num_nodes", "num_accelerators")
"""Without which a file is none of published fabrics."""

COUNTS = (
    "num_leaf_switches",
    "num_spine_switches",
    "num_core_switches",
    "cables_node_leaf",
    "cables_leaf_spine",
    "cables_spine_core",
)
ACCELERATORS = "num_accelerators"
MISPRINT = re.compile(r"prints ([\d,]+) (?:GPUs|NPUs|accelerators)")
RECALLED = ("memory", "m")


class Mismatch(NamedTuple):
    """A count that comes out otherwise than printed, or of which nothing is known."""

    column: str
    printed: int
    computed: int | None


def printed_counts(row: Row) -> dict[str, int]:
    """Every count that the row prints, nought included.

    Raises
    ------
    UnsupportedRowError : a cell holds something else
    """
    found = {}
    for column in (*COUNTS, ACCELERATORS):
        value = row.number(column)
        if value is None:
            continue
        if value < 0 or value != int(value):
            raise UnsupportedRowError(f"{column} is {value:g}, not a whole number")
        found[column] = int(value)
    return found


def mismatches_of(printed: Mapping[str, int], computed: Mapping[str, int]) -> list[Mismatch]:
    """Printed counts that do not come out, or cannot be computed.

    >>> mismatches_of({"num_leaf_switches": 8, "num_spine_switches": 4}, {"num_leaf_switches": 8, "num_spine_switches": 5})
    [Mismatch(column='num_spine_switches', printed=4, computed=5)]
    """
    return [
        Mismatch(column, value, computed.get(column))
        for column, value in printed.items()
        if value != computed.get(column)
    ]


def reasons_for_doubt(row: Row) -> list[str]:
    """Why a row cannot be right as it is printed, or cannot be a target."""
    reasons = []
    if row.text("confidence").lower() in RECALLED:
        reasons.append("recalled from memory and not read in its source, so no target")
    nodes, each = row.count("num_nodes"), row.count("accelerators_per_node")
    printed = [value for value in (row.count(ACCELERATORS), _misprint(row)) if value is not None]
    if nodes and each:
        reasons += [
            f"{nodes:,} nodes of {each} are {nodes * each:,} accelerators, and {value:,} are printed"
            for value in printed
            if value != nodes * each
        ]
    return reasons + _too_many_cables(row)


def _misprint(row: Row) -> int | None:
    """A number of accelerators that the notes of a row say is printed."""
    found = MISPRINT.search(row.text("notes"))
    return int(found[1].replace(",", "")) if found else None


def _too_many_cables(row: Row) -> list[str]:
    """Cables of nodes that the leaves have no ports for."""
    cables, leaves, down = (
        row.count(column) for column in ("cables_node_leaf", "num_leaf_switches", "leaf_down_ports")
    )
    if not (cables and leaves and down) or cables <= leaves * down:
        return []
    return [
        f"{cables:,} cables lead to nodes, and {leaves:,} leaves of {down} ports down take {leaves * down:,}"
    ]
