"""Rows of the catalog as CSV and as a workbook with a sheet a kind, in the columns that imports read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.own.cells import header_of, lines_of
from app.catalog.own.columns import own_columns, own_kinds
from app.scenarios.reading.spreadsheets.text import to_cell
from app.views.sheet import Book, Cell, Number, Text

CSV_TYPE = "text/csv; charset=utf-8"
UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same rows make the same file
WIDE, NARROW = 28.0, 14.0
WIDE_COLUMNS = frozenset({"key", "name", "model", "item", "source", "url", "notes", "note"})


def catalog_csv(catalog: Catalog, kind: str, *, own: bool) -> bytes:
    """The rows of a kind; with `own` only what the workspace says itself."""
    out = io.StringIO()
    header = header_of(kind)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    for line in _lines(catalog, kind, own=own):
        writer.writerow([_cell(line.get(name, "")) for name in header])
    return out.getvalue().encode()


def catalog_xlsx(catalog: Catalog, kinds: Sequence[str], *, own: bool) -> bytes:
    """The rows of several kinds; kinds of which there are none have no sheet."""
    book = Book(title="Podwright catalog", subject=f"Revision {catalog.revision}", created=UNDATED)
    tables = {kind: list(_lines(catalog, kind, own=own)) for kind in kinds}
    filled = {kind: lines for kind, lines in tables.items() if lines}
    for kind, lines in (filled or {kinds[0]: []}).items():  # a workbook needs a sheet
        _sheet(book, kind, lines)
    return book.content()


def catalog_lines(catalog: Catalog, kinds: Sequence[str], *, own: bool) -> list[dict[str, Any]]:
    """The same as plain values; cells that are empty are left out."""
    return [
        {"kind": kind, "lines": [{name: text for name, text in line.items() if text} for line in lines]}
        for kind in kinds
        if (lines := list(_lines(catalog, kind, own=own)))
    ]


def exported_kinds(kind: str) -> tuple[str, ...]:
    """The kind that was asked for, or all that tables can hold."""
    return (kind,) if kind else own_kinds()


def _lines(catalog: Catalog, kind: str, *, own: bool) -> Iterator[dict[str, str]]:
    for part in catalog.parts(kind):
        if part.own or not own:
            yield from lines_of(part, own=own)


def _sheet(book: Book, kind: str, lines: Iterable[dict[str, str]]) -> None:
    header = header_of(kind)
    figures = {name for column in own_columns(kind).figures for name in column.printed}
    sheet = book.sheet(kind, [WIDE if name in WIDE_COLUMNS else NARROW for name in header])
    numbers = [place for place, name in enumerate(header) if name in figures]
    sheet.header(*header, numbers=numbers, frozen=True)
    for line in lines:
        sheet.line(*(_typed(line.get(name, ""), name in figures) for name in header))


def _typed(text: str, is_figure: bool) -> Cell:
    if not text:
        return None
    number = _number(text) if is_figure else None
    return Text(text) if number is None else Number(number)


def _cell(text: str) -> str:
    """Text that no spreadsheet computes; a number may begin with a minus."""
    return text if _number(text) is not None else to_cell(text)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
