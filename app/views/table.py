"""Tables: declared columns of text and of files, and how the values in them are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from app.charts.format import number as rounded_number
from app.charts.format import rounded, show

UNKNOWN = "unknown"
GAP = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of text.

    Parameters
    ----------
    value : of a row: the name of an attribute, or a function
    show : the value as text; None, which has no text, is an empty cell
    width : characters; negative aligns left, 0 takes the rest of the line after a gap
    """

    head: str
    value: str | Callable[[Any], Any]
    show: Callable[[Any], str] = str
    width: int = 0

    def cell(self, row: Any) -> str:
        value = attrgetter(self.value)(row) if isinstance(self.value, str) else self.value(row)
        return self.show(value)


class FileColumn(NamedTuple):
    """A column of a table in files: CSV and workbook.

    Parameters
    ----------
    path : of the value in a row, through attributes and members, with dots
    unit : of numbers; None for text
    width : in a workbook
    is_summed : whether sums of rows have it
    """

    title: str
    path: str
    unit: str | None = None
    width: float = 12.0
    is_summed: bool = False

    def of(self, row: Any) -> Any:
        """The value of a row."""
        for name in self.path.split("."):
            row = row[name] if isinstance(row, dict) else getattr(row, name)
        return row


def text_table(columns: Sequence[Column], rows: Iterable[Any], *, indent: str = "") -> list[str]:
    """The headings and a line a row.

    >>> of_words = (Column("Word", str, width=-8), Column("Letters", len, width=9))
    >>> text_table(of_words, ["rack", "leaf"])
    ['Word      Letters', 'rack            4', 'leaf            4']
    """
    return [
        text_line([column.head for column in columns], columns, indent=indent),
        *text_rows(columns, rows, indent=indent),
    ]


def text_rows(columns: Sequence[Column], rows: Iterable[Any], *, indent: str = "") -> list[str]:
    """A line a row, without headings."""
    return [text_line([column.cell(row) for column in columns], columns, indent=indent) for row in rows]


def text_line(cells: Sequence[str], columns: Sequence[Column], *, indent: str = "") -> str:
    """A line of cells in these columns; those that are left out at its end are empty."""
    line = "".join(_padded(cell, column.width) for cell, column in zip(cells, columns, strict=False))
    return f"{indent}{line}".rstrip()


def titled_line(title: str, row: Any, columns: Sequence[Column]) -> str:
    """A line of a row with a title in place of its first cell, such as a sum."""
    return text_line([title, *(column.cell(row) for column in columns[1:])], columns)


def _padded(cell: str, width: int) -> str:
    if width == 0:
        return f"{GAP}{cell}"
    return cell.ljust(-width) if width < 0 else cell.rjust(width)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: bool = False) -> list[str]:
    """Columns as wide as their longest cell; the first aligned left, the others right, or all left."""
    widths = [max(len(line[place]) for line in (heads, *rows)) for place in range(len(heads))]
    return [
        GAP.join(
            cell.ljust(width) if place == 0 or left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (heads, *rows)
    ]


def number(value: float | None, digits: int = 0, *, per: float = 1, unit: str = "") -> str:
    """A number with so many decimals, in multiples of something; unknown as such.

    >>> number(12_345.6, 1), number(12_345.6, per=1e3, unit=" kW"), number(float("nan"), unit=" kW")
    ('12,345.6', '12 kW', 'unknown')
    """
    return UNKNOWN if value is None or math.isnan(value) else f"{value / per:,.{digits}f}{unit}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share in percent; unknown as such."""
    return UNKNOWN if share is None or math.isnan(share) else f"{share:.{digits}%}"


def fixed(digits: int, *, per: float = 1, unit: str = "") -> Callable[[float | None], str]:
    """Shows numbers with so many decimals."""
    return lambda value: number(value, digits, per=per, unit=unit)


def percents(digits: int) -> Callable[[float | None], str]:
    """Shows shares in percent with so many decimals."""
    return lambda share: percent(share, digits)


def amount(value: float, unit: str, digits: int = 4) -> str:
    """So many significant digits of a value, in a unit that people use for it; unknown as such."""
    return UNKNOWN if math.isnan(value) else show(float(f"{value:.{digits}g}"), unit).text


def count(value: float) -> str:
    """Four significant digits; unknown as such."""
    if math.isnan(value):
        return UNKNOWN
    return rounded_number(value if math.isinf(value) else rounded(value, 4))


def time(seconds: float) -> str:
    """A time in the unit that people use for it."""
    return formatted(seconds, "s")


def formatted(value: float, unit: str) -> str:
    """A value in its unit; unknown as such."""
    return UNKNOWN if math.isnan(value) else show(value, unit).text


def usd(value: float) -> str:
    """Dollars to a tenth of a cent; unknown as such."""
    return number(value, 3)
