"""What a row states, told from its own columns; never from its id, and never from its published value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from app.catalog.lookup import Catalog
from app.validation.cost.stated import PLAIN, Stated, quantities_in, unit_of
from app.validation.rows import Row, UnsupportedRowError

READ = ("inputs", "subject", "check_formula")
"""Columns that quantities are read from, the first that has one. What was `recomputed` is never read."""


@dataclass(frozen=True)
class Statement:
    """One row, read."""

    row: Row

    def all(self, dimension: str) -> tuple[Stated, ...]:
        """Every quantity of a dimension, of the first column that has one."""
        for column in READ:
            found = tuple(one for one in self._stated[column] if one.dimension == dimension)
            if found:
                return found
        return ()

    def get(self, dimension: str) -> float | None:
        """The first quantity of a dimension, None where none is stated."""
        found = self.all(dimension)
        return found[0].value if found else None

    def inputs(self) -> tuple[Stated, ...]:
        """Every quantity of the inputs alone."""
        return self._stated["inputs"]

    @cached_property
    def _stated(self) -> dict[str, tuple[Stated, ...]]:
        """Quantities by column, without what only repeats the published value."""
        answer = self._answer
        return {
            column: tuple(
                one
                for one in quantities_in(self.row.text(column))
                if answer is None
                or one.dimension not in (answer[0], PLAIN)
                or not _same(one.value, answer[1])
            )
            for column in READ
        }

    @cached_property
    def _answer(self) -> tuple[str, float] | None:
        try:
            value, (dimension, factor) = self.row.number("published_value"), self.unit
        except UnsupportedRowError:
            return None
        return None if value is None else (dimension, value * factor)

    @cached_property
    def unit(self) -> tuple[str, float]:
        """Dimension of the published value, and its unit in the base unit.

        Raises
        ------
        UnsupportedRowError : the unit is none that costs are counted in
        """
        printed = self.row.text("unit")
        dimension, factor = unit_of(printed)
        if dimension == PLAIN:
            raise UnsupportedRowError(
                f"the unit {printed!r} is none of money, hours, energy, carbon or a ratio"
            )
        return dimension, factor

    def published(self) -> float:
        """The value as printed.

        Raises
        ------
        UnsupportedRowError : it is not one number above zero
        """
        value = self.row.number("published_value")
        if value is None:
            raise UnsupportedRowError("published_value is empty")
        if value <= 0:
            raise UnsupportedRowError(f"published_value is {value:g}, not above 0: it has no relative error")
        return value

    def says(self, pattern: str, *columns: str) -> bool:
        """Whether one of these columns matches; subject, unit, inputs and formula where none is named."""
        named = columns or ("subject", "unit", "inputs", "check_formula")
        return any(re.search(pattern, self.row.text(column), re.IGNORECASE) for column in named)

    @property
    def year(self) -> float | None:
        """The date of the row as a year with a fraction."""
        found = re.match(r"(\d{4})(?:-(\d{2}))?", self.row.text("date"))
        return None if found is None else int(found[1]) + ((int(found[2]) - 0.5) / 12 if found[2] else 0.5)


@dataclass(frozen=True)
class Asked:
    """A row with the other rows of its source, which may state terms that this one leaves out."""

    statement: Statement
    neighbours: tuple[Statement, ...]
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A figure in the base unit, how it came about in words, and what was taken for granted."""

    value: float
    arithmetic: str
    assumed: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * abs(other)
