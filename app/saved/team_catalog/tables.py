"""A file of catalog rows -> tables of text with the numbers of their lines: CSV, or a workbook with a sheet a kind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from app.saved.team_catalog.quote import is_quote, read_quote
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.reading.spreadsheets.text import WorkbookLimits, csv_rows, decoded
from app.scenarios.reading.spreadsheets.workbook import ZIP, Value, open_workbook

MOST_LINES = 5_000
MOST_BYTES = 1_000_000
LIMITS = WorkbookLimits(
    most_bytes=MOST_BYTES, most_unpacked_bytes=20_000_000, most_rows=MOST_LINES, most_sheets=40
)


class TextRow(NamedTuple):
    line: int
    cells: tuple[str, ...]


class TextTable(NamedTuple):
    """`name` is that of the sheet; the first row is the header."""

    name: str
    rows: tuple[TextRow, ...]


def read_tables(content: bytes, filename: str = "") -> tuple[TextTable, ...]:
    """The tables of a file.

    Raises
    ------
    ScenarioError : it is neither CSV nor a workbook, or too large
    """
    if len(content) > MOST_BYTES:
        raise _fault(f"The file has more than {MOST_BYTES:,} bytes.", "Split it.")
    if content.startswith(ZIP):
        return tuple(_of_workbook(content))
    text = decoded(content)
    if not text.strip():
        raise _fault("The file is empty.", "It needs a header line and a line for each row.")
    name = filename.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return (TextTable(name, tuple(TextRow(*row) for row in csv_rows(text, LIMITS))),)


def _of_workbook(content: bytes) -> Iterator[TextTable]:
    book = open_workbook(content, LIMITS)
    if is_quote(book.sheets):
        rows_of_quote = read_quote(content).rows
        yield TextTable(
            "prices", tuple(TextRow(line, row) for line, row in enumerate(rows_of_quote, start=1))
        )
        return
    for sheet in book.sheets:
        rows = (TextRow(row.number, tuple(_text(value) for value in row.values)) for row in book.rows(sheet))
        yield TextTable(sheet, tuple(row for row in rows if any(row.cells)))


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value).strip()


def _fault(message: str, hint: str) -> ScenarioError:
    return refuse(message, rule="file", hint=hint)
