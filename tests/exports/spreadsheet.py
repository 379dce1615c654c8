"""A spreadsheet program small enough to trust: it computes the formulas of an exported workbook.

Unknown is not a number, "infinite" is infinity, and both spread as numpy has it.
"""

from __future__ import annotations

import io
import math
import re
from typing import Any

import numpy as np
from openpyxl import load_workbook

FUNCTIONS: dict[str, Any] = {
    "IF": lambda condition, then, other: then if condition else other,
    "IFERROR": lambda value, _: value if math.isfinite(value) else math.nan,  # "infinite" is text to Excel
    "NOT": lambda value: not value,
    "ISNUMBER": lambda value: not math.isnan(value),
    "MIN": min,
    "EXP": np.exp,
    "LN": np.log,
    "ROUNDUP": lambda value, _: np.ceil(value),
    "SUM": np.nansum,
    "COUNT": lambda values: np.count_nonzero(~np.isnan(values)),
    "ROWS": len,
}


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
        """The value of a cell, whose formula is computed anew."""
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
        python = re.sub(r"\b([A-Z])(\d+):\1(\d+)", r"cells_('\1', \2, \3)", python)
        python = re.sub(r"(?<!')\b([A-Z]\d+)\b(?!')", r"cell_('\1')", python)
        places = {name: self.named(name) for name in set(re.findall(r"\w+", python)) & self.names.keys()}
        here = {
            "cell_": lambda address: self.computed(sheet, address),
            "cells_": lambda column, first, last: np.array(
                [self.computed(sheet, f"{column}{row}") for row in range(first, last + 1)]
            ),
        }
        with np.errstate(all="ignore"):
            return number(eval(python, {"__builtins__": {}}, FUNCTIONS | here | places))


def number(value: Any) -> np.float64:
    """A cell's content as a number."""
    words = {"unknown": np.nan, "infinite": np.inf}
    return np.float64(words[value]) if isinstance(value, str) else np.float64(value)
