"""What differs between a file of cables and a design, as people read it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.fabric.cable_diff import CableDiff, Difference

KIND_WORDS = {
    "missing": "missing",
    "unexpected": "not designed",
    "wrong_port": "at a wrong port",
    "swapped": "swapped with another",
    "wrong_part": "of another part",
    "wrong_length": "of another length",
    "duplicate_port": "at a port that another row has",
}


def cable_diff_text(diff: CableDiff, most: int) -> str:
    """Counts, and the first differences."""
    counts = diff.counts
    lines = [
        f"{diff.file.rows:,} cables in the file, {diff.design.a.size:,} in the design, {diff.found.matched:,} at both ends the same."
    ]
    if diff.is_same:
        lines.append("Nothing differs.")
    lines += [f"{count:>9,}  {KIND_WORDS[kind]}" for kind, count in counts.items() if count]
    lines += [difference_text(one) for one in diff.differences(most)]
    if diff.found.count > most:
        lines.append(f"and {diff.found.count - most:,} more; --out FILE writes all.")
    if diff.file.unknown_columns:
        lines.append(f"Not read, as they are not known: columns {', '.join(diff.file.unknown_columns)}.")
    if diff.file.skipped_sheets:
        lines.append(f"Without the headings of cables: sheets {', '.join(diff.file.skipped_sheets)}.")
    return "\n".join(lines)


def difference_text(one: Difference) -> str:
    """One difference in a line."""
    sheet = f"{one.sheet}, " if one.sheet else ""
    place = f"{sheet}line {one.line}: " if one.line else ""
    other = f" (and line {one.other_line})" if one.other_line else ""
    words = KIND_WORDS[one.kind]
    if one.kind == "missing":
        return f"{words}: {one.designed}"
    if one.kind in ("unexpected", "duplicate_port"):
        return f"{place}{words}{other}: {one.listed}"
    return f"{place}{words}{other}: {one.listed}; designed: {one.designed}"


COLUMNS = ("kind", "sheet", "line", "other_line", "network", "designed", "listed")
ROWS = 1_000


def cable_diff_csv(diff: CableDiff) -> Iterator[bytes]:
    """Every difference, some at a time. Line 0 is of a cable that the file does not have."""
    yield ",".join(COLUMNS).encode() + b"\r\n"
    differences = diff.differences()
    while some := tuple(islice(differences, ROWS)):
        yield csv_bytes(some)
