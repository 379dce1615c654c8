"""The table of a kind as a page: its filters, its rows, and the ways on."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.own.columns import NOT_OWN
from app.surfaces.pages.catalog.filters import (
    DATE,
    NAME,
    ROWS_PER_PAGE,
    Choice,
    Query,
    RangeField,
    asked_in_words,
    choices_of,
    ranges_of,
    select,
)
from app.surfaces.pages.catalog.kinds import KindView
from app.surfaces.pages.catalog.table import Row, Table, table_of
from app.surfaces.pages.catalog.tabs import Tab, part_link, tabs
from app.surfaces.pages.catalog.words import SHORT_MARKS, age_of, date_text


class Header(NamedTuple):
    label: str
    unit: str
    numeric: bool
    link: str
    order: str  # aria-sort, "" where the table is not sorted by it


class Mark(NamedTuple):
    kind: str
    values: int
    text: str


class ShownRow(NamedTuple):
    link: str
    name: str
    beside: str
    cells: tuple[tuple[str, bool], ...]  # text, numeric
    marks: tuple[Mark, ...]
    recalled: str  # how far the row rests on memory, when half of it or more does
    date: str
    price_mark: str  # stale, undated or nothing
    price_age: str
    own: str


class Browse(NamedTuple):
    view: KindView
    tabs: tuple[Tab, ...]
    search: str
    choices: tuple[Choice, ...]
    ranges: tuple[RangeField, ...]
    ranges_used: int
    kept: tuple[tuple[str, str], ...]  # parameters the form sends on unseen
    faults: tuple[str, ...]
    headers: tuple[Header, ...]
    rows: tuple[ShownRow, ...]
    found: int
    count_text: str
    asked: str  # what was searched, in words
    narrows: bool
    clear: str
    near: tuple[tuple[str, str], ...]  # name and link of rows most like the search
    previous: str
    following: str
    page: int
    pages: int
    sourced: bool
    single: bool
    may_be_own: bool  # whether a workspace can have rows of this kind


def browse(catalog: Catalog, kind: str, query: Query, *, today: datetime.date) -> Browse:
    """Everything the table of a kind shows, in words."""
    table = table_of(catalog, kind)
    path = f"/catalog/{kind}"
    rows = select(table, query)
    pages = max(1, -(-len(rows) // ROWS_PER_PAGE))
    faults = dict(query.faults)
    if query.page > pages:
        faults["page"] = f"There is no page {query.page:,}; the last is {pages}."
    page = min(query.page, pages)
    start = (page - 1) * ROWS_PER_PAGE
    shown = rows[start : start + ROWS_PER_PAGE]
    ranges = ranges_of(table, query)
    near = catalog.nearest(kind, query.raw["q"][:100]) if not rows and query.words else []
    return Browse(
        view=table.view,
        tabs=tabs(catalog, kind),
        search=query.raw.get("q", ""),
        choices=choices_of(table, query),
        ranges=ranges,
        ranges_used=sum(bool(field.low or field.high) for field in ranges),
        kept=tuple((name, query.raw[name]) for name in ("sort", "order") if query.raw.get(name)),
        faults=tuple(faults.values()),
        headers=headers_of(table, query, path),
        rows=tuple(_row(table, row, today) for row in shown),
        found=len(rows),
        count_text=_count_text(table, len(rows), start, len(shown)),
        asked=asked_in_words(table, query),
        narrows=query.narrows,
        clear=path,
        near=tuple((catalog.part(kind, key).name, part_link(kind, key)) for key in near),
        previous=query.link(path, page=str(page - 1) if page > 2 else "") if page > 1 else "",
        following=query.link(path, page=str(page + 1)) if page < pages else "",
        page=page,
        pages=pages,
        sourced=table.sourced,
        single=table.single,
        may_be_own=kind not in NOT_OWN,
    )


def headers_of(table: Table, query: Query, path: str) -> tuple[Header, ...]:
    """The columns of a table, each with the address that sorts by it."""
    columns = [(NAME, table.view.row, "", False)]
    columns += [(column.name, column.label, column.unit, column.numeric) for column in table.columns]
    headers = [_header(*column, query, path) for column in columns]
    if table.sourced:
        headers.append(Header("Source kind" if table.single else "Values by source", "", False, "", ""))
        headers.append(_header(DATE, "As of", "", True, query, path))
    return tuple(headers)


def _header(name: str, label: str, unit: str, numeric: bool, query: Query, path: str) -> Header:
    """A number is sorted from the largest first, a word from A; asked again, the other way round."""
    current = query.sort == name
    downward = not query.descending if current else numeric
    sorted_by = ("descending" if query.descending else "ascending") if current else ""
    return Header(
        label,
        unit,
        numeric,
        query.link(path, sort=name, order="desc" if downward else "", page=""),
        sorted_by,
    )


def _row(table: Table, row: Row, today: datetime.date) -> ShownRow:
    age = age_of(row.price_date, today) if row.price_date is not None else None
    return ShownRow(
        link=part_link(table.view.kind, row.key),
        name=row.name,
        beside=row.beside,
        cells=tuple((row.cells[column.name].text, column.numeric) for column in table.columns),
        marks=tuple(Mark(kind, count, SHORT_MARKS[kind]) for kind, count in row.marks.items()),
        recalled=_recalled(row),
        date=date_text(row.date),
        price_mark=age.mark if age else "",
        price_age=age.text if age else "",
        own=row.own,
    )


def _recalled(row: Row) -> str:
    """Said only where it is the rule of the row; single values say it on the row's own page."""
    values = sum(row.marks.values())
    if not row.recalled or 2 * row.recalled < values:
        return ""
    return "unverified" if row.recalled == values else "mostly unverified"


def _count_text(table: Table, found: int, start: int, shown: int) -> str:
    noun = table.view.noun
    everything = len(table.rows)
    if found > shown:
        return f"{start + 1:,} to {start + shown:,} of {found:,} {noun}"
    return f"{found:,} {noun}" if found == everything else f"{found:,} of {everything:,} {noun}"
