"""What the reader of a catalog table asked for: search, filters, ranges, order and page.

Everything typed is kept as it was typed, also what cannot be used.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from rapidfuzz import fuzz, process

from app.web.catalog_table import Rank, Row, Table
from app.web.catalog_words import MARKS, label_of_field

ROWS_PER_PAGE = 50
LONGEST_SEARCH = 200
NAME, DATE = "name", "as_of"
ORDERS = ("asc", "desc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Limits in SI, None where there is none."""

    low: float | None = None
    high: float | None = None

    def holds(self, value: float | None) -> bool:
        """Whether a value lies within; one that is not published does not."""
        if value is None:
            return False
        above = self.low is None or value >= self.low or math.isclose(value, self.low)
        return above and (self.high is None or value <= self.high or math.isclose(value, self.high))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A request read. `faults` say what could not be used, by parameter."""

    raw: Mapping[str, str]
    words: tuple[str, ...] = ()
    facets: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""
    years: Range = Range()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    page: int = 1
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def narrows(self) -> bool:
        """Whether rows are left out."""
        return bool(self.words or self.facets or self.mark or self.ranges or self.years != Range())

    def link(self, path: str, **changes: str) -> str:
        """The same request with some parameters changed; "" takes one away."""
        values = {name: text for name, text in {**self.raw, **changes}.items() if text}
        return f"{path}?{urlencode(values)}" if values else path


def parameters_of(table: Table) -> tuple[str, ...]:
    """Names of the parameters a kind knows."""
    ranged = [f"{column.name}_{end}" for column in table.columns if column.scale for end in ("min", "max")]
    return ("q", *table.view.facets, "source", "year_from", "year_to", *ranged, "sort", "order", "page")


def read_query(table: Table, given: Iterable[tuple[str, str]]) -> Query:
    """A request for a table, with what could not be used said and left aside."""
    raw: dict[str, str] = {}
    faults: dict[str, str] = {}
    known = parameters_of(table)
    for name, text in given:
        if name not in known:
            near = process.extractOne(name, known, scorer=fuzz.WRatio, processor=str.lower)
            hint = f" The nearest is {near[0]}." if near and near[1] >= 60 else ""
            faults[name] = f"{_quoted(name)} is not something to filter {table.view.noun} by.{hint}"
        elif name in raw:
            faults[name] = f"{name} is given more than once; the first, {_quoted(raw[name])}, holds."
        else:
            raw[name] = text
    reader = _Reader(raw, faults)
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
        near = process.extractOne(
            text[:LONGEST_SEARCH], sorted(choices - {""}), scorer=fuzz.WRatio, processor=str.lower
        )
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


def select(table: Table, query: Query) -> tuple[Row, ...]:
    """The rows asked for, all pages together, in the order asked for."""
    rows = [row for row in table.rows if _matches(row, query)]
    if not query.sort:
        return tuple(rows)
    known = [(rank, row) for row in rows if (rank := _rank(row, query.sort)) is not None]
    unknown = [row for row in rows if _rank(row, query.sort) is None]
    # what is not published stays last, whichever way the rest is sorted
    known.sort(key=lambda pair: pair[0], reverse=query.descending)
    return (*(row for _, row in known), *unknown)


def _matches(row: Row, query: Query) -> bool:
    return (
        all(word in row.words for word in query.words)
        and all(row.facets[name] == word for name, word in query.facets.items())
        and (not query.mark or query.mark in row.marks)
        and (query.years == Range() or query.years.holds(row.year))
        and all(limits.holds(row.cells[name].value) for name, limits in query.ranges.items())
    )


def _rank(row: Row, name: str) -> Rank | None:
    if name == NAME:
        return row.name.casefold()
    if name == DATE:
        return row.date or None
    return row.cells[name].rank


def _quoted(text: str) -> str:
    printable = "".join(char if unicodedata.category(char)[0] != "C" else "\ufffd" for char in text)
    return f"“{printable[:60]}{'…' if len(printable) > 60 else ''}”"
