"""The list of own rows as a page."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import NamedTuple

from app.catalog.own.review import Finding
from app.catalog.values import Part
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.table import name_of
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.catalog.words import age_of, label_of_field

FIELDS_SHOWN = 4


class OwnRow(NamedTuple):
    kind: str
    name: str
    key: str
    link: str
    over: bool
    states: str  # the fields that it states, in words
    source: str
    entered: str
    age_mark: str


class ShownFinding(NamedTuple):
    name: str
    link: str
    field: str
    words: str
    own: str
    builtin: str


class OwnPage(NamedTuple):
    rows: tuple[OwnRow, ...]
    findings: tuple[ShownFinding, ...]


def own_page(rows: Sequence[Part], findings: Sequence[Finding], today: datetime.date) -> OwnPage:
    """Everything that the page shows, in words."""
    return OwnPage(tuple(_row(part, today) for part in rows), tuple(_finding(found) for found in findings))


def _row(part: Part, today: datetime.date) -> OwnRow:
    own = [(field, fact) for field, fact in part.facts.items() if fact.own]
    fields = list(part.stated) or [field for field, _ in own]
    shown = ", ".join(label_of_field(field) for field in fields[:FIELDS_SHOWN])
    more = len(fields) - FIELDS_SHOWN
    price = next(
        (fact for field, fact in own if part.kind in ("prices", "rentals") and field == "value"), None
    )
    return OwnRow(
        kind=VIEWS[part.kind].tab,
        name=name_of(part),
        key=part.key,
        link=part_link(part.kind, part.key),
        over=part.is_override,
        states=f"{shown} and {more} more" if more > 0 else shown,
        source="; ".join(dict.fromkeys(fact.source for _, fact in own)) or part.source,
        entered=part.own.partition(", ")[2],
        age_mark=age_of(price.date, today).mark if price else "",
    )


def _finding(found: Finding) -> ShownFinding:
    dated = (f"{found.own} ({found.own_date})" if found.own_date else found.own) or ""
    theirs = f"{found.builtin} ({found.builtin_date})" if found.builtin_date else found.builtin
    return ShownFinding(
        name=found.name,
        link=part_link(found.kind, found.key),
        field=label_of_field(found.field) if found.field else "",
        words=found.words,
        own=dated,
        builtin=theirs,
    )
