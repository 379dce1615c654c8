"""The rows of a kind, made ready once for each state of the catalog: words to search, values to sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from app.catalog.kinds.aliases import CATALOG_KIND
from app.catalog.lookup import Catalog
from app.catalog.values import Fact, Part, Price
from app.surfaces.pages.catalog.kinds import PRICE, RANGE, VALUE, VIEWS, KindView
from app.surfaces.pages.catalog.values import Scale, column_of, ends_text, newest, scale_of, shown_value
from app.surfaces.pages.catalog.words import MARKS, label_of_field, word_of

Rank: TypeAlias = float | str | tuple[str, float]
"""What a column is sorted by; where units differ from row to row, only like is ranked with like."""


class TableColumn(NamedTuple):
    """A column; `scale` only where all its values share a unit."""

    name: str
    label: str
    unit: str
    numeric: bool
    scale: Scale | None


class Cell(NamedTuple):
    """Text of a cell, and its sort key: None where no value is published."""

    text: str
    rank: Rank | None
    value: float | None = None  # in SI, for ranges


class Row(NamedTuple):
    key: str
    name: str
    beside: str  # under the name: vendor and year
    words: str  # everything that search looks through, in lower case
    cells: Mapping[str, Cell]
    facets: Mapping[str, str]
    year: int | None
    marks: Mapping[str, int]  # kind of value -> how many values
    recalled: int
    date: str  # newest of its values
    price_date: str | None  # of the price shown, None where there is none
    own: str = ""  # whose own row it is, who entered it and when


class Table(NamedTuple):
    view: KindView
    columns: tuple[TableColumn, ...]
    rows: tuple[Row, ...]

    @property
    def single(self) -> bool:
        """Return whether each row is one figure, whose source is that of the row."""
        return VALUE in self.view.columns

    @property
    def sourced(self) -> bool:
        """Return whether there are figures, which have sources."""
        return any(row.marks for row in self.rows)

    @property
    def dated(self) -> bool:
        """Return whether there are rows of a year."""
        return any(row.year for row in self.rows)


_tables: WeakKeyDictionary[Catalog, dict[str, Table]] = WeakKeyDictionary()


def table_of(catalog: Catalog, kind: str) -> Table:
    """All rows of a kind.

    Raises
    ------
    CatalogLookupError : no such kind; the message names the nearest
    """
    made = _tables.setdefault(catalog, {})
    if kind not in made:
        made[kind] = _table(catalog, kind)
    return made[kind]


def name_of(part: Part) -> str:
    """Name of a row; names of assumptions are written out."""
    return label_of_field(part.name) if part.kind == "assumptions" else part.name


def year_of(part: Part) -> int | None:
    """The year of a part: its own, else that of its date."""
    if part.year is not None:
        return part.year
    if part.kind == "assumptions":
        return None
    date = str(part.attributes.get("as_of") or part.attributes.get("date") or "")
    return int(date[:4]) if date[:4].isdigit() else None


def facet_of(part: Part, name: str) -> str:
    """The word a row is filtered by; what stands in brackets says more than a filter needs."""
    word = (
        part.vendor
        if name == "vendor"
        else part.status
        if name == "status"
        else part.attributes.get(name, "")
    )
    text = str(word)
    return text.partition(" (")[0] if name in ("status", "cooling", "attention") else text


def _table(catalog: Catalog, kind: str) -> Table:
    parts = catalog.parts(kind)
    view = VIEWS[kind]
    prices = {part.key: catalog.price(part.key) for part in parts} if PRICE in view.columns else {}
    columns = tuple(_column(kind, name, parts, prices) for name in view.columns)
    names = _names_by_key(catalog, kind)
    rented = _rented(catalog) if kind == "accelerators" else frozenset()
    rows = tuple(
        _row(part, view, columns, prices.get(part.key), rented, names.get(part.key, "")) for part in parts
    )
    return Table(view, columns, rows)


def _column(kind: str, name: str, parts: tuple[Part, ...], prices: Mapping[str, Price | None]) -> TableColumn:
    if name.startswith("@"):
        return TableColumn(name[1:], label_of_field(name[1:]), "", False, None)
    if name == PRICE:
        scale = scale_of([price.value for price in prices.values() if price], "USD", "USD")
        return TableColumn(name, label_of_field(name), scale.unit, True, scale)
    if name == RANGE or (name == VALUE and kind != "rentals"):
        return TableColumn(name, label_of_field(name), "", True, None)
    facts = [part.facts[name] for part in parts if name in part.facts]
    first = facts[0] if facts else None
    scale = scale_of(
        [fact.value for fact in facts], first.unit if first else "1", first.printed_unit if first else ""
    )
    printed = column_of(kind, name)
    basis = printed.basis.partition(",")[0] if printed and printed.basis.startswith("one way") else ""
    return TableColumn(name, label_of_field(name), f"{scale.unit} {basis}".strip(), True, scale)


def _row(
    part: Part,
    view: KindView,
    columns: tuple[TableColumn, ...],
    price: Price | None,
    rented: frozenset[str],
    other_names: str,
) -> Row:
    cells = {column.name: _cell(part, column, price, rented) for column in columns}
    counts = Counter(fact.kind for fact in part.facts.values())
    year = year_of(part)
    dates = [fact.date for fact in part.facts.values() if fact.kind != "derived"]  # ours are always new
    facets = {name: facet_of(part, name) for name in view.facets}
    said = [part.key, name_of(part), part.name, part.vendor, part.status, str(year or ""), other_names]
    said += [str(value) for value in part.attributes.values()]
    said += [cell.text for cell in cells.values() if isinstance(cell.rank, str)]
    return Row(
        key=part.key,
        name=name_of(part),
        beside=", ".join(word for word in (part.vendor, _beside(part, year)) if word),
        words="\n".join(said).lower(),
        cells=cells,
        facets=facets,
        year=year,
        marks={kind: counts[kind] for kind in MARKS if counts[kind]},
        recalled=sum(fact.confidence == "recalled" for fact in part.facts.values()),
        date=newest(dates),
        price_date=_price_date(part, price),
        own=part.own,
    )


def _beside(part: Part, year: int | None) -> str:
    if part.kind in ("rentals", "prices"):
        return str(part.attributes.get("instance", ""))
    return str(year) if year else ""


def _cell(part: Part, column: TableColumn, price: Price | None, rented: frozenset[str]) -> Cell:
    if column.name == PRICE:
        if price is None:
            return Cell("rent only" if part.key in rented else "", None)
        assert column.scale is not None
        return Cell(ends_text(price.low, price.high, price.value, column.scale), price.value, price.value)
    if column.name == RANGE:
        return _range_cell(part.facts[VALUE])
    if column.numeric:
        fact = part.facts.get(column.name)
        return _number_cell(fact, column) if fact else Cell("", None)
    text = word_of(part.attributes.get(column.name, ""))
    return Cell(text, text.lower() or None)


def _number_cell(fact: Fact, column: TableColumn) -> Cell:
    if column.scale is None:
        return Cell(
            shown_value(fact.value, fact.unit, fact.printed_unit).text, (fact.unit, fact.value), fact.value
        )
    return Cell(column.scale.text(fact.value), fact.value, fact.value)


def _range_cell(fact: Fact) -> Cell:
    if fact.low is None or fact.high is None:
        return Cell("", None)
    low, high = (shown_value(end, fact.unit, fact.printed_unit).value for end in (fact.low, fact.high))
    return Cell(f"{low} to {high}", (fact.unit, fact.low))


def _price_date(part: Part, price: Price | None) -> str | None:
    fact = part.facts.get("value")
    if part.kind in ("prices", "rentals") and fact is not None:
        return fact.date if fact.unit.startswith("USD") else None
    return price.as_of if price else None


def _rented(catalog: Catalog) -> frozenset[str]:
    """Accelerators that someone rents out."""
    return frozenset(str(part.attributes["accelerator_key"]) for part in catalog.parts("rentals"))


def _names_by_key(catalog: Catalog, kind: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for key, name in other_names(catalog, kind):
        found.setdefault(key, []).append(name)
    return {key: "\n".join(names) for key, names in found.items()}


def other_names(catalog: Catalog, kind: str) -> list[tuple[str, str]]:
    """Key and other name, for each name that documents use for a part of a kind."""
    return [
        (str(alias.attributes["target"]), str(alias.attributes["alias"]))
        for alias in catalog.parts("aliases")
        if CATALOG_KIND.get(str(alias.attributes["of"])) == kind and alias.attributes.get("target")
    ]
