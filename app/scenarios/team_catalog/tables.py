"""A file of catalog rows -> tables of text with the numbers of their lines: CSV, or a workbook with a sheet a kind."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.spreadsheets.limits import WorkbookLimits
from app.scenarios.spreadsheets.text import from_cell
from app.scenarios.spreadsheets.workbook import ZIP, Value, open_workbook

MOST_LINES = 5_000
MOST_BYTES = 1_000_000
LIMITS = WorkbookLimits(
    most_bytes=MOST_BYTES, most_unpacked_bytes=20_000_000, most_rows=MOST_LINES, most_sheets=40
)
DELIMITERS = ",;\t"


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
    text = _decoded(content)
    if not text.strip():
        raise _fault("The file is empty.", "It needs a header line and a line for each row.")
    name = filename.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return (TextTable(name, tuple(_of_csv(text))),)


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "Save it as CSV in UTF-8, or as an Excel workbook (.xlsx)."
        raise refuse("The file is not UTF-8 text.", rule="encoding", hint=hint, line=line) from None


def _of_workbook(content: bytes) -> Iterator[TextTable]:
    book = open_workbook(content, LIMITS)
    for sheet in book.sheets:
        rows = (TextRow(row.number, tuple(_text(value) for value in row.values)) for row in book.rows(sheet))
        yield TextTable(sheet, tuple(row for row in rows if any(row.cells)))


def _of_csv(text: str) -> Iterator[TextRow]:
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start, count = 1, 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                count += 1
                if count > MOST_LINES + 1:
                    raise _fault(f"The file has more than {MOST_LINES:,} lines.", "Split it.")
                yield TextRow(start, tuple(from_cell(cell.strip()) for cell in cells))
            start = reader.line_num + 1
    except csv.Error as error:
        hint = "Save it anew as CSV in UTF-8; a quote inside a cell is written twice."
        raise refuse(f"The CSV cannot be read: {error}.", rule="csv", line=start, hint=hint) from None


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
