"""The filters above a table: what may be chosen, what was, and the same in words.

What the reader of a catalog table asked for: search, filters, ranges, order and page.

Everything typed is kept as it was typed, also what cannot be used.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import eq
from typing import NamedTuple, TypeAlias
from urllib.parse import urlencode

from app.catalog.kinds import KINDS
from app.catalog.query import Condition, Order, Range, Selection
from app.likeness import most_like
from app.surfaces.pages.catalog.table import Rank, Row, Table
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
    """Name of a filter; a vendor is a provider or an organisation in some kinds."""
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
    for limits in ranges_of(table, query):
        if (limits.low or limits.high) and not limits.fault:
            said.append(limits_text(limits))
    return ", ".join(said)


def limits_text(field: RangeField) -> str:
    """A filter by number in words."""
    unit = f" {field.unit}" if field.unit else ""
    label = field.label if field.label[1:2].isupper() else field.label.lower()
    if field.low and field.high:
        return f"{label} {field.low} to {field.high}{unit}"
    return f"{label} {'from' if field.low else 'up to'} {field.low or field.high}{unit}"


ROWS_PER_PAGE = 50
LONGEST_SEARCH = 200
NAME, DATE = "name", "as_of"
ORDERS = ("asc", "desc")

Choices: TypeAlias = Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A request read. `faults` say what could not be used, by parameter."""

    raw: Mapping[str, str]
    words: tuple[str, ...] = ()
    facets: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""
    years: Range = field(default_factory=Range)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    page: int = 1
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def narrows(self) -> bool:
        """Return whether rows are left out."""
        return bool(self.words or self.facets or self.mark or self.ranges or self.years != Range())

    def link(self, path: str, **changes: str) -> str:
        """The same request with some parameters changed; "" takes one away."""
        values = {name: text for name, text in {**self.raw, **changes}.items() if text}
        return f"{path}?{urlencode(values)}" if values else path


def parameters_of(table: Table) -> tuple[str, ...]:
    """Names of the parameters a kind knows."""
    ranged = [f"{column.name}_{end}" for column in table.columns if column.scale for end in ("min", "max")]
    source = ("source",) if table.sourced else ()
    years = ("year_from", "year_to") if table.dated else ()
    return ("q", *table.view.facets, *source, *years, *ranged, "sort", "order", "page")


def read_query(table: Table, given: Iterable[tuple[str, str]], *, choices: Choices | None = None) -> Query:
    """A request for a table, with what could not be used said and left aside.

    Parameters
    ----------
    choices : parameters of the page that filter nothing, each with the words it may have
    """
    raw: dict[str, str] = {}
    faults: dict[str, str] = {}
    choices = choices or {}
    known = (*parameters_of(table), *choices)
    for name, text in given:
        if name not in known:
            near = most_like(name, known, 1, least=60)
            hint = f" The nearest is {near[0]}." if near else ""
            faults[name] = f"{_quoted(name)} is not something to filter {table.view.noun} by.{hint}"
        elif name in raw:
            faults[name] = f"{name} is given more than once; the first, {_quoted(raw[name])}, holds."
        else:
            raw[name] = text
    reader = _Reader(raw, faults)
    for name, words in choices.items():
        reader.one_of(name, set(words))
    columns = {column.name: column for column in table.columns}
    ranges = {
        name: found
        for name, column in columns.items()
        if column.scale
        and (found := reader.limits(f"{name}_min", f"{name}_max", column.scale.divisor)) != Range()
    }
    return Query(
        raw=raw,
        words=reader.words("q"),
        facets={
            name: word
            for name in table.view.facets
            if (word := reader.one_of(name, {row.facets[name] for row in table.rows}))
        },
        mark=reader.one_of("source", set(MARKS)),
        years=reader.limits("year_from", "year_to", 1.0),
        ranges=ranges,
        sort=reader.one_of("sort", {NAME, DATE, *columns}),
        descending=reader.one_of("order", set(ORDERS)) == "desc",
        page=reader.page("page"),
        faults=faults,
    )


class _Reader:
    """Reads parameters one by one and notes what cannot be used."""

    def __init__(self, raw: Mapping[str, str], faults: dict[str, str]) -> None:
        self._raw = raw
        self._faults = faults

    def words(self, name: str) -> tuple[str, ...]:
        text = self._raw.get(name, "")
        if len(text) > LONGEST_SEARCH:
            self._faults[name] = f"A search may have {LONGEST_SEARCH} characters; this one has {len(text):,}."
            return ()
        return tuple(text.lower().split())

    def one_of(self, name: str, choices: set[str]) -> str:
        text = self._raw.get(name, "")
        if not text or text in choices:
            return text
        near = most_like(text, sorted(choices - {""}), 1)
        hint = f" The nearest is {_quoted(near[0])}." if near else ""
        self._faults[name] = f"{label_of_field(name)} cannot be {_quoted(text)}.{hint}"
        return ""

    def limits(self, low: str, high: str, divisor: float) -> Range:
        found = Range(low=self._number(low, divisor), high=self._number(high, divisor))
        if found.low is not None and found.high is not None and found.low > found.high:
            self._faults[low] = (
                f"{self._raw[low]} to {self._raw[high]} is empty: the first is above the second."
            )
            return Range()
        return found

    def page(self, name: str) -> int:
        text = self._raw.get(name, "").strip()
        if not text:
            return 1
        if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) >= 1):
            self._faults[name] = f"A page is a number from 1; this was {_quoted(text)}."
            return 1
        return int(text)

    def _number(self, name: str, divisor: float) -> float | None:
        text = self._raw.get(name, "").strip()
        if not text:
            return None
        try:
            value = float(text.replace(",", "").replace("\u2212", "-")) * divisor
        except (ValueError, OverflowError):
            value = math.nan
        if not math.isfinite(value):
            self._faults[name] = f"{_quoted(text)} is not a number."
            return None
        return value


def select(table: Table, query: Query) -> list[Row]:
    """The rows asked for, all pages together, in the order asked for."""
    conditions = [
        *(Condition(partial(_facet, name), partial(eq, word)) for name, word in query.facets.items()),
        *(Condition(partial(_value, name), limits.holds) for name, limits in query.ranges.items()),
    ]
    if query.mark:
        conditions.append(Condition(_marks, lambda marks: query.mark in marks))
    if query.years != Range():
        conditions.append(Condition(_year, query.years.holds))
    selection = Selection(
        text=lambda row: row.words,
        words=query.words,
        conditions=tuple(conditions),
        order=Order(partial(_rank, query.sort), query.descending) if query.sort else None,
    )
    return selection.rows(table.rows)


def _facet(name: str, row: Row) -> str:
    return row.facets[name]


def _value(name: str, row: Row) -> float | None:
    return row.cells[name].value


def _marks(row: Row) -> Mapping[str, int]:
    return row.marks


def _year(row: Row) -> int | None:
    return row.year


def _rank(name: str, row: Row) -> Rank | None:
    if name == NAME:
        return row.name.casefold()
    if name == DATE:
        return row.date or None
    return row.cells[name].rank


def _quoted(text: str) -> str:
    printable = "".join(char if unicodedata.category(char)[0] != "C" else "\ufffd" for char in text)
    return f"“{printable[:60]}{'…' if len(printable) > 60 else ''}”"
