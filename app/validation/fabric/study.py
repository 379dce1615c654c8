"""Published fabrics against the engine: counts of switches and cables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from app.catalog.kinds.reference_architectures import ReferenceArchitecture
from app.catalog.lookup import Catalog
from app.validation.fabric.counts import Computed, scale_out_counts, scale_up_counts
from app.validation.study import Checked, Compared, Prediction, Row, Study, UnsupportedRowError, one_by_one

# The counts that a published fabric prints, and whether they can be right.

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
    """Every count that the row prints, zero included.

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


# The study: the error of a row is that of its worst count.


class Counted(NamedTuple):
    """The counts of a row, printed and computed."""

    printed: dict[str, int]
    computed: Computed
    mismatches: list[Mismatch]
    doubts: list[str]

    @property
    def exact(self) -> bool:
        """Return whether every printed count comes out."""
        return not self.mismatches


def _checked(row: Row, catalog: Catalog) -> Checked[Counted]:
    printed = printed_counts(row)
    scale_up = row.text("fabric").lower().startswith("scale-up")
    wired_torus = scale_up and "torus" in row.text("topology").lower()  # whose accelerators are a count
    if not (set(printed) - {ACCELERATORS}) and not (wired_torus and printed):
        raise UnsupportedRowError("prints no number of switches or cables")
    computed = scale_up_counts(row, catalog) if scale_up else scale_out_counts(row, catalog)
    if not any(value for name, value in printed.items() if name in computed.counts):
        raise UnsupportedRowError("none of the counts that it prints can be computed from its inputs")
    mismatches = mismatches_of(printed, computed.counts)
    found = Counted(printed, computed, mismatches, reasons_for_doubt(row))
    return Checked(row, _prediction(row, found), found)


def _prediction(row: Row, found: Counted) -> Prediction:
    """The printed count that is furthest off; the sum of all where only what should be zero is off."""
    computed = found.computed.counts
    pairs = [(value, computed[name]) for name, value in found.printed.items() if name in computed]
    measured, predicted = max(
        (pair for pair in pairs if pair[0]), key=lambda pair: abs(pair[1] / pair[0] - 1)
    )
    if measured == predicted and not found.exact:
        measured, predicted = (sum(column) for column in zip(*pairs, strict=True))
    return Prediction(
        key=row.key,
        family=row.text("vendor") or "unnamed",
        groups={
            "fabric": row.text("fabric").split(" (")[0] or "unnamed",
            "confidence": row.text("confidence") or "unnamed",
        },
        measured=float(measured),
        predicted=float(predicted),
        assumed=found.computed.assumed,
    )


def _agreement(compared: Compared[Counted]) -> dict[str, Any]:
    return {
        "exact": sum(one.found.exact for one in compared.figures),
        "mismatches": [
            {"id": one.row.key, **count._asdict()}
            for one in compared.figures
            for count in one.found.mismatches
        ],
        "flagged": [
            {"id": one.row.key, "reason": reason} for one in compared.figures for reason in one.found.doubts
        ],
    }


def _disagreement(extra: Mapping[str, Any]) -> Iterator[str]:
    if extra["mismatches"]:
        yield from ("", "mismatches")
    for one in extra["mismatches"]:
        computed = "not known" if one["computed"] is None else f"computed as {one['computed']:,}"
        yield f"  {one['id']}: {one['column']} is printed as {one['printed']:,}, {computed}"
    if extra["flagged"]:
        yield from ("", "flagged", *(f"  {one['id']}: {one['reason']}" for one in extra["flagged"]))


FABRIC = Study(
    kind="fabric",
    file=ReferenceArchitecture.file,
    columns=COLUMNS,
    predict=one_by_one(_checked),
    extra=_agreement,
    counts=("exact",),
    more=_disagreement,
)
