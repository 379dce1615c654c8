"""The table of years in a workbook: lines from the top down, a formula in every cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from xlsxwriter.utility import xl_col_to_name

from app.engine.trace import Array
from app.views.economics.cash_flow.inputs_sheet import finite_or_none
from app.views.economics.cash_flow.report import CashFlowAnswer
from app.views.sheet import Book, Formula, Sheet, Text

NAME = "Cash flow"
TOTAL = 1  # column
FIRST = 2  # column of year 0
FORMULA_WIDTH = 15.0


class Here(NamedTuple):
    """Where a formula stands: its column, the one before it, and the rows above it by name."""

    column: str
    before: str
    year: int
    rows: dict[str, int]

    def at(self, name: str) -> str:
        """Another line of this year."""
        return f"{self.column}{self.rows[name]}"

    def last(self, name: str) -> str:
        """A line of the year before."""
        return f"{self.before}{self.rows[name]}"

    def so_far(self, name: str, *, until: str = "") -> str:
        """A line from year 0 to this one."""
        row = self.rows[name]
        return f"{xl_col_to_name(FIRST)}{row}:{until or self.column}{row}"


class YearTable:
    """Writes lines from the top down; `last_year` is the last that the table has room for."""

    def __init__(self, book: Book, answer: CashFlowAnswer, last_year: int) -> None:
        self.answer = answer
        self.years: Array = np.arange(last_year + 1.0)
        self.rows: dict[str, int] = {}
        self.sheet: Sheet = book.sheet(NAME, (46, FORMULA_WIDTH, *([FORMULA_WIDTH] * (last_year + 1))))

    def line(
        self,
        name: str,
        label: str,
        formula: Callable[[Here], str],
        values: Sequence[float],
        *,
        unit: str = "USD",
        summed: bool = False,
        look: str = "number",
        none: str = "",
    ) -> None:
        """One line. `values` are those of the answer; later years hold what `formula` gives there."""
        row = self.sheet.row + 1  # as Excel counts
        self.rows[name] = row
        padded = [*values, *([0.0] * (self.years.size - len(values)))]
        cells = []
        for year, value in enumerate(padded):
            column, before = xl_col_to_name(FIRST + year), xl_col_to_name(FIRST + year - 1)
            shown = none if none and math.isnan(value) else finite_or_none(float(value))
            cells.append(Formula(f"={formula(Here(column, before, year, self.rows))}", shown, unit, look))
        across = f"{xl_col_to_name(FIRST)}{row}:{xl_col_to_name(FIRST + self.years.size - 1)}{row}"
        total = finite_or_none(float(np.sum(padded)))
        # A sum passes over words, so it would take what is unknown for nothing.
        whole = (
            f"=SUM({across})"
            if total is not None
            else f'=IF(COUNT({across})=COLUMNS({across}),SUM({across}),"unknown")'
        )
        self.sheet.line(
            Text(label, "total" if look == "total" else "text"),
            Formula(whole, total, unit, look) if summed else Text("", "text"),
            *cells,
        )

    def across(self, name: str, start: int = 0) -> str:
        """All years of a line, or those from `start`."""
        row = self.rows[name]
        return f"${xl_col_to_name(FIRST + start)}${row}:${xl_col_to_name(FIRST + self.years.size - 1)}${row}"

    def first(self, name: str) -> str:
        """Year 0 of a line."""
        return f"${xl_col_to_name(FIRST)}${self.rows[name]}"

    def column(self, name: str) -> list[float]:
        """A column of the answer."""
        return [float(getattr(year, name)) for year in self.answer.years]

    def head(self, words: str) -> None:
        """A heading above the lines that follow."""
        self.sheet.gap()
        self.sheet.heading(words, across=self.years.size + 2)
