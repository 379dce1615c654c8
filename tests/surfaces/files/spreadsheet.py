"""A spreadsheet program small enough to trust: it computes the formulas of an exported workbook.

Unknown is not a number, "infinite" is infinity, and both spread as numpy has it.
"""

from __future__ import annotations

import io
import math
import re
from typing import Any

import numpy as np
import numpy_financial as npf
from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

FUNCTIONS: dict[str, Any] = {
    "IF": lambda condition, then, other: then if condition else other,
    # "infinite" is text to Excel, and so is "unknown"
    "IFERROR": lambda value, _: value if not isinstance(value, str) and math.isfinite(value) else math.nan,
    "ABS": abs,
    "NOT": lambda value: not value,
    "ISNUMBER": lambda value: not math.isnan(value),
    "MIN": lambda *values: min(values) if len(values) > 1 else min(numbers_in(values[0]), default=0.0),
    "MAX": lambda *values: max(values) if len(values) > 1 else max(numbers_in(values[0]), default=0.0),
    "EXP": np.exp,
    "LN": np.log,
    "ROUNDUP": lambda value, _: np.ceil(value),
    "INT": np.floor,
    "SUM": np.nansum,
    "COUNT": lambda values: np.count_nonzero(~np.isnan(values)),
    "ROWS": len,
    "COLUMNS": len,
    "SUMPRODUCT": np.sum,
    "NPV": lambda rate, values: npf.npv(rate, [0.0, *values]),
    "IRR": lambda values: npf.irr(values) if np.isfinite(values).all() else math.nan,
    "PMT": npf.pmt,
}
CELL = r"\$?([A-Z]{1,2})\$?(\d+)"
NO_NUMBERS = {"unknown": np.nan, "infinite": np.inf, "none": np.nan, "never": np.nan}


def numbers_in(values: Any) -> Any:
    """The numbers of a range: words are passed over."""
    return values[~np.isnan(values)]


class Spreadsheet:
    """Cells by sheet and address ("B7"), or by their names."""

    def __init__(self, content: bytes) -> None:
        self.book = load_workbook(io.BytesIO(content))
        self.exported = load_workbook(io.BytesIO(content), data_only=True)
        self._computed: dict[tuple[str, str], np.float64] = {}
        self.names = {
            name: next(iter(defined.destinations)) for name, defined in self.book.defined_names.items()
        }

    def named(self, name: str) -> np.float64:
        """The value of a named cell."""
        sheet, address = self.names[name]
        return self.computed(sheet, address.replace("$", ""))

    def change(self, name: str, value: float) -> None:
        """Type a number into a named cell."""
        sheet, address = self.names[name]
        self.book[sheet][address.replace("$", "")].value = value
        self._computed.clear()

    def formulas(self) -> list[tuple[str, str]]:
        """Sheet and address of every formula."""
        return [
            (sheet.title, cell.coordinate)
            for sheet in self.book
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        ]

    def computed(self, sheet: str, address: str) -> np.float64:
        """The value of a cell, whose formula is computed again."""
        if (sheet, address) not in self._computed:
            cell = self.book[sheet][address]
            value = self._formula(sheet, cell.value) if cell.data_type == "f" else number(cell.value)
            self._computed[sheet, address] = value
        return self._computed[sheet, address]

    def as_exported(self, sheet: str, address: str) -> np.float64:
        """The value that was written beside the formula."""
        return number(self.exported[sheet][address].value)

    def _formula(self, sheet: str, text: str) -> np.float64:
        python = text.removeprefix("=").replace("^", "**")
        python = re.sub(r"(?<![<>=])=(?!=)", "==", python)
        python = re.sub(rf"{CELL}:{CELL}", r"cells_('\1', \2, '\3', \4)", python)
        python = re.sub(rf"(?<!\w){CELL}(?!\w)", r"cell_('\1\2')", python)
        places = {name: self.named(name) for name in set(re.findall(r"\w+", python)) & self.names.keys()}
        here = {
            "cell_": lambda address: self.computed(sheet, address),
            "cells_": lambda *ends: self._cells(sheet, "{}{}:{}{}".format(*ends)),
        }
        with np.errstate(all="ignore"):
            return number(eval(python, {"__builtins__": {}}, FUNCTIONS | here | places))

    def _cells(self, sheet: str, span: str) -> Any:
        """The cells of a row or a column; words among them are no numbers."""
        left, top, right, bottom = range_boundaries(span)
        places = self.book[sheet].iter_rows(top, bottom, left, right)
        return np.array(
            [self.computed(sheet, cell.coordinate) for row in places for cell in row], dtype=float
        )


def number(value: Any) -> Any:
    """A cell's content as a number; words that are choices, such as "real", stay."""
    if isinstance(value, str):
        return np.float64(NO_NUMBERS[value]) if value in NO_NUMBERS else value
    return np.float64(value)
