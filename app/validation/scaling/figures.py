"""What a row states: letters with numbers, such as N=6.34e9 D=242e9, and sizes in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array
from app.validation.rows import Row, UnsupportedRowError

STATED = re.compile(r"([A-Za-z]+)=([-+0-9.eE]+)")
PRODUCT = re.compile(r"([0-9.]+)B x ([0-9.]+)T")
COLUMNS = ("law", "case", "quantity", "published")


@dataclass(frozen=True)
class Figures:
    """One row, read."""

    row: Row

    @property
    def law(self) -> str:
        return self.row.text("law")

    @property
    def what(self) -> str:
        """Case and quantity, by which a row is told from the others of its law."""
        return f"{self.row.text('case')} | {self.row.text('quantity')}"

    def given(self, letter: str) -> Array:
        """A number of the column `input`, which may stand in `case` too.

        Raises
        ------
        UnsupportedRowError : it is not stated
        """
        for column in ("input", "case"):
            for name, number in STATED.findall(self.row.text(column)):
                if name == letter:
                    return np.array([_number(number)])
        raise UnsupportedRowError(f"{letter} is not given in the column input")

    @property
    def product(self) -> tuple[Array, Array]:
        """Parameters and tokens of an input such as 402B x 16.55T.

        Raises
        ------
        UnsupportedRowError : it is not stated
        """
        found = PRODUCT.search(self.row.text("input"))
        if not found:
            raise UnsupportedRowError("parameters and tokens are not given, such as 402B x 16.55T")
        return np.array([_number(found[1]) * 1e9]), np.array([_number(found[2]) * 1e12])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnsupportedRowError(f"{text!r} is not a number") from None
