"""Cells of a CSV file, and text of people in them, which spreadsheets would take for a formula.

A quote before such a text makes it plain text there [1]. What is exported so is imported as it was:
`from_cell(to_cell(text)) == text` for every text.

[1] OWASP, CSV injection, https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from app.scenarios.errors import ScenarioError, refuse

QUOTE = "'"
FORMULA_SIGNS = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
)  # some take wide ones for the same


def csv_bytes(rows: Iterable[Iterable[Any]]) -> bytes:
    """Rows of values as comma-separated values (RFC 4180)."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([cell_of(value) for value in row] for row in rows)
    return text.getvalue().encode()


def cell_of(value: Any) -> str:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell.

    >>> [cell_of(value) for value in (0.1, 3, True, "=1+1", None, float("nan"))]
    ['0.1', '3', 'true', "'=1+1", '', '']
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return to_cell(value) if isinstance(value, str) else repr(value)


def to_cell(text: str) -> str:
    """Text that a spreadsheet shows and does not compute.

    >>> to_cell("=1+1"), to_cell("H100"), to_cell("'=1")
    ("'=1+1", 'H100', "''=1")
    """
    return f"{QUOTE}{text}" if _would_be_taken(text) else text


def from_cell(text: str) -> str:
    """The text that was put into a cell.

    >>> from_cell("'=1+1"), from_cell("H100"), from_cell("'tis")
    ('=1+1', 'H100', "'tis")
    """
    return text[1:] if text.startswith(QUOTE) and _would_be_taken(text[1:]) else text


def _would_be_taken(text: str) -> bool:
    """Return whether it begins like a formula, also behind blanks, or like one that was exported."""
    return text.lstrip(f" {QUOTE}").startswith(FORMULA_SIGNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookLimits:
    """The defaults suit tables of thousands of rows; reading one of that size takes a second or two."""

    most_bytes: int = 5_000_000
    most_entries: int = 500  # files inside the ZIP file that a workbook is
    most_unpacked_bytes: int = 30_000_000  # of its XML; pictures are never unpacked
    most_packing: int = 200  # times that one file may shrink; tables shrink 10 to 100 times
    most_sheets: int = 50
    most_rows: int = 20_000  # of one sheet, down to the last that is not blank
    most_columns: int = 200
    most_values: int = 200_000  # of one sheet
    most_cells: int = 5_000_000  # of one sheet, blank ones too: a small file can name a cell far outside
    longest_text: int = 32_767  # characters of one cell, as in Excel


DELIMITERS = ",;\t"


def decoded(content: bytes) -> str:
    """The text of a file.

    Raises
    ------
    ScenarioError : it is not UTF-8
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "Save it as CSV in UTF-8, or as an Excel workbook (.xlsx)."
        raise refuse("The file is not UTF-8 text.", rule="encoding", hint=hint, line=line) from None


def csv_rows(
    text: str, limits: WorkbookLimits, too_long: str = "Split it."
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows that are not blank, each with the number of its first line.

    Parameters
    ----------
    limits : of one sheet of a workbook; the heading line is not counted
    too_long : what to do about too many lines

    Raises
    ------
    ScenarioError : it holds too much, or is no CSV
    """
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start, rows, values = 1, 0, 0
    try:
        for cells in reader:
            if len(cells) > limits.most_columns:
                message = f"The file has {len(cells):,} columns; {limits.most_columns:,} are the most."
                raise _fault(message, "Delete those that are not needed.", start)
            if any(cell.strip() for cell in cells):
                rows += 1
                values += len(cells)
                if rows > limits.most_rows + 1:
                    raise _fault(f"The file has more than {limits.most_rows:,} lines.", too_long)
                if values > limits.most_values:
                    raise _fault(f"The file has more than {limits.most_values:,} values.", too_long)
                yield start, tuple(from_cell(cell.strip()) for cell in cells)
            start = reader.line_num + 1
    except csv.Error as error:
        hint = "Save it again as CSV in UTF-8; a quote inside a cell is written twice."
        raise refuse(f"The CSV cannot be read: {error}.", rule="csv", line=start, hint=hint) from None


def _fault(message: str, hint: str, line: int | None = None) -> ScenarioError:
    return refuse(message, rule="file", hint=hint, line=line)
