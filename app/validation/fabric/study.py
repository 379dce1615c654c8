"""Published fabrics against the engine: counts of switches and cables."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from app.catalog.kinds.reference_architectures import ReferenceArchitecture
from app.catalog.lookup import Catalog
from app.paths import seed_data
from app.validation.fabric.counts import Computed, scale_out_counts, scale_up_counts
from app.validation.study import LeftOut, Prediction, Report, Row, Unsupported, UnsupportedRowError, read_rows

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


# `podwright validate fabric`: counts of published fabrics against the engine.


class Checked(NamedTuple):
    """A row with its counts, printed and computed."""

    row: Row
    printed: dict[str, int]
    computed: Computed
    mismatches: list[Mismatch]
    doubts: list[str]

    @property
    def exact(self) -> bool:
        """Whether every printed count comes out."""
        return not self.mismatches


@dataclass(frozen=True)
class FabricReport(Report):
    """A report that says of every row whether all its counts come out, and which cannot be right."""

    def as_text(self) -> str:
        counts = {"exact": self.extra["exact"]}
        lines = [Report(**{**self.__dict__, "extra": counts}).as_text()]
        for name, said in (("mismatches", _mismatch_line), ("flagged", _flag_line)):
            if self.extra[name]:
                lines += ["", name, *(said(one) for one in self.extra[name])]
        return "\n".join(lines)


def checked_rows(path: Path, catalog: Catalog) -> tuple[list[Checked], list[Unsupported], int]:
    """Every scored row that can be computed, those that cannot, and how many rows there are.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    checked, unsupported = [], []
    for row in rows:
        if row.scored:
            try:
                checked.append(_checked(row, catalog))
            except UnsupportedRowError as error:
                unsupported.append(Unsupported(row.key, str(error)))
    return checked, unsupported, len(rows)


def validate_fabric(path: Path, catalog: Catalog) -> FabricReport:
    """Compute every scored row of a file from its inputs. The error of a row is that of its worst count.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    checked, unsupported, rows = checked_rows(path, catalog)
    return FabricReport(
        kind="fabric",
        rows=rows,
        predictions=tuple(_prediction(one) for one in checked),
        unsupported=tuple(unsupported),
        constants={},
        extra={
            "exact": sum(one.exact for one in checked),
            "mismatches": [
                {"id": one.row.key, **mismatch._asdict()} for one in checked for mismatch in one.mismatches
            ],
            "flagged": [{"id": one.row.key, "reason": reason} for one in checked for reason in one.doubts],
        },
    )


def _checked(row: Row, catalog: Catalog) -> Checked:
    printed = printed_counts(row)
    scale_up = row.text("fabric").lower().startswith("scale-up")
    wired_torus = scale_up and "torus" in row.text("topology").lower()  # whose accelerators are a count
    if not (set(printed) - {ACCELERATORS}) and not (wired_torus and printed):
        raise UnsupportedRowError("prints no number of switches or cables")
    computed = scale_up_counts(row, catalog) if scale_up else scale_out_counts(row, catalog)
    if not any(value for name, value in printed.items() if name in computed.counts):
        raise UnsupportedRowError("none of the counts that it prints can be computed from its inputs")
    mismatches = mismatches_of(printed, computed.counts)
    return Checked(row, printed, computed, mismatches, reasons_for_doubt(row))


def _prediction(one: Checked) -> Prediction:
    """The printed count that is furthest off; the sum of all where only what should be nought is off."""
    pairs = [(value, one.computed.counts[name]) for name, value in _compared(one).items()]
    measured, predicted = max(
        (pair for pair in pairs if pair[0]), key=lambda pair: abs(pair[1] / pair[0] - 1)
    )
    if measured == predicted and not one.exact:
        measured, predicted = (sum(column) for column in zip(*pairs, strict=True))
    return Prediction(
        key=one.row.key,
        family=one.row.text("vendor") or "unnamed",
        groups={
            "fabric": one.row.text("fabric").split(" (")[0] or "unnamed",
            "confidence": one.row.text("confidence") or "unnamed",
        },
        measured=float(measured),
        predicted=float(predicted),
        assumed=one.computed.assumed,
    )


def _compared(one: Checked) -> dict[str, int]:
    """The printed counts that have a computed one beside them."""
    return {name: value for name, value in one.printed.items() if name in one.computed.counts}


def _mismatch_line(one: Mapping[str, Any]) -> str:
    computed = "not known" if one["computed"] is None else f"computed as {one['computed']:,}"
    return f"  {one['id']}: {one['column']} is printed as {one['printed']:,}, {computed}"


def _flag_line(one: Mapping[str, Any]) -> str:
    return f"  {one['id']}: {one['reason']}"


# Published fabrics of the catalog beside ours, count by count.


class PublishedFabrics(NamedTuple):
    checked: tuple[Checked, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def exact(self) -> int:
        """Fabrics of which every printed count comes out."""
        return sum(one.exact for one in self.checked)

    @property
    def flagged(self) -> int:
        """Fabrics that cannot be right as printed, or that nobody read in their source."""
        return sum(bool(one.doubts) for one in self.checked)


def published_fabrics(catalog: Catalog) -> PublishedFabrics:
    """Every fabric of the catalog's own file; computed once a catalog revision."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedFabrics:
    path = seed_data() / ReferenceArchitecture.file
    checked, unsupported, _ = checked_rows(path, catalog)
    rows = {row.key: row for row in read_rows(path, COLUMNS)}
    return PublishedFabrics(
        checked=tuple(checked), left_out=tuple(LeftOut(rows[one.id], one.reason) for one in unsupported)
    )
