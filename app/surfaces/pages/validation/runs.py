"""All measurements asked for as a table, a page at a time."""

from __future__ import annotations

from typing import NamedTuple

from app.surfaces.pages.catalog.browse import Header, headers_of
from app.surfaces.pages.catalog.query import ROWS_PER_PAGE
from app.surfaces.pages.validation.asked import (
    BASIS,
    Asked,
    Filters,
    Switch,
    asked_text,
    count_text,
    filters,
    switches,
)


class ShownRun(NamedTuple):
    link: str
    name: str
    beside: str
    cells: tuple[tuple[str, bool], ...]  # text, numeric


class Runs(NamedTuple):
    kind: str
    title: str
    noun: str
    unit: str
    action: str  # address of the page
    switches: tuple[Switch, ...]
    filters: Filters
    faults: tuple[str, ...]
    basis_says: str
    headers: tuple[Header, ...]
    rows: tuple[ShownRun, ...]
    count_text: str
    asked: str
    narrows: bool
    clear: str
    overview: str
    previous: str
    following: str
    page: int
    pages: int


def runs_page(asked: Asked) -> Runs:
    """Everything the page shows, in words."""
    query, found, path = asked.query, asked.found, asked.subject.rows
    pages = max(1, -(-len(found) // ROWS_PER_PAGE))
    page = min(query.page, pages)
    faults = dict(query.faults)
    if query.page > pages:
        faults["page"] = f"There is no page {query.page:,}; the last is {pages}."
    start = (page - 1) * ROWS_PER_PAGE
    shown = found[start : start + ROWS_PER_PAGE]
    return Runs(
        kind=asked.subject.kind,
        title=asked.subject.title,
        noun=asked.subject.noun,
        unit=asked.subject.unit,
        action=path,
        switches=switches(asked, path),
        filters=filters(asked, kept=(BASIS, "sort", "order")),
        faults=tuple(faults.values()),
        basis_says=f"Each is predicted {asked.basis.says}.",
        headers=headers_of(asked.table, query, path),
        rows=_rows(asked, [one.run.id for one in shown]),
        count_text=_count_text(asked, start, len(shown)),
        asked=asked_text(asked),
        narrows=query.narrows,
        clear=asked.without_filters(path),
        overview=asked.link(asked.subject.overview),
        previous=query.link(path, page=str(page - 1) if page > 2 else "") if page > 1 else "",
        following=query.link(path, page=str(page + 1)) if page < pages else "",
        page=page,
        pages=pages,
    )


def _count_text(asked: Asked, start: int, shown: int) -> str:
    found = len(asked.found)
    return (
        f"{start + 1:,} to {start + shown:,} of {found:,} {asked.subject.noun}"
        if shown < found
        else count_text(asked)
    )


def _rows(asked: Asked, keys: list[str]) -> tuple[ShownRun, ...]:
    rows = {row.key: row for row in asked.table.rows}
    return tuple(
        ShownRun(
            link=asked.link(f"{asked.subject.rows}/{key}"),
            name=rows[key].name,
            beside=rows[key].beside,
            cells=tuple(
                (rows[key].cells[column.name].text, column.numeric) for column in asked.table.columns
            ),
        )
        for key in keys
    )
