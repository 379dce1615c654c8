"""The filters above a table: what may be chosen, what was, and the same in words."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from app.catalog.kinds import KINDS
from app.surfaces.pages.catalog.query import Query
from app.surfaces.pages.catalog.table import Table
from app.surfaces.pages.catalog.words import MARKS, label_of_field, word_of


class Option(NamedTuple):
    value: str
    label: str
    chosen: bool


class Choice(NamedTuple):
    """A filter by one of a few words."""

    name: str
    label: str
    options: tuple[Option, ...]
    chosen: str


class RangeField(NamedTuple):
    """A filter by number, as it was typed."""

    low_name: str
    high_name: str
    label: str
    unit: str
    low: str
    high: str
    fault: bool


def facet_label(kind: str, name: str) -> str:
    """What a filter is called; a vendor is a provider or an organisation in some kinds."""
    return label_of_field(KINDS[kind].vendor_field or name) if name == "vendor" else label_of_field(name)


def choices_of(table: Table, query: Query) -> tuple[Choice, ...]:
    found = []
    for name in table.view.facets:
        counts = Counter(row.facets[name] for row in table.rows if row.facets[name])
        chosen = query.raw.get(name, "")
        options = [
            Option(word, f"{word_of(word)} ({counts[word]})", word == chosen)
            for word in sorted(counts, key=str.casefold)
        ]
        found.append(_choice(name, facet_label(table.view.kind, name), options, chosen))
    if table.sourced:
        chosen = query.raw.get("source", "")
        options = [Option(mark, text, mark == chosen) for mark, text in MARKS.items()]
        found.append(_choice("source", "Source kind", options, chosen))
    return tuple(found)


def _choice(name: str, label: str, options: list[Option], chosen: str) -> Choice:
    if chosen and not any(option.chosen for option in options):
        options.append(Option(chosen, f"{chosen[:40]} (unknown)", True))  # what was asked for stays
    return Choice(name, label, tuple(options), chosen)


def ranges_of(table: Table, query: Query) -> tuple[RangeField, ...]:
    """The filters by number that a table has, as they were typed."""
    fields = [(column.name, column.label, column.unit) for column in table.columns if column.scale]
    found = [_range(f"{name}_min", f"{name}_max", label, unit, query) for name, label, unit in fields]
    if table.dated:
        found.insert(0, _range("year_from", "year_to", "Year", "", query))
    return tuple(found)


def _range(low: str, high: str, label: str, unit: str, query: Query) -> RangeField:
    fault = low in query.faults or high in query.faults
    return RangeField(low, high, label, unit, query.raw.get(low, ""), query.raw.get(high, ""), fault)


def asked_in_words(table: Table, query: Query) -> str:
    """What the table was narrowed to, in words."""
    said = [f"“{query.raw['q'].strip()}”"] if query.words else []
    said += [
        f"{facet_label(table.view.kind, name).lower()} {word_of(word)}" for name, word in query.facets.items()
    ]
    if query.mark:
        said.append(f"a value that is {MARKS[query.mark].lower()}")
    for field in ranges_of(table, query):
        if (field.low or field.high) and not field.fault:
            said.append(limits_text(field))
    return ", ".join(said)


def limits_text(field: RangeField) -> str:
    """A filter by number in words."""
    unit = f" {field.unit}" if field.unit else ""
    label = field.label if field.label[1:2].isupper() else field.label.lower()
    if field.low and field.high:
        return f"{label} {field.low} to {field.high}{unit}"
    return f"{label} {'from' if field.low else 'up to'} {field.low or field.high}{unit}"
