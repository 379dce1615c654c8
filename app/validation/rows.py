"""Rows of a validation file: CSV with a header, one measurement a row."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.scenarios.reading.spreadsheets.text import from_cell

MOST_ROWS = 200_000


class ValidationFileError(ValueError):
    """The file cannot be read as measurements; the message says where and what would do."""


class UnsupportedRowError(ValueError):
    """A row that cannot be predicted; the message is the reason."""


@dataclass(frozen=True)
class Row:
    """One measurement: its cells by column."""

    key: str
    cells: dict[str, str]

    @property
    def scored(self) -> bool:
        """A missing column, or an empty cell, means yes."""
        return self.cells.get("scored", "").lower() not in ("no", "false", "0")

    @property
    def family(self) -> str:
        """The source that a row belongs to: its id up to the dash, else the source it names."""
        prefix, dash, _ = self.key.partition("-")
        return prefix if dash else self.text("source") or "unnamed"

    def text(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    def number(self, column: str) -> float | None:
        """A cell as a number, None where it is empty.

        Raises
        ------
        UnsupportedRowError : the cell holds something else
        """
        text = self.text(column).replace(",", "")
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            raise UnsupportedRowError(f"{column} is {text!r}, not a number") from None
        if not math.isfinite(value):
            raise UnsupportedRowError(f"{column} is {text!r}, not finite")
        return value

    def count(self, column: str) -> int | None:
        """A cell as a whole number of at least one, None where it is empty or zero."""
        value = self.number(column)
        if value is None or value == 0:
            return None
        if value < 0 or value != int(value):
            raise UnsupportedRowError(f"{column} is {value:g}, not a whole number")
        return int(value)

    def needed(self, column: str) -> int:
        """A whole number that nothing else says.

        Raises
        ------
        UnsupportedRowError : the cell is empty
        """
        value = self.count(column)
        if value is None:
            raise UnsupportedRowError(f"{column} is not given")
        return value


def read_rows(path: Path, columns: tuple[str, ...]) -> tuple[Row, ...]:
    """Every row of a file that has at least these columns; `id`, else `key`, else the number names a row.

    Raises
    ------
    ValidationFileError : the file is missing, is no text, lacks columns or has too many rows
    """
    reader = _reader(path)
    missing = [column for column in columns if column not in (reader.fieldnames or ())]
    if missing:
        raise ValidationFileError(
            f"{path} has no column {' and no column '.join(missing)}; a file of this kind needs {', '.join(columns)}"
        )
    try:
        return tuple(_rows(reader, path))
    except csv.Error as error:
        raise ValidationFileError(f"{path}, line {reader.line_num}: {error}") from None


def columns_of(path: Path) -> tuple[str, ...]:
    """The columns of a file, none where it is empty.

    Raises
    ------
    ValidationFileError : the file is missing or is no text
    """
    try:
        return tuple(_reader(path).fieldnames or ())
    except csv.Error as error:
        raise ValidationFileError(f"{path}, line 1: {error}") from None


def _reader(path: Path) -> csv.DictReader[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValidationFileError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValidationFileError(f"{path} is not UTF-8 text: byte {error.start:,} cannot be read") from None
    return csv.DictReader(text.splitlines(keepends=True), strict=True)


def _rows(reader: csv.DictReader[str], path: Path) -> Iterator[Row]:
    for number, cells in enumerate(reader, start=1):
        if number > MOST_ROWS:
            raise ValidationFileError(f"{path} has more than {MOST_ROWS:,} rows")
        kept = {name: from_cell(value or "") for name, value in cells.items() if isinstance(name, str)}
        yield Row(key=kept.get("id") or kept.get("key") or str(number), cells=kept)
