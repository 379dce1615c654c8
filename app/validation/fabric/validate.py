"""`podwright validate fabric`: counts of published fabrics against the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.validation.fabric.printed import (
    ACCELERATORS,
    COLUMNS,
    Mismatch,
    mismatches_of,
    printed_counts,
    reasons_for_doubt,
)
from app.validation.fabric.scale_out import Computed, scale_out_counts
from app.validation.fabric.scale_up import scale_up_counts
from app.validation.report import Report
from app.validation.rows import Row, UnsupportedRowError, read_rows
from app.validation.statistics import Prediction, Unsupported


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
