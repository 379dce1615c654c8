"""Cells of a CSV file, and text of people in them, which spreadsheets would take for a formula.

A quote before such a text makes it plain text there [1]. What is exported so is imported as it was:
`from_cell(to_cell(text)) == text` for every text.

[1] OWASP, CSV injection, https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable
from typing import Any

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
