"""What a workbook that somebody hands in may hold at most."""

from __future__ import annotations

from dataclasses import dataclass


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
