"""A workbook that somebody hands in: its sheets as rows of plain values, read within limits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from app.scenarios.errors import ScenarioError, shorten
from app.scenarios.reading.spreadsheets.limits import WorkbookLimits
from app.scenarios.reading.spreadsheets.unpacking import fault, unpacked, unreadable

Value = str | int | float | bool | date | datetime | time | timedelta | None

ZIP = b"PK\x03\x04"
EXCEL_ROWS = 1_048_576
INFINITE = float("inf")


class Row(NamedTuple):
    """`number` is that of the spreadsheet, from 1; blank cells at the end are left out."""

    number: int
    values: tuple[Value, ...]


class SafeWorkbook:
    """Values as they were last computed: a formula that no program has computed yet has none."""

    def __init__(self, book: Any, limits: WorkbookLimits) -> None:
        self._sheets = {sheet.title: sheet for sheet in book.worksheets}
        self._limits = limits

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of its sheets, in their order."""
        return tuple(self._sheets)

    def rows(self, sheet: str) -> Iterator[Row]:
        """The rows of a sheet that are not blank.

        Raises
        ------
        KeyError : there is no such sheet
        ScenarioError : it holds too much, or is damaged
        """
        found, count, cells = self._sheets[sheet], 0, 0
        found.reset_dimensions()  # the size that a sheet states may be any
        try:
            for number, row in enumerate(found.iter_rows(max_row=EXCEL_ROWS, values_only=True), 1):
                cells += len(row) + 1
                if not row:
                    continue
                values = _without_blank_end(row)
                count += sum(value is not None for value in values)
                self._check(sheet, number, values, count, cells)
                if values:
                    yield Row(number, values)
        except ScenarioError:
            raise
        except Exception as error:
            # A damaged sheet makes its reader fail in any way at all.
            raise unreadable() from error

    def _check(self, sheet: str, number: int, values: tuple[Value, ...], count: int, cells: int) -> None:
        limits, place = self._limits, f"Sheet {shorten(sheet)}"
        if values and number > limits.most_rows:
            raise fault(f"{place} has more than {limits.most_rows:,} rows.", "Split it.")
        if len(values) > limits.most_columns:
            raise fault(
                f"{place} has more than {limits.most_columns:,} columns, in row {number:,}.",
                "Delete those that are not needed.",
            )
        if count > limits.most_values:
            raise fault(f"{place} has more than {limits.most_values:,} values.", "Split it.")
        if cells > limits.most_cells:
            raise fault(
                f"{place} has more than {limits.most_cells:,} cells, most of them blank.",
                "Copy the table into a new workbook.",
            )
        for value in values:
            if isinstance(value, str) and len(value) > limits.longest_text:
                raise fault(
                    f"{place} has a text of more than {limits.longest_text:,} characters, in row {number:,}.",
                    "Shorten it.",
                )
            if isinstance(value, float) and not abs(value) < INFINITE:
                raise fault(
                    f"{place} has a number in row {number:,} that is too large.",
                    "Write it in a larger unit.",
                )


def open_workbook(content: bytes, limits: WorkbookLimits | None = None) -> SafeWorkbook:
    """A workbook in memory.

    Raises
    ------
    ScenarioError : it is no workbook, damaged, too large, or made to do harm
    """
    found = limits or WorkbookLimits()
    if not content.startswith(ZIP):
        raise fault(
            "The file is no Excel workbook.",
            "Save it as .xlsx; the older .xls is not read, and a CSV file needs its own ending.",
        )
    plain = unpacked(content, found)
    from openpyxl import load_workbook

    try:
        book = load_workbook(plain, read_only=True, data_only=True, keep_links=False)
    except Exception as error:
        # A damaged workbook makes its reader fail in any way at all.
        raise unreadable() from error
    if not book.worksheets:
        raise unreadable()
    if len(book.worksheets) > found.most_sheets:
        raise fault(
            f"The workbook has {len(book.worksheets):,} sheets; it may have {found.most_sheets:,}.",
            "Delete those that are not needed.",
        )
    return SafeWorkbook(book, found)


def _without_blank_end(row: tuple[Value, ...]) -> tuple[Value, ...]:
    end = len(row)
    while end and row[end - 1] is None:
        end -= 1
    return row[:end]
