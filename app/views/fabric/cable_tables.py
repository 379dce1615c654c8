"""A file of cables as tables: CSV, or a workbook with any number of sheets, read within limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.scenarios.errors import refuse, shorten
from app.scenarios.reading.spreadsheets.csv_text import csv_rows, decoded
from app.scenarios.reading.spreadsheets.limits import WorkbookLimits
from app.scenarios.reading.spreadsheets.workbook import ZIP, Value, open_workbook

MOST_BYTES = 50_000_000
MOST_ROWS = 500_000
LIMITS = WorkbookLimits(
    most_bytes=10_000_000,
    most_unpacked_bytes=100_000_000,
    most_rows=60_000,  # takes ten seconds; CSV of that size takes one
    most_values=1_000_000,
)
CSV_LIMITS = replace(LIMITS, most_rows=MOST_ROWS, most_values=20 * MOST_ROWS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CableTable:
    """Rows with the numbers of their lines; `name` is that of the sheet."""

    name: str
    rows: Iterator[tuple[int, Sequence[Value]]]


def cable_file_content(path: Path) -> bytes:
    """Content of a file, up to just above the size limit.

    Raises
    ------
    ScenarioError : it cannot be read
    """
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise refuse(
            f"{shorten(str(path))} cannot be read: {error.strerror or error}.",
            rule="file",
            value=str(path),
            hint="Name a CSV file or an Excel workbook (.xlsx).",
        ) from None


def cable_tables(content: bytes) -> Iterator[CableTable]:
    """The tables of a CSV file or a workbook.

    Raises
    ------
    ScenarioError : it is neither, or too large
    """
    if len(content) > MOST_BYTES:
        raise refuse(
            f"The file has more than {MOST_BYTES:,} bytes.",
            rule="file",
            hint="Compare it network by network.",
        )
    if content.startswith(ZIP):
        book = open_workbook(content, LIMITS)
        for sheet in book.sheets:
            yield CableTable(name=sheet, rows=((row.number, row.values) for row in book.rows(sheet)))
        return
    text = decoded(content)
    if not text.strip():
        raise refuse(
            "The file is empty.", rule="file", hint="It needs a heading line and a line for each cable."
        )
    yield CableTable(name="", rows=csv_rows(text, CSV_LIMITS, "Compare it network by network."))
